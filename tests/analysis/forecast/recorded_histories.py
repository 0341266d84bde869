"""Histories that were recorded: bytes of source trees day by day, and of all versions that ever were in them.

Each forecast is made as if its day were now, of a level that does not depend on what came later: so many
times the growth of its history above it. Where the level was not reached until the recording ends, a range
counts as held unless it had ended before.
"""

from __future__ import annotations

import gzip
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.conftest import CAPTURES
from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.trend import trend
from zconsole.model.forecast import HistorySource, SpaceHistory

RECORDED: Final = tuple(sorted((CAPTURES / "growth").glob("*.tsv.gz")))
CHOSEN_ON: Final = frozenset(
    {"sanoid", "flask", "requests", "tmux", "zfs", "nginx"}
)  # served to choose constants
LENGTHS: Final = (10, 25, 60, 100, 180, 500)  # days of history
KINDS: Final = (
    "live",
    "kept",
)  # as a dataset, and as one with all of its snapshots
_SCALE: Final = 1000  # a file of a source tree stands for one of a pool
_ATTEMPTS: Final = 60


@dataclass(frozen=True, slots=True)
class Forecasts:
    """How often ranges held the date, and how often the level was reached before or after them."""

    held: int = 0
    early: int = 0
    late: int = 0

    @property
    def number(self) -> int:
        """All of them."""
        return self.held + self.early + self.late


def is_held_out(path: Path) -> bool:
    """Whether no constant was chosen on a recording."""
    return path.name.split(".", 1)[0] not in CHOSEN_ON


def growth(path: Path, kind: str) -> list[int]:
    """Bytes at the end of each day, from the first to the last."""
    with gzip.open(path, "rt") as stream:
        rows = [tuple(map(int, line.split("\t"))) for line in stream]
    known = {row[0]: row[1 + KINDS.index(kind)] for row in rows}
    values, last = [], 0
    for day in range(rows[0][0], rows[-1][0] + 1):
        last = known.get(day, last)
        values.append(last)
    return values


def forecasts(path: Path, kind: str, days: int, number: int) -> Forecasts:
    """So many forecasts from histories of one length, at days chosen by chance."""
    held = early = late = 0
    for past, future, level in _cases(growth(path, kind), days, number, f"{path.name} {kind} {days}"):
        points = tuple((day * DAY_S, float(value) * _SCALE) for day, value in enumerate(past))
        now, used = points[-1]
        passing = trend(
            SpaceHistory(HistorySource.SAMPLES, points), now=now, used=used, usable=level * _SCALE / 0.9
        ).passings[1]
        earliest, latest = (
            math.inf if each is None else (each - now) / DAY_S for each in (passing.earliest, passing.latest)
        )
        reached = next((day for day, value in enumerate(future) if value >= level), None)
        if reached is not None and reached < earliest - 1:
            early += 1
        elif latest < len(future) - 1 if reached is None else reached > latest + 1:
            late += 1
        else:
            held += 1
    return Forecasts(held, early, late)


def _cases(
    values: list[int], days: int, number: int, seed: str
) -> Iterator[tuple[list[int], list[int], float]]:
    chance, found = random.Random(seed), 0  # noqa: S311
    for _ in range(_ATTEMPTS * number):
        first = chance.randrange(max(1, len(values) - days - 2))
        past, future = values[first : first + days + 1], values[first + days :]
        if len(future) < days or past[-1] <= past[0] or past[0] <= 0:
            continue
        yield past, future, past[-1] + (past[-1] - past[0]) * chance.uniform(0.3, 4)
        found += 1
        if found == number:
            return

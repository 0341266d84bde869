"""How often the ranges of forecasts hold the true date: three tables of Markdown for docs/forecast.md.

`python -m tests.bench.forecast_ranges` takes some minutes: simulated histories of all kinds, those of
growth that changes when people come and go, and recorded ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.analysis.forecast import histories
from tests.analysis.forecast.recorded_histories import KINDS, LENGTHS, RECORDED, forecasts, is_held_out
from tests.analysis.forecast.test_trend import hits, misses

SEEDS: Final = histories.HELD_OUT[:12]  # simulated histories of each kind and length
SEEDS_BY_PEOPLE: Final = histories.HELD_OUT[:30]
LENGTHS_BY_PEOPLE: Final = (25, 60, 120, 200, 420)
NUMBER: Final = 10  # forecasts of each recording, kind and length
STEADY: Final = ("linear", "noise", "weekly", "weekend", "one deletion", "one import")
HARD: Final = ("walk", "heavy", "another pace", "slow swings", "all at once")
STEPS: Final = ("staircase", "bursts", "purges", "rare purges")


def simulated() -> Iterator[str]:
    """A row for each length: all kinds, and their groups."""
    apart = (*STEPS, *histories.BENT)
    yield "| days of history | all kinds | steady | hard to tell | in steps | " + " | ".join(apart) + " |"
    yield "|---|---|---|---|---|" + "---|" * len(apart)
    for days in histories.LENGTHS:
        of = {kind: hits(kind, days, SEEDS) for kind in histories.KINDS}
        groups = (histories.KINDS, STEADY, HARD, STEPS, *((kind,) for kind in apart))
        cells = (_cell([hit for kind in group for hit in of[kind]]) for group in groups)
        yield f"| {days} | {' | '.join(cells)} |"


def by_people() -> Iterator[str]:
    """A row for each length: growth that changes when people come and go, and where its ranges failed."""
    kinds = histories.BY_PEOPLE
    yield f"| days of history | {' | reached before | after | '.join(kinds)} | reached before | after |"
    yield "|---|" + "---|---|---|" * len(kinds)
    for days in LENGTHS_BY_PEOPLE:
        cells = []
        for kind in kinds:
            found = hits(kind, days, SEEDS_BY_PEOPLE)
            early, late = misses(kind, days, SEEDS_BY_PEOPLE)
            cells += [_cell(found), str(early), str(late)]
        yield f"| {days} | {' | '.join(cells)} |"


def recorded() -> Iterator[str]:
    """A row for each length: recordings that served to choose constants, and those held out."""
    yield "| days of history | chosen on | held out | of these: reached before | after |"
    yield "|---|---|---|---|---|"
    for days in LENGTHS:
        chosen, held = (
            [
                forecasts(path, kind, days, NUMBER)
                for path in RECORDED
                if is_held_out(path) is is_out
                for kind in KINDS
            ]
            for is_out in (False, True)
        )
        cells = (
            f"{sum(each.held for each in part)} of {sum(each.number for each in part)} "
            f"({100 * sum(each.held for each in part) / sum(each.number for each in part):.0f} %)"
            for part in (chosen, held)
        )
        early, late = sum(each.early for each in held), sum(each.late for each in held)
        yield f"| {days} | {' | '.join(cells)} | {early} | {late} |"


def _cell(found: list[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({100 * sum(found) / len(found):.0f} %)"


if __name__ == "__main__":
    for table in (simulated(), by_people(), recorded()):
        for line in table:
            print(line, flush=True)
        print()

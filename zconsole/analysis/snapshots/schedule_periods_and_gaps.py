"""Snapshot schedules of a dataset, and gaps in them.

Periods are durations, not dates: an hourly snapshot five minutes late leaves no gap. Months differ by days,
so a gap is one and a half periods without a snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from zconsole.analysis.snapshots.tool_and_period_by_snapshot_name import ScheduleName, family_of
from zconsole.base.lazy_dataclass import dataclass

HOUR_S: Final = 3600
DAY_S: Final = 86400
PERIODS_S: Final = {
    "hourly": HOUR_S,
    "daily": DAY_S,
    "weekly": 7 * DAY_S,
    "monthly": 31 * DAY_S,
    "yearly": 366 * DAY_S,
}
_LATE: Final = 1.5  # periods without a snapshot that count as a gap
_FEWEST: Final = 3  # snapshots of an unnamed schedule needed to infer its period
_SHORTEST_S: Final = 60


@dataclass(frozen=True, slots=True)
class Taken:
    """Snapshot name and creation time in epoch seconds."""

    name: str
    creation: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Period without snapshots, until the next one or now, and the number missing."""

    start: int
    end: int
    missed: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """One schedule of a dataset's snapshots."""

    family: ScheduleName  # without a time
    snapshots: tuple[Taken, ...]  # oldest first
    period_s: int | None = None  # None: no or unknown period
    gaps: tuple[Gap, ...] = ()

    @property
    def oldest(self) -> Taken:
        """The oldest remaining one."""
        return self.snapshots[0]

    @property
    def newest(self) -> Taken:
        """The newest one."""
        return self.snapshots[-1]

    @property
    def is_late(self) -> bool:
        """Whether the last gap extends to now."""
        return bool(self.gaps) and self.gaps[-1].start == self.newest.creation


def rhythms(snapshots: Iterable[Taken], now: float) -> tuple[Schedule, ...]:
    """The schedules of a dataset's snapshots, shortest period first, manual ones last."""
    groups: dict[ScheduleName, list[Taken]] = {}
    for each in snapshots:
        known = family_of(each.name)
        groups.setdefault(ScheduleName(known.tool, known.kind, None, known.peer), []).append(each)
    found = [_rhythm(family, group, now) for family, group in groups.items()]
    return tuple(sorted(found, key=lambda one: (one.period_s or 1 << 62, one.family.label, one.family.peer)))


def slots(rhythm: Schedule, start: int, count: int) -> tuple[int, ...]:
    """Numbers of its snapshots in each of `count` periods from `start`, for a calendar."""
    if rhythm.period_s is None:
        return ()
    found = [0] * count
    for each in rhythm.snapshots:
        at = (each.creation - start) // rhythm.period_s
        if 0 <= at < count:
            found[at] += 1
    return tuple(found)


def _rhythm(family: ScheduleName, group: Sequence[Taken], now: float) -> Schedule:
    ordered = tuple(sorted(group, key=lambda each: (each.creation, each.name)))
    period = PERIODS_S.get(family.kind)
    if period is None and family.tool not in {"manual", "syncoid"}:
        period = _typical(ordered)
    gaps = () if period is None else tuple(_gaps(ordered, period, int(now), is_thinned=not family.kind))
    return Schedule(family, ordered, period, gaps)


def _typical(ordered: Sequence[Taken]) -> int | None:
    """Median distance in the newer half, because older ones may have been pruned."""
    if len(ordered) < _FEWEST:
        return None
    newer = ordered[-max(_FEWEST, len(ordered) // 2) :]
    distances = sorted(later.creation - earlier.creation for earlier, later in pairwise(newer))
    median = distances[len(distances) // 2]
    return median if median >= _SHORTEST_S else None


def _gaps(ordered: Sequence[Taken], period: int, now: int, *, is_thinned: bool) -> Iterator[Gap]:
    times = [each.creation for each in ordered]
    for start, end in pairwise(times):
        if end - start > _LATE * period and not is_thinned:
            yield Gap(start, end, max(1, round((end - start) / period) - 1))
    if now - times[-1] > _LATE * period:
        yield Gap(times[-1], now, max(1, int((now - times[-1]) / period)))

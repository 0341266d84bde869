"""Regular series of a history: one value per day or some hours, without jumps and weekly pattern."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, median, stdev
from typing import Final

from zconsole.analysis.forecast.robust_statistics import spread
from zconsole.base.lazy_dataclass import dataclass

DAY_S: Final = 86400.0
WEEK: Final = 7
_EPOCH_WEEKDAY: Final = 3  # 1970-01-01 was a Thursday, and Monday is 0
DAILY_FROM: Final = 21.0  # days of history from which daily values suffice
SIX_HOURLY_FROM: Final = 5.0
JUMP_SPREADS: Final = 7.0  # a step this many times wider than usual is a jump,
JUMP_SHARE: Final = 0.005  # if it is at least this fraction of usable space,
JUMP_PACES: Final = 4.0  # and this many times the usual growth in that time,
STILL_A_STEP: Final = 3.0  # times the usual step time; across longer gaps it is undecided
RARE: Final = 8  # and at most one of this many steps is one
FEWEST_RARE: Final = 2
WEEKS_NEEDED: Final = 4
WORTH: Final = 0.3  # fraction of a usual day's growth
SIGNIFICANT: Final = 3.0  # standard errors

Point = tuple[float, float]  # days from now (negative), bytes


@dataclass(frozen=True, slots=True)
class Series:
    """Regular values: days from now, bytes; `jumps` are removed, keeping the last value."""

    points: tuple[Point, ...]
    step_days: float
    jumps: tuple[Point, ...] = ()  # days from now, bytes
    weekdays: tuple[float, ...] | None = None  # of the level, Monday first

    @property
    def span_days(self) -> float:
        """Days from the first value to the last."""
        return self.points[-1][0] - self.points[0][0] if self.points else 0.0


def series(
    history: Sequence[tuple[float, float]], now: float, usable: float, *, is_measured: bool = True
) -> Series:
    """Make a history (epoch seconds, bytes) regular; values after `now` are dropped.

    An estimated history has no meaningful jumps or weeks.
    """
    raw = sorted(((at - now) / DAY_S, used) for at, used in history if at <= now)
    span = raw[-1][0] - raw[0][0] if raw else 0.0
    step = 1.0 if span >= DAILY_FROM else 0.25 if span >= SIX_HOURLY_FROM else 1 / 24
    even = _binned(raw, step)
    jumps = _jumps(even, usable) if is_measured else []
    smooth = _without(even, jumps)
    weekdays = _week(smooth, now) if is_measured and step == 1.0 and span >= WEEK * WEEKS_NEEDED else None
    if weekdays is not None:
        smooth = [(at, used - weekdays[weekday(now + at * DAY_S)]) for at, used in smooth]
    return Series(tuple(smooth), step, tuple(jumps), weekdays)


def weekday(epoch_s: float) -> int:
    """Day of the week in UTC, 0 is Monday."""
    return int(epoch_s // DAY_S + _EPOCH_WEEKDAY) % WEEK


def _binned(raw: Sequence[Point], step: float) -> list[Point]:
    bins: dict[int, list[Point]] = {}
    for at, used in raw:
        bins.setdefault(int(at // step), []).append((at, used))
    return [
        (median(at for at, _ in points), median(used for _, used in points))
        for _, points in sorted(bins.items())
    ]


def _jumps(even: Sequence[Point], usable: float) -> list[Point]:
    """Rare steps far wider than all others, each with its end time."""
    steps = [(b[0] - a[0], b[1] - a[1], b[0]) for a, b in pairwise(even)]
    if len(steps) < 2 * WEEK:
        return []
    usual_days = median(days for days, _, _ in steps)
    pace = median(by / days for days, by, _ in steps)
    usual = spread([(by - pace * days) / days**0.5 for days, by, _ in steps])
    found = [
        (at, by - pace * days)
        for days, by, at in steps
        if days <= STILL_A_STEP * usual_days
        and abs(by - pace * days)
        > max(JUMP_SPREADS * usual * days**0.5, JUMP_SHARE * usable, JUMP_PACES * abs(pace) * days)
    ]
    return found if len(found) <= max(FEWEST_RARE, len(steps) // RARE) else []


def _without(even: Sequence[Point], jumps: Sequence[Point]) -> list[Point]:
    """The values with each jump moved to the beginning; the last value stays."""
    return [(at, used + sum(by for when, by in jumps if when > at)) for at, used in even]


def _week(even: Sequence[Point], now: float) -> tuple[float, ...] | None:
    """Deviation of each weekday from the trend, if significant."""
    by_day: list[list[float]] = [[] for _ in range(WEEK)]
    half = WEEK // 2
    for index in range(half, len(even) - half):
        week = even[index - half : index + half + 1]
        if week[-1][0] - week[0][0] > WEEK:
            continue  # there are days without a value
        at, used = even[index]
        by_day[weekday(now + at * DAY_S)].append(used - fmean(value for _, value in week))
    if min(map(len, by_day)) < WEEKS_NEEDED - 1:
        return None
    profile = [fmean(values) for values in by_day]
    errors = [stdev(values) / len(values) ** 0.5 for values in by_day]
    level = fmean(profile)
    if not any(
        abs(value - level) > SIGNIFICANT * error for value, error in zip(profile, errors, strict=True)
    ):
        return None
    usual = median(abs(b - a) for (_, a), (_, b) in pairwise(even))
    if max(abs(value - level) for value in profile) < WORTH * usual:
        return None
    return tuple(value - level for value in profile)


def paces(points: Sequence[Point], parts: int) -> list[float]:
    """The rates of equal stretches, from the beginning of one to that of the next."""
    times, values = [at for at, _ in points], _calmed([used for _, used in points])
    first, length = times[0], (times[-1] - times[0]) / parts
    cuts = sorted({min(range(len(times)), key=lambda index: abs(times[index] - at)) for at in (
        first + part * length for part in range(parts + 1)
    )})  # fmt: skip
    return [(values[b] - values[a]) / (times[b] - times[a]) for a, b in pairwise(cuts) if times[b] > times[a]]


def _calmed(values: Sequence[float]) -> list[float]:
    """Each value replaced by the median of itself and its neighbours."""
    return [
        median(values[max(0, index - 1) : index + 2]) if 0 < index < len(values) - 1 else value
        for index, value in enumerate(values)
    ]

"""Trend of a history: robust slope, and simulated futures for the range of dates.

The likely date follows a Theil-Sen line. The range is that of many simulated futures, each with a rate, a
random walk and jumps as the history allows: the shorter the history, the wider all three.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S, Point, Series, paces, series
from zconsole.analysis.forecast.robust_statistics import quantile, slope
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.forecast import HistorySource, LevelReached, PredictedUse, SpaceHistory, SpaceJump, Trend

LEVELS: Final = (80, 90, 100)  # percent of usable space
HORIZON_DAYS: Final = 3652.5  # ten years
CONFIDENCE: Final = 0.8  # share of cases in which the range is to hold the date, from SEASONED_DAYS on
LONG_DAYS: Final = 365.0  # from here on it held in fewer of the recorded histories (docs/forecast.md):
HELD_OF_LONG: Final = 0.75
TAIL: Final = (1 - CONFIDENCE) / 2  # fraction of futures outside on each side,
SHORT_TAIL: Final = 0.05  # and of a history of no length, which shows no rare events
FEWEST_DAYS: Final = 7.0
FEWEST_VALUES: Final = 8
FUTURES: Final = 500
STRETCHES: Final = 8  # parts of a history, to measure the variation of its rate
FEWEST_IN_STRETCH: Final = 3
WINDOWS: Final = (1.0, 0.5, 0.25)  # parts of the history: its rate may have changed
WINDOW_DAYS: Final = 14.0  # minimum length of a window
CHANGED: Final = 3.0  # standard errors between the recent and the overall rate
DRIFT: Final = 0.06  # fraction by which the rate may change over once more the history's length
MOST_DRIFT: Final = 0.4
SEASONED_DAYS: Final = 100.0  # until a history covers monthly events, uncertainty is larger
UNSEASONED: Final = 0.4  # fraction of the rate, for a history of zero length
RECURRING: Final = 3  # jumps of one sign from which more are expected
_FIRST_DAYS: Final = 0.25
_GRID: Final = 44


@dataclass(frozen=True, slots=True)
class _Pace:
    """Rate of one stretch of history: bytes a day, its standard error, and the walk around it."""

    per_day: float
    variance: float  # of the rates of its parts
    parts: int
    part_days: float

    @property
    def error(self) -> float:
        return math.sqrt(self.variance / self.parts)


@dataclass(frozen=True, slots=True)
class _Jumping:
    """Frequency and sizes of jumps in one direction."""

    sizes: tuple[float, ...]
    days: float

    @property
    def per_day(self) -> float:
        """Expected bytes per day; 0 until jumps recur."""
        return sum(self.sizes) / self.days if len(self.sizes) >= RECURRING else 0.0

    def rate(self, chance: random.Random) -> float:
        """Jumps per day in one future: possibly none, or as frequent as the past allows."""
        seen = len(self.sizes)
        if not seen or chance.random() < 1 / (seen + 1):
            return 0.0
        return chance.gammavariate(seen + 0.5, 1 / self.days)


def lacks(history: SpaceHistory, now: float) -> str:
    """What a history lacks for any date; empty when it suffices."""
    found = series(history.points, now, 1.0)
    if found.span_days < FEWEST_DAYS:
        return f"it spans {found.span_days:.1f}d, and at least {FEWEST_DAYS:g}d are needed"
    if len(found.points) < FEWEST_VALUES:
        return f"it has {len(found.points)} values, and at least {FEWEST_VALUES} are needed"
    return ""


def share_held(history: SpaceHistory) -> float | None:
    """Share of the cases in which ranges that rest on such a history held the date; None where unknown.

    Measured on recorded histories that no constant was chosen on (docs/forecast.md).
    """
    if not is_seasoned(history):
        return None
    days = (history.points[-1][0] - history.points[0][0]) / DAY_S
    return HELD_OF_LONG if days >= LONG_DAYS else CONFIDENCE


def is_seasoned(history: SpaceHistory) -> bool:
    """Whether it was measured for long enough to show the imports and deletions that come each month."""
    if history.basis is HistorySource.GUESS or not history.points:
        return False
    return history.points[-1][0] - history.points[0][0] >= SEASONED_DAYS * DAY_S


def trend(history: SpaceHistory, *, now: float, used: float, usable: float, doubt: float = 0.0) -> Trend:
    """Extrapolate a sufficient history. `doubt` is the relative uncertainty of all its rates."""
    even = series(history.points, now, usable, is_measured=history.basis is not HistorySource.GUESS)
    known = _paces(even)
    likely_pace, has_changed = _likely(known)
    ways = (
        _Jumping(tuple(by for _, by in even.jumps if by > 0), even.span_days),
        _Jumping(tuple(by for _, by in even.jumps if by < 0), even.span_days),
    )
    per_day = likely_pace + sum(way.per_day for way in ways)
    crest = max(0.0, *(even.weekdays or (0.0,)))
    doubt = max(doubt, UNSEASONED * (1 - even.span_days / SEASONED_DAYS), 0.0)
    futures = _Futures(known, ways, even.span_days, doubt, random.Random(1))  # noqa: S311 - not for secrets
    levels = [percent * usable / 100 for percent in LEVELS]
    reached, at_times, drawn_paces = futures.draw(used, [level - crest for level in levels])
    ordered = sorted(drawn_paces)
    tail = SHORT_TAIL + (TAIL - SHORT_TAIL) * min(1.0, even.span_days / SEASONED_DAYS)
    return Trend(
        bytes_per_day=per_day,
        low_bytes_per_day=min(per_day, quantile(ordered, tail)),
        high_bytes_per_day=max(per_day, quantile(ordered, 1 - tail)),
        passings=tuple(
            _passing(percent, level, reached[index], tail, now=now, used=used, crest=crest, per_day=per_day)
            for index, (percent, level) in enumerate(zip(LEVELS, levels, strict=True))
        ),
        ahead=tuple(
            PredictedUse(
                now + days * DAY_S,
                min(quantile(values, tail), max(0.0, used + per_day * days)),
                max(0.0, used + per_day * days),
                max(quantile(values, 1 - tail), used + per_day * days),
            )
            for days, values in zip(GRID, (sorted(column) for column in at_times), strict=True)
        ),
        jumps=tuple(SpaceJump(now + at * DAY_S, by) for at, by in even.jumps),
        weekdays=even.weekdays,
        has_changed=has_changed,
    )


def _passing(  # noqa: PLR0913
    percent: int,
    level: float,
    days: Sequence[float],
    tail: float,
    *,
    now: float,
    used: float,
    crest: float,
    per_day: float,
) -> LevelReached:
    if used >= level:
        return LevelReached(percent, round(level), is_reached=True)
    likely = max(0.0, level - crest - used) / per_day if per_day > 0 else math.inf
    ordered = sorted(days)
    earliest = min(likely, quantile(ordered, tail))
    latest = max(likely, quantile(ordered, 1 - tail))
    moments = (None if each > HORIZON_DAYS else now + each * DAY_S for each in (earliest, likely, latest))
    return LevelReached(percent, round(level), False, *moments)


def _paces(even: Series) -> list[_Pace]:
    """Rates of the whole history, and of its last half and quarter."""
    found = []
    for window in WINDOWS:
        days = window * even.span_days
        points = [point for point in even.points if point[0] >= even.points[-1][0] - days]
        parts = min(STRETCHES, len(points) // FEWEST_IN_STRETCH)
        if window < 1 and (days < WINDOW_DAYS or parts < STRETCHES // 2):
            break
        found.append(_pace(points, max(2, parts)))
    return found


def _pace(points: Sequence[Point], parts: int) -> _Pace:
    parted = paces(points, parts)
    variance = stdev(parted) ** 2 if len(parted) > 1 else slope(points) ** 2
    return _Pace(
        (slope(points) + fmean(parted)) / 2 if parted else slope(points),
        variance,
        max(2, len(parted)),
        (points[-1][0] - points[0][0]) / parts,
    )


def _likely(known: Sequence[_Pace]) -> tuple[float, bool]:
    """The overall rate, or the recent one if it clearly differs."""
    whole = known[0]
    for late in reversed(known[1:]):
        if abs(late.per_day - whole.per_day) > CHANGED * math.hypot(late.error, whole.error):
            return late.per_day, True
    return whole.per_day, False


GRID: Final = tuple(
    _FIRST_DAYS * (HORIZON_DAYS / _FIRST_DAYS) ** (index / (_GRID - 1)) for index in range(_GRID)
)


class _Futures:
    """Simulation of possible futures of a pool."""

    def __init__(
        self,
        known: Sequence[_Pace],
        ways: Sequence[_Jumping],
        span_days: float,
        doubt: float,
        chance: random.Random,
    ) -> None:
        self._known = known
        self._ways = ways
        self._span = span_days
        self._doubt = doubt
        self._chance = chance

    def draw(
        self, used: float, levels: Sequence[float]
    ) -> tuple[list[list[float]], list[list[float]], list[float]]:
        """Days until each level is reached (infinite: never), use at each time of GRID, and rates."""
        reached: list[list[float]] = [[] for _ in levels]
        at_times: list[list[float]] = [[] for _ in GRID]
        drawn = [self._one(used, levels, reached, at_times) for _ in range(FUTURES)]
        return reached, at_times, drawn

    def _one(
        self, used: float, levels: Sequence[float], reached: list[list[float]], at_times: list[list[float]]
    ) -> float:
        chance = self._chance
        pace = chance.choice(self._known)
        freedom = pace.parts - 1
        variance = pace.variance * freedom / max(1e-9, chance.gammavariate(freedom / 2, 2.0))
        # Not the error of their mean: parts that grow fast come together, and a future may be all like one.
        per_day = pace.per_day + math.sqrt(variance) * chance.gauss(0, 1)
        if self._doubt:
            per_day *= math.exp(self._doubt * chance.gauss(0, 1))
        walk = variance * pace.part_days  # of a random walk, bytes squared per day
        bend = DRIFT * chance.gauss(0, 1)
        rates = [(way, way.rate(chance)) for way in self._ways]
        passed = [math.inf] * len(levels)
        before, value, trended, walked = 0.0, used, used, 0.0
        for index, days in enumerate(GRID):
            length = days - before
            walked += math.sqrt(walk * length) * chance.gauss(0, 1)
            for way, rate in rates:
                walked += _jumped(way, rate * length, chance)
            factor = 1 + max(-MOST_DRIFT, min(MOST_DRIFT, bend * math.sqrt(days / self._span)))
            trended = used + per_day * factor * days
            after = trended + walked
            if after < 0:
                walked -= after
                after = 0.0
            luck = chance.random()
            for number, level in enumerate(levels):
                if passed[number] == math.inf:
                    share = _crossing(value, after, level, walk * length, luck)
                    if share is not None:
                        passed[number] = before + share * length
            at_times[index].append(after)
            before, value = days, after
        for number, days in enumerate(passed):
            reached[number].append(days)
        return per_day


def _crossing(start: float, end: float, level: float, variance: float, luck: float) -> float | None:
    """Fraction of a step at which a level is reached; a walk may have exceeded it in between."""
    if start >= level:
        return 0.0
    if end >= level:
        return (level - start) / (end - start)
    if variance > 0 and luck < math.exp(-2 * (level - start) * (level - end) / variance):
        return 0.5
    return None


def _jumped(way: _Jumping, expected: float, chance: random.Random) -> float:
    """Bytes added by jumps in a step: sizes drawn from seen ones; for very many, their mean."""
    if expected <= 0:
        return 0.0
    if expected > 20:
        return expected * fmean(way.sizes)
    limit, product, count = math.exp(-expected), chance.random(), 0
    while product > limit:
        count, product = count + 1, product * chance.random()
    return sum(chance.choice(way.sizes) for _ in range(count))

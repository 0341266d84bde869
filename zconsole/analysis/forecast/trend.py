"""Trend of a history: robust slope, and simulated futures for the range of dates.

The likely date follows all shapes of growth by their weights. The range is that of many simulated futures.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S, series
from zconsole.analysis.forecast.growth_shapes import YEAR_DAYS, Growth, shapes
from zconsole.analysis.forecast.rates_of_windows import likely_pace, paces_of_windows
from zconsole.analysis.forecast.robust_statistics import quantile
from zconsole.analysis.forecast.simulated_futures import GRID, HORIZON_DAYS, Futures, Jumping
from zconsole.model.forecast import (
    GrowthShape,
    HistorySource,
    LevelReached,
    PredictedUse,
    SpaceHistory,
    SpaceJump,
    Trend,
)

LEVELS: Final = (80, 90, 100)  # percent of usable space
CONFIDENCE: Final = 0.8  # share of cases in which the range is to hold the date, from SEASONED_DAYS on
LONG_DAYS: Final = 365.0  # from here on it held in fewer of the recorded histories (docs/forecast.md):
HELD_OF_LONG: Final = 0.75
TAIL: Final = (1 - CONFIDENCE) / 2  # fraction of futures outside on each side,
SHORT_TAIL: Final = 0.05  # and of a history of no length, which shows no rare events
FEWEST_DAYS: Final = 7.0
FEWEST_VALUES: Final = 8
SEASONED_DAYS: Final = 100.0  # until a history covers monthly events, uncertainty is larger
MONTH_DAYS: Final = 30.0
_HALVINGS: Final = 40
UNSEASONED: Final = 0.4  # fraction of the rate, for a history of zero length


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
    known = paces_of_windows(even)
    growths = shapes(even.points)
    line_pace, has_changed = likely_pace(known)
    ways = (
        Jumping(tuple(by for _, by in even.jumps if by > 0), even.span_days),
        Jumping(tuple(by for _, by in even.jumps if by < 0), even.span_days),
    )
    likely = _LikelyGrowth(growths, line_pace, sum(way.per_day for way in ways))
    per_day = likely.per_day
    crest = max(0.0, *(even.weekdays or (0.0,)))
    doubt = max(doubt, UNSEASONED * (1 - even.span_days / SEASONED_DAYS), 0.0)
    chance = random.Random(1)  # noqa: S311 - not for secrets
    futures = Futures(known, growths, ways, chance, span_days=even.span_days, doubt=doubt)
    levels = [percent * usable / 100 for percent in LEVELS]
    reached, at_times, drawn_paces = futures.draw(used, [level - crest for level in levels])
    ordered = sorted(drawn_paces)
    tail = SHORT_TAIL + (TAIL - SHORT_TAIL) * min(1.0, even.span_days / SEASONED_DAYS)
    return Trend(
        bytes_per_day=per_day,
        low_bytes_per_day=min(per_day, quantile(ordered, tail)),
        high_bytes_per_day=max(per_day, quantile(ordered, 1 - tail)),
        passings=tuple(
            _passing(percent, level, reached[index], tail, now=now, used=used, crest=crest, likely=likely)
            for index, (percent, level) in enumerate(zip(LEVELS, levels, strict=True))
        ),
        ahead=tuple(
            PredictedUse(
                now + days * DAY_S,
                min(quantile(values, tail), max(0.0, used + likely.added(days))),
                max(0.0, used + likely.added(days)),
                max(quantile(values, 1 - tail), used + likely.added(days)),
            )
            for days, values in zip(GRID, (sorted(column) for column in at_times), strict=True)
        ),
        jumps=tuple(SpaceJump(now + at * DAY_S, by) for at, by in even.jumps),
        weekdays=even.weekdays,
        has_changed=has_changed and likely.shape is GrowthShape.LINE,
        shape=likely.shape,
        month_bytes=likely.added(MONTH_DAYS),
        year_bytes=likely.added(YEAR_DAYS),
        fills_at_bytes_per_day=max(0.0, levels[-1] - crest - used) / HORIZON_DAYS,
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
    likely: _LikelyGrowth,
) -> LevelReached:
    if used >= level:
        return LevelReached(percent, round(level), is_reached=True)
    at = likely.days_until(level - crest - used)
    ordered = sorted(days)
    earliest = min(at, quantile(ordered, tail))
    latest = max(at, quantile(ordered, 1 - tail))
    moments = (None if each > HORIZON_DAYS else now + each * DAY_S for each in (earliest, at, latest))
    return LevelReached(percent, round(level), False, *moments)


class _LikelyGrowth:
    """Growth of all shapes by their weights, and of jumps that recur."""

    def __init__(self, growths: Sequence[Growth], line_pace: float, jumps_per_day: float) -> None:
        self._growths = growths
        self._line = line_pace
        self._jumps = jumps_per_day

    @property
    def shape(self) -> GrowthShape | None:
        """The shape that is likelier than all others together."""
        weights: dict[GrowthShape, float] = {}
        for each in self._growths:
            weights[each.shape] = weights.get(each.shape, 0.0) + each.weight
        return next((shape for shape, weight in weights.items() if weight > 0.5), None)

    @property
    def per_day(self) -> float:
        """Bytes a day now."""
        return self._jumps + sum(each.weight * each.rate_now(self._rate(each)) for each in self._growths)

    def added(self, days: float) -> float:
        """Bytes added within so many days."""
        shaped = sum(each.weight * each.added(self._rate(each), days) for each in self._growths)
        return self._jumps * days + shaped

    def days_until(self, size_bytes: float) -> float:
        """Days until so much has been added; infinite where that is beyond the horizon."""
        if size_bytes <= 0:
            return 0.0
        before = 0.0
        for days in GRID:
            if self.added(days) >= size_bytes:
                return self._within(before, days, size_bytes)
            before = days
        return math.inf

    def _within(self, low: float, high: float, size_bytes: float) -> float:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.added(middle) >= size_bytes else (middle, high)
        return high

    def _rate(self, growth: Growth) -> float:
        return self._line if growth.pace is None else growth.pace.per_day

"""Rates of growth of a history and of its last parts, and how far those of stretches differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import Point, Series, paces
from zconsole.analysis.forecast.robust_statistics import slope
from zconsole.base.lazy_dataclass import dataclass

STRETCHES: Final = 8  # parts of a history, to measure the variation of its rate
FEWEST_IN_STRETCH: Final = 3
WINDOWS: Final = (1.0, 0.5, 0.25)  # parts of the history: its rate may have changed
WINDOW_DAYS: Final = 14.0  # minimum length of a window
CHANGED: Final = 3.0  # standard errors between the recent and the overall rate


@dataclass(frozen=True, slots=True)
class GrowthRate:
    """Rate of one stretch of history: bytes a day, its standard error, and the walk around it."""

    per_day: float
    variance: float  # of the rates of its parts
    parts: int
    part_days: float

    @property
    def error(self) -> float:
        return math.sqrt(self.variance / self.parts)


def paces_of_windows(even: Series) -> list[GrowthRate]:
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


def _pace(points: Sequence[Point], parts: int) -> GrowthRate:
    parted = paces(points, parts)
    variance = stdev(parted) ** 2 if len(parted) > 1 else slope(points) ** 2
    return GrowthRate(
        (slope(points) + fmean(parted)) / 2 if parted else slope(points),
        variance,
        max(2, len(parted)),
        (points[-1][0] - points[0][0]) / parts,
    )


def likely_pace(known: Sequence[GrowthRate]) -> tuple[float, bool]:
    """The overall rate, or the recent one if it clearly differs."""
    whole = known[0]
    for late in reversed(known[1:]):
        if abs(late.per_day - whole.per_day) > CHANGED * math.hypot(late.error, whole.error):
            return late.per_day, True
    return whole.per_day, False

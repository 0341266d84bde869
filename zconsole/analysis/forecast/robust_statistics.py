"""Robust statistics, insensitive to outliers, in bounded time."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final, TypeVar

MOST_POINTS: Final = 120  # for a slope: 7140 pairs
_NORMAL: Final = 1.4826  # standard deviation of a normal distribution / median absolute deviation
T = TypeVar("T")


def spread(values: Sequence[float]) -> float:
    """Standard deviation estimated by the scaled MAD."""
    if not values:
        return 0.0
    middle = median(values)
    return _NORMAL * median(abs(value - middle) for value in values)


def slope(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> float:
    """Theil-Sen slope: median of the slopes of all pairs of points, evenly thinned if many."""
    chosen = thinned(points, most)
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for index, earlier in enumerate(chosen)
        for later in chosen[index + 1 :]
        if later[0] > earlier[0]
    ]
    return median(slopes) if slopes else 0.0


def thinned(values: Sequence[T], most: int) -> Sequence[T]:
    """At most this many values, evenly chosen, with the first and the last."""
    if len(values) <= most:
        return values
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this fraction of the sorted values lies."""
    return ordered[min(len(ordered) - 1, max(0, round(share * (len(ordered) - 1))))]

"""Latency quantiles of the last seconds, from the summed counts of several histograms.

A value is the upper bound of its bucket, so it is at most twice too large, and never too small.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from time import perf_counter
from typing import Final

from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.iostat import Histogram

MEDIAN: Final = 0.5
TAIL: Final = 0.99
AT_ONCE_S: Final = 0.003  # time limit for the visible rows; the rest waits for the next drawing
EVERY_S: Final = 2.0


@fast_dataclass
class Spread:
    """Quantiles: operations a second, and the bounds below which half, 99 % and all of them end."""

    rate: float  # a second
    median: int
    tail: int
    most: int
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class Window:
    """The histograms of one pool over the last seconds, oldest first."""

    samples: Sequence[HistogramSample] = ()

    @property
    def seconds(self) -> float:
        """The length of the window."""
        return sum(sample.interval_s for sample in self.samples)

    def histogram(self, place: int, name: str, of: str) -> Histogram | None:
        """The summed counts of one class of a row, a second; None when the row has no such class."""
        bounds: tuple[int, ...] = ()
        counts: list[tuple[int, ...]] = []
        for sample in self.samples:
            row = sample.rows[place] if place < len(sample.rows) else None
            found = row.histograms.get(of) if row is not None and row.name == name else None
            if found is None or (bounds and found.upper_bounds != bounds):
                continue
            bounds = found.upper_bounds
            counts.append(found.counts)
        if not counts:
            return None
        return Histogram(bounds, tuple(map(sum, zip(*counts, strict=True))))

    def spread(self, place: int, name: str, of: str) -> Spread | None:
        """The quantiles of one class of a row; None when there was no operation."""
        histogram = self.histogram(place, name, of)
        return None if histogram is None else spread(histogram, len(self.samples))


def spread(histogram: Histogram, samples: int = 1) -> Spread | None:
    """The quantiles of a number of samples together; None when there was no operation."""
    total = sum(histogram.counts)
    if not total:
        return None
    bounds, passed = histogram.upper_bounds, list(accumulate(histogram.counts))
    shares = (MEDIAN * total, TAIL * total, total)  # all of them as it is: a float may round it up
    median, tail, most = (bounds[bisect_left(passed, share)] for share in shares)
    return Spread(total / samples, median, tail, most, histogram)


class Spreads:
    """Quantiles of a pool's rows: computed when they are looked at, within a time limit.

    Rows beyond the limit keep their previous values.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._window = Window()
        self._turn = 0
        self._known: dict[tuple[int, str], tuple[int, Spread | None]] = {}
        self._until: float | None = None
        self.is_behind = False  # the limit was reached for some

    def take_in(self, samples: Sequence[HistogramSample]) -> None:
        """Begin a drawing; adopt these samples if they are new enough."""
        self._until, self.is_behind = None, False
        before = self._window.samples
        if not (samples and before and 0 <= samples[-1].at - before[-1].at < EVERY_S):
            self._window = Window(samples)
            self._turn += 1

    def of(self, place: int, name: str, of: str) -> Spread | None:
        """The quantiles of one class of a row."""
        key = (place, of)
        turn, known = self._known.get(key, (0, None))
        if turn == self._turn:
            return known
        if self._until is None:  # the first of a drawing is always computed
            self._until = self._clock() + AT_ONCE_S
        elif self._clock() > self._until:
            self.is_behind = True
            return known
        found = self._window.spread(place, name, of)
        self._known[key] = (self._turn, found)
        return found

"""Comparison of one disk with the others in one sample, as a number."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

NOTICED: Final = 1.6  # ratio of latencies below which there is no evidence
MOST: Final = 2.0  # maximum evidence of one sample: ratio 6.4 or more
OFFSET_NS: Final = 1_000_000.0  # differences far below a millisecond do not count
OFFSET_SOLID_NS: Final = 200_000.0  # for disks known not to rotate
FULL_WEIGHT: Final = 4.0  # operations in a sample for full weight; fewer are less certain
MOST_STOOD_FOR: Final = 2.0  # maximum weight factor of a burst
UNREMARKABLE: Final = 2.0  # ratio of operations or bytes to the peers' that counts as usual load
FEW_OPERATIONS: Final = 5.0  # recent operations by which two disks differ by chance
FEW_BYTES: Final = 1024 * 1024.0
_NOTICED_DOUBLINGS: Final = math.log2(NOTICED)
_UNREMARKABLE_DOUBLINGS: Final = math.log2(UNREMARKABLE)


class MedianOfOthers(NamedTuple):
    """For each of some values, the median of the others, so that two slow disks do not hide each other."""

    size: int
    median: float  # of all
    lower: float  # up to here,
    without_lower: float  # the median of the others is this
    upper: float  # up to here,
    without_middle: float  # this
    without_upper: float  # beyond, this

    def without(self, value: float) -> float:
        """Median of the others; `value` is one of the original values."""
        if value <= self.lower:
            return self.without_lower
        return self.without_middle if value <= self.upper else self.without_upper


def others(values: list[float]) -> MedianOfOthers | None:
    """Medians without each value; None for fewer than two values. Sorts the list."""
    size = len(values)
    if size < 2:
        return None
    values.sort()
    half = size // 2
    if size % 2:
        low, middle, high = values[half - 1], values[half], values[half + 1]
        return MedianOfOthers(
            size, middle, low, (middle + high) / 2, middle, (low + high) / 2, (low + middle) / 2
        )
    low, high = values[half - 1], values[half]
    return MedianOfOthers(size, (low + high) / 2, low, high, low, high, low)


def excess(latency_ns: float, reference_ns: float, offset_ns: float) -> float:
    """Doublings of latency above the noticeable ratio to the reference; negative below."""
    return math.log2((latency_ns + offset_ns) / (reference_ns + offset_ns)) - _NOTICED_DOUBLINGS


def weight(operations: float) -> float:
    """Weight of a mean of this many operations, 0 to 1: its error falls with their square root."""
    return 1.0 if operations >= FULL_WEIGHT else math.sqrt(operations / FULL_WEIGHT)


def stands_for(operations: float, gap: int) -> float:
    """Weight factor of a sample after `gap` samples without operations: 1 to 2.

    Writes come in bursts, one per transaction group, and a burst represents all of it.
    """
    return min(MOST_STOOD_FOR, math.sqrt(gap)) if gap > 1 and operations >= FULL_WEIGHT else 1.0


def discount(own: float, peers: float, few: float) -> float:
    """Doublings of latency explained by load beyond twice that of the peers."""
    return max(0.0, math.log2((own + few) / (peers + few)) - _UNREMARKABLE_DOUBLINGS)

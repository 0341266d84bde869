"""How one disk stands against the others in one sample: numbers in, a number out."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

NOTICED: Final = 1.6  # times slower; what is less is no evidence
MOST: Final = 2.0  # of evidence from one sample: 6.4 times slower or more
OFFSET_NS: Final = 1_000_000.0  # differences far below a millisecond are none
OFFSET_SOLID_NS: Final = 200_000.0  # of disks that are known not to rotate
FULL_WEIGHT: Final = 4.0  # operations in a sample; the mean of fewer is less certain
MOST_STOOD_FOR: Final = 2.0  # times that the sample of a burst counts
UNREMARKABLE: Final = 2.0  # times the operations or bytes of its peers that a disk may have to carry
FEW_OPERATIONS: Final = 5.0  # of late, by which two disks differ by chance
FEW_BYTES: Final = 1024 * 1024.0
_NOTICED_DOUBLINGS: Final = math.log2(NOTICED)
_UNREMARKABLE_DOUBLINGS: Final = math.log2(UNREMARKABLE)


class MedianOfOthers(NamedTuple):
    """For each of some values, the median of the others: so that two slow disks do not hide each other."""

    size: int
    median: float  # of all
    lower: float  # up to here
    without_lower: float  # the median of the others is this
    upper: float  # and up to here
    without_middle: float  # this
    without_upper: float  # and beyond, this

    def without(self, value: float) -> float:
        """The median of the others; `value` is one of those from which this was made."""
        if value <= self.lower:
            return self.without_lower
        return self.without_middle if value <= self.upper else self.without_upper


def others(values: list[float]) -> MedianOfOthers | None:
    """The medians without one of each; None where there are not two values. Sorts the list."""
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
    """How many doublings slower than the reference, above what is noticed; negative where it is not."""
    return math.log2((latency_ns + offset_ns) / (reference_ns + offset_ns)) - _NOTICED_DOUBLINGS


def weight(operations: float) -> float:
    """How much the mean of so many operations counts, 0 to 1: its error falls with their square root."""
    return 1.0 if operations >= FULL_WEIGHT else math.sqrt(operations / FULL_WEIGHT)


def stands_for(operations: float, gap: int) -> float:
    """How much more a sample counts that follows `gap` samples after the last with any: 1 to 2.

    Writes come in bursts, one for each transaction group, and a burst tells of all of it.
    """
    return min(MOST_STOOD_FOR, math.sqrt(gap)) if gap > 1 and operations >= FULL_WEIGHT else 1.0


def discount(own: float, peers: float, few: float) -> float:
    """Doublings of latency that are due to load: what a disk carries beyond twice what its peers do."""
    return max(0.0, math.log2((own + few) / (peers + few)) - _UNREMARKABLE_DOUBLINGS)

"""Speed of drives: service times, queueing, and the scatter of latencies over histogram buckets."""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.io.io_counters import LATENCY_BUCKETS, SIZE_BUCKETS
from zconsole.practice.world.drives import DriveKind, PracticeDisk

SYNC_READ, SYNC_WRITE, ASYNC_READ, ASYNC_WRITE, SCRUB = range(5)
_MS: Final = 1_000_000.0
_US: Final = 1_000.0
_SIGMA: Final = 0.45  # of the logarithm of a latency
_STEPS: Final = 16  # positions within a bucket for which a shape is kept
_SPAN: Final = (-2, -1, 0, 1, 2)  # buckets around the middle that are filled
_EXACT_BELOW: Final = 4  # operations that are placed one by one


@dataclass(frozen=True, slots=True)
class DriveSpeed:
    """A kind of drive: the time of one operation of each priority, and how many run side by side."""

    base_ns: tuple[float, float, float, float, float]
    lanes: float
    ns_per_byte: float
    knee: float  # how much a full queue adds


SPEEDS: Final = {
    DriveKind.HDD: DriveSpeed(
        (7.6 * _MS, 8.5 * _MS, 5.0 * _MS, 2.4 * _MS, 1.2 * _MS), 1.0, 1e9 / 230e6, 0.05
    ),
    DriveKind.SSD: DriveSpeed(
        (150 * _US, 60 * _US, 160 * _US, 110 * _US, 140 * _US), 10.0, 1e9 / 520e6, 0.12
    ),
    DriveKind.NVME: DriveSpeed((80 * _US, 16 * _US, 85 * _US, 24 * _US, 80 * _US), 24.0, 1e9 / 2.8e9, 0.12),
}
MOST_BUSY: Final = 0.97  # beyond this a drive makes its callers wait instead


def service_ns(disk: PracticeDisk, priority: int, size: float) -> float:
    """The time that an unhurried drive takes for one operation."""
    speed = SPEEDS[disk.drive]
    return (speed.base_ns[priority] + size * speed.ns_per_byte) * disk.slow_factor


def queued_ns(disk: PracticeDisk, service: float, busy: float) -> float:
    """The time of an operation on a drive that is that busy, as the kernel measures it."""
    busy = min(busy, MOST_BUSY)
    return service * (1.0 + SPEEDS[disk.drive].knee * busy * busy / (1.0 - busy))


def _shape(position: float) -> tuple[float, ...]:
    """Share of each bucket of `_SPAN` for a scatter whose mean lies `position` into the middle bucket."""
    center = position - _SIGMA * _SIGMA / 2 / math.log(2)
    width = _SIGMA / math.log(2) * math.sqrt(2)

    def below(edge: float) -> float:
        return 0.5 * (1 + math.erf((edge - center) / width))

    shares = [below(offset + 1) - below(offset) for offset in _SPAN]
    total = sum(shares)
    return tuple(share / total for share in shares)


@cache
def _sums(shape: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(accumulate(shape))


_SHAPES: Final = tuple(_shape((step + 0.5) / _STEPS) for step in range(_STEPS))
_OUTER: Final = tuple(  # of each shape: the buckets beside the middle with their shares, the outermost first
    tuple((offset, shape[_SPAN.index(offset)]) for offset in (-2, 2, -1, 1)) for shape in _SHAPES
)
_MIDDLES: Final = tuple((1 << bucket) + (1 << bucket) // 2 for bucket in range(LATENCY_BUCKETS))


def scatter(
    buckets: list[int],
    number: int,
    mean_ns: float,
    chance: Callable[[], float],
    *,
    twin: list[int] | None = None,
) -> int:
    """Count operations of that mean latency, in `twin` too; returns the sum of their bucket middles."""
    position = math.log2(mean_ns) if mean_ns > 8.0 else 3.0
    base = min(int(position), LATENCY_BUCKETS - 3)
    step = int((position - base) * _STEPS) % _STEPS
    if number < _EXACT_BELOW:
        parts = _one_by_one(base, _SHAPES[step], number, chance)
    else:
        parts, left = [], number
        for offset, share in _OUTER[step]:
            part = int(number * share + chance())
            part = min(part, left)
            if part:
                left -= part
                parts.append((base + offset, part))
        parts.append((base, left))  # every operation once
    weight = 0
    for bucket, part in parts:
        buckets[bucket] += part
        weight += part * _MIDDLES[bucket]
        if twin is not None:
            twin[bucket] += part
    return weight


def _one_by_one(
    base: int, shape: tuple[float, ...], number: int, chance: Callable[[], float]
) -> list[tuple[int, int]]:
    """The bucket of each of a few operations."""
    sums = _sums(shape)
    return [(base + _SPAN[min(bisect(sums, chance()), len(_SPAN) - 1)], 1) for _ in range(number)]


def scatter_sizes(buckets: list[int], number: int, size: float, chance: Callable[[], float]) -> None:
    """Count `number` requests of about that size."""
    bucket = min(max(int(size).bit_length() - 1, 9), SIZE_BUCKETS - 1)
    smaller = int(number * 0.2 + chance()) if bucket > 12 else 0
    smaller = min(smaller, number)
    buckets[bucket - 1] += smaller
    buckets[bucket] += number - smaller


def whole(number: float, source: random.Random) -> int:
    """An integer that is `number` on average."""
    return int(number + source.random())

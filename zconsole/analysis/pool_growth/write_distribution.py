"""Distribution of writes over unequally full vdevs, and the point at which they are equally full.

Writes are distributed by free space: a vdev with twice the free space gets twice the new blocks, so that all
become full at the same time, and their fill levels converge linearly. Freed blocks accelerate this. Since
OpenZFS 0.7 a much slower vdev gets less than its share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

EVEN: Final = 0.05  # of their size: fill levels with a smaller difference count as equal


@dataclass(frozen=True, slots=True)
class Share:
    """One vdev's share of new writes, 0 to 1, and its fill level."""

    vdev: str
    size_bytes: int
    free_bytes: int
    part: float

    @property
    def used(self) -> float:
        """Allocated fraction, 0 to 1."""
        return 1 - self.free_bytes / self.size_bytes


def shares(vdevs: Sequence[tuple[str, int, int]]) -> tuple[Share, ...]:
    """Shares from name, size and free bytes of each vdev; equal shares when all are full."""
    free = sum(each[2] for each in vdevs)
    return tuple(
        Share(name, size, here, here / free if free else 1 / len(vdevs)) for name, size, here in vdevs
    )


def used_after(spread: Sequence[Share], written_bytes: int) -> tuple[float, ...]:
    """Fill level of each vdev after this many allocated bytes, parity included; 0 to 1."""
    return tuple(min(1.0, each.used + each.part * written_bytes / each.size_bytes) for each in spread)


def even_after_bytes(spread: Sequence[Share], *, within: float = EVEN) -> int:
    """Bytes to allocate until all fill levels are equal within `within`, if nothing is freed."""
    free = sum(each.free_bytes for each in spread)
    used = [each.used for each in spread]
    apart = max(used) - min(used)
    return 0 if apart <= within else round(free * (1 - within / apart))

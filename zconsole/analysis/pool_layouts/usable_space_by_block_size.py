"""Capacity for one block size; `zfs list` assumes 128 KiB, other blocks take more or less.

A volblocksize of 8 KiB on a raidz2 takes three 4 KiB sectors for each two of data, at any width. Block sizes
here are after compression.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_layouts.block_allocation import allocated_bytes
from zconsole.analysis.pool_layouts.layout import DATA, Layout, PlannedVdev, VdevShape
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK, layout_space, vdev_space
from zconsole.base.lazy_dataclass import dataclass

BLOCK_SIZES: Final = tuple(2**power for power in range(12, 25))  # 4 KiB to 16 MiB


@dataclass(frozen=True, slots=True)
class BlockCost:
    """Capacity for blocks of one size on a layout; `efficiency` is its part of the data drives."""

    block_bytes: int
    usable_bytes: int
    efficiency: float


def usable_at(layout: Layout, block_bytes: int) -> int:
    """Capacity for data of this block size; at 128 KiB as in `zfs list`."""
    return int(layout_space(layout).usable_bytes * relative(data_shares(layout), block_bytes))


def data_shares(layout: Layout) -> list[tuple[VdevShape, int, int]]:
    """Data vdevs by shape and ashift with the space of each in bytes, as `relative` takes them."""
    return [(vdev.shape, vdev.ashift, _data_bytes(vdev)) for vdev in layout.of_class(DATA)]


def relative(shares: Iterable[tuple[VdevShape, int, int]], block_bytes: int) -> Fraction:
    """Capacity for a block size relative to 128 KiB.

    `shares` are the vdevs by shape and ashift, with each one's fraction of the space.
    """
    total, fits = 0, Fraction(0)
    for shape, ashift, share in shares:
        usual = allocated_bytes(shape, ashift, DEFLATED_BLOCK)
        taken = allocated_bytes(shape, ashift, block_bytes)
        total += share
        fits += share * Fraction(block_bytes * usual, taken * DEFLATED_BLOCK)
    return fits / total if total else Fraction(0)


def block_costs(layout: Layout, sizes: Iterable[int] = BLOCK_SIZES) -> tuple[BlockCost, ...]:
    """Capacity for each of these block sizes."""
    usable = ((size, usable_at(layout, size)) for size in sizes)
    return tuple(BlockCost(size, space, space / layout.raw_bytes) for size, space in usable)


def _data_bytes(vdev: PlannedVdev) -> int:
    space = vdev_space(vdev)
    return space.deflated_bytes - space.log_bytes

"""Sizes of vdevs: asize, ashift, deflate ratio, and bytes to expand by."""

from __future__ import annotations

from typing import Final

from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.pools_and_vdevs import PracticeVdev

_TYPICAL_BLOCK: Final = 1 << 17
_L2_HEADER: Final = 4096  # bytes of a cache device that hold no data
_MOST_AUTO_ASHIFT: Final = 14


def partition_bytes(leaf: PracticeVdev) -> int:
    """The size of the data partition of a leaf."""
    if leaf.kind == "dspare":
        return leaf.asize
    return leaf.disk.data_bytes if leaf.disk else 0


def auto_ashift(disk: PracticeDisk) -> int:
    """The ashift that ZFS chooses for a drive by itself."""
    return min(_MOST_AUTO_ASHIFT, max(9, disk.sectors[1].bit_length() - 1))


def measure(top: PracticeVdev, ashift: int = 12) -> None:
    """Number the children of a top-level vdev and find its size and deflate ratio."""
    for index, child in enumerate(top.children):
        child.vdev_id = index
    for vdev in top.walk():
        vdev.ashift = ashift
    top.asize = asize_of(top, min(space_formulas.leaf_asize(partition_bytes(leaf)) for leaf in top.leaves()))
    top.ms_shift = space_formulas.metaslab_shift(top.asize)
    top.ratio = 512
    width = len(top.children)
    if top.draid is not None:
        allocation = space_formulas.draid_allocation(_TYPICAL_BLOCK, ashift, top.draid.data, top.parity)
        top.ratio = space_formulas.deflate_ratio(allocation)
    elif top.kind == "raidz":
        top.ratio = space_formulas.deflate_ratio(
            space_formulas.raidz_allocation(_TYPICAL_BLOCK, ashift, width, top.parity)
        )


def asize_of(top: PracticeVdev, smallest: int) -> int:
    """The asize of a top-level vdev whose smallest device offers `smallest` bytes."""
    if top.draid is not None:
        group = top.draid.data + top.parity
        return space_formulas.draid_asize(smallest, len(top.children), top.draid.spares, group)
    return smallest * len(top.children) if top.kind == "raidz" else smallest


def expandable(top: PracticeVdev) -> int:
    """Bytes by which a vdev could grow, since all its drives are larger than when it was made."""
    disks = [leaf.disk for leaf in top.leaves() if leaf.kind == "disk"]
    if top.is_expanding or not disks or any(disk is None for disk in disks):
        return 0
    sizes = [
        space_formulas.data_partition(disk.size)[1] * space_formulas.SECTOR
        for disk in disks
        if disk is not None
    ]
    grown = asize_of(top, space_formulas.leaf_asize(min(sizes))) - top.asize
    return max(0, grown >> top.ms_shift << top.ms_shift)


def cache_bytes(leaf: PracticeVdev) -> int:
    """Bytes that a cache device holds."""
    return space_formulas.leaf_asize(partition_bytes(leaf)) - _L2_HEADER

"""Overhead of volumes: the parity and padding of small blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_layouts.layout import DATA, DRAID, RAIDZ, STRIPE, VdevShape
from zconsole.analysis.pool_layouts.usable_space_by_block_size import relative
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.pools.pool import Pool, Vdev

DEFAULT_VOLBLOCKSIZE: Final = 16384  # since OpenZFS 2.2; 8 KiB before, with more padding
_INDIRECT_BYTES: Final = 1 << 17  # DN_MAX_INDBLKSHIFT
_POINTERS: Final = 1 << 10  # in an indirect block
_METADNODE_LEVELS: Final = 7
_BLOCKS: Final = 1 << 20  # enough for the ratio of two pools
_METADATA_COPIES: Final = 2  # of data with one copy
_DRAID: Final = re.compile(r"draid(\d):(\d{1,3})d:(\d{1,3})c:(\d{1,3})s", re.ASCII)


def taken_by_blocks(pool: Pool, data_bytes: int, block_bytes: int) -> int | None:
    """Space in `zfs list` terms of data in blocks of one size; None when unknown.

    `zfs list` assumes blocks of 128 KiB; on raidz and draid smaller ones take more, because of parity and
    padding per block.
    """
    try:
        shares = list(_shares(pool))
    except (UsageError, ValueError):
        return None
    fits = relative(shares, block_bytes) if shares and block_bytes > 0 else Fraction(0)
    return int(data_bytes / fits) if fits else None


def data_in_other_pool(dataset: Dataset, pool: Pool | None, other: Pool | None) -> int | None:
    """About what REFER of a dataset becomes once its blocks are in another pool; None when unknown.

    A block has its full size divided by the mean ratio of compression; on raidz and draid the parity and the
    padding of such blocks are counted in `zfs list` as far as they exceed those of 128 KiB.
    """
    full = dataset.volblocksize_bytes or dataset.recordsize_bytes
    if pool is None or other is None or not full or dataset.referenced_bytes is None:
        return None
    block = max(1, int(full / max(1.0, dataset.compress_ratio or 1.0)))
    here, there = (taken_by_blocks(each, block * _BLOCKS, block) for each in (pool, other))
    return dataset.referenced_bytes * there // here if here and there else None


def reserved_for_volume(pool: Pool | None, size_bytes: int, block_bytes: int | None) -> int:
    """The refreservation of a thick volume of one copy: its data, and the tree of blocks that leads to it.

    zvol_volsize_to_reservation() of libzfs (libzfs_dataset.c).
    """
    block = block_bytes or DEFAULT_VOLBLOCKSIZE
    blocks, indirect = size_bytes // block, _METADNODE_LEVELS
    while blocks > 1:
        blocks = -(-blocks // _POINTERS)
        indirect += blocks
    taken = taken_by_blocks(pool, size_bytes, block) if pool is not None else None
    return max(size_bytes, taken or 0) + indirect * _METADATA_COPIES * _INDIRECT_BYTES


def _shares(pool: Pool) -> Iterator[tuple[VdevShape, int, int]]:
    """Data vdevs: shape, ashift and size. Raises ValueError when one is unknown."""
    for vdev in pool.of_class(DATA):
        ashift = ashift_of(vdev) or pool.ashift
        if not ashift:
            raise ValueError(f"the ashift of {vdev.name} is not known")
        yield _shape(vdev), ashift, vdev.size_bytes or 1


def _shape(vdev: Vdev) -> VdevShape:
    """The shape for allocation; of a mirror one copy counts."""
    if vdev.type.startswith(RAIDZ):
        return VdevShape(RAIDZ, len(vdev.children), int(vdev.type.removeprefix(RAIDZ) or 1))
    if vdev.type.startswith(DRAID):
        found = _DRAID.match(vdev.name)
        if found is None:
            raise ValueError(f"not the name of a draid: {vdev.name}")
        parity, data, children, spares = map(int, found.groups())
        return VdevShape(DRAID, children, parity, data, spares)
    return VdevShape(STRIPE, 1)

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
from zconsole.model.pools.pool import Pool, Vdev

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

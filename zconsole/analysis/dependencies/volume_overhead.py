"""Overhead of volumes: space required for a snapshot, and padding of small blocks.

A refreservation guarantees that a volume or file system can be rewritten completely. A snapshot keeps the
existing blocks, so the same space must be available outside the reservation:
`dsl_dataset_snapshot_reserve_space` requires min(unique, refreservation) of each dataset, where unique is
what no snapshot has yet: WRITTEN. A sparse volume has no such reservation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_layouts.layout import DATA, DRAID, RAIDZ, STRIPE, VdevShape
from zconsole.analysis.pool_layouts.space_at_block_size import relative
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.pools.pool import Pool, Vdev

_DRAID: Final = re.compile(r"draid(\d):(\d{1,3})d:(\d{1,3})c:(\d{1,3})s", re.ASCII)


@dataclass(frozen=True, slots=True)
class SnapshotNeed:
    """Space required at once by a snapshot of a dataset; bytes."""

    needs_bytes: int
    room_bytes: int | None  # available outside its own reservation; None is unknown

    @property
    def is_possible(self) -> bool:
        """Whether ZFS has enough; True when unknown."""
        return self.room_bytes is None or self.needs_bytes <= self.room_bytes


def snapshot_need(dataset: Dataset) -> SnapshotNeed:
    """Required and available space for a snapshot, from the dataset's listing."""
    written = dataset.written_bytes if dataset.written_bytes is not None else dataset.used_by_dataset_bytes
    needs = min(written or 0, dataset.refreservation_bytes or 0)
    room = None if _is_at_refquota(dataset) else dataset.available_bytes
    if room is not None:
        room = max(0, room - (dataset.used_by_refreservation_bytes or 0))  # AVAIL includes it
    return SnapshotNeed(needs, room)


def _is_at_refquota(dataset: Dataset) -> bool:
    """Whether its AVAIL is limited by its refquota, which does not apply to a snapshot."""
    if not dataset.refquota_bytes or dataset.referenced_bytes is None:
        return False
    return dataset.available_bytes == max(0, dataset.refquota_bytes - dataset.referenced_bytes)


def is_sparse(dataset: Dataset) -> bool | None:
    """Whether a volume has no reservation; None for other types, and when unknown."""
    if dataset.type != "volume" or dataset.refreservation_bytes is None:
        return None
    return dataset.refreservation_bytes == 0


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

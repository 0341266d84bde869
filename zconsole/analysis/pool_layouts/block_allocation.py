"""Allocated size of one block: parity and padding are per block, not per vdev.

`vdev_raidz_psize_to_asize` (module/zfs/vdev_raidz.c) and `vdev_draid_psize_to_asize` (vdev_draid.c).
"""

from __future__ import annotations

from zconsole.analysis.pool_layouts.layout import DRAID, RAIDZ, VdevShape


def allocated_bytes(shape: VdevShape, ashift: int, block_bytes: int) -> int:
    """Allocation of a compressed block of this size; of mirrors one copy counts."""
    sectors = -(-block_bytes >> ashift)
    if shape.kind == DRAID:
        return -(-sectors // shape.data) * shape.group_width << ashift
    if shape.kind == RAIDZ:
        sectors += shape.parity * -(-sectors // (shape.width - shape.parity))
        sectors = -(-sectors // (shape.parity + 1)) * (shape.parity + 1)
    return sectors << ashift


def efficiency(shape: VdevShape, ashift: int, block_bytes: int) -> float:
    """Data fraction of a block's total allocation: 0.5 for a two-disk mirror."""
    copies = shape.width if shape.kind not in (RAIDZ, DRAID) else 1
    return block_bytes / (copies * allocated_bytes(shape, ashift, block_bytes))


def share_of_disks(shape: VdevShape, ashift: int, block_bytes: int) -> float:
    """Data per byte of the disks, with those that a draid keeps as distributed spares."""
    return efficiency(shape, ashift, block_bytes) * (shape.width - shape.spares) / shape.width

"""How much of a vdev does one block take? Parity and padding are by the block, not by the vdev.

`vdev_raidz_psize_to_asize` (module/zfs/vdev_raidz.c) and `vdev_draid_psize_to_asize` (vdev_draid.c).
"""

from __future__ import annotations

from zconsole.analysis.pool_layouts.layout import DRAID, RAIDZ, VdevShape


def allocated_bytes(shape: VdevShape, ashift: int, block_bytes: int) -> int:
    """Return what a block of this size, after compression, allocates; of mirrors one copy is counted."""
    sectors = -(-block_bytes >> ashift)
    if shape.kind == DRAID:
        return -(-sectors // shape.data) * shape.group_width << ashift
    if shape.kind == RAIDZ:
        sectors += shape.parity * -(-sectors // (shape.width - shape.parity))
        sectors = -(-sectors // (shape.parity + 1)) * (shape.parity + 1)
    return sectors << ashift


def efficiency(shape: VdevShape, ashift: int, block_bytes: int) -> float:
    """Return the part of what a block takes on all disks that is data: a two-disk mirror has 0.5."""
    copies = shape.width if shape.kind not in (RAIDZ, DRAID) else 1
    return block_bytes / (copies * allocated_bytes(shape, ashift, block_bytes))

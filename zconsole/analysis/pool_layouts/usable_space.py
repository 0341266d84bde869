"""Space of a new pool to the byte: SIZE of `zpool list`, USED + AVAIL of its root dataset.

The arithmetic of OpenZFS since 2.1: `vdev_open`, `vdev_metaslab_set_size` and `vdev_metaslab_init`
(module/zfs/vdev.c), `vdev_draid_open` and `vdev_draid_metaslab_init` (vdev_draid.c),
`vdev_set_deflate_ratio`, `spa_get_slop_space` and `spa_update_dspace` (spa_misc.c).
Verified with real pools in tests/captures/capacity.tsv.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Final

from zconsole.analysis.pool_layouts.block_allocation import allocated_bytes
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DRAID,
    KEEPERS,
    RAIDZ,
    SPECIAL,
    Layout,
    PlannedVdev,
    VdevShape,
)
from zconsole.base.lazy_dataclass import dataclass

MIB: Final = 2**20
GIB: Final = 2**30
SECTOR: Final = 512  # SPA_MINBLOCKSIZE, the unit of deflated space
DEFLATED_BLOCK: Final = 128 * 1024  # SPA_OLD_MAXBLOCKSIZE: block size to which the deflate ratio refers
_LABEL: Final = 256 * 1024  # sizeof (vdev_label_t): leaf sizes are rounded down to it
_LABELS_BYTES: Final = 4 * MIB + 2 * _LABEL  # two labels and the boot block in front, two labels at the end
_ROW_BYTES: Final = 16 * MIB  # VDEV_DRAID_ROWHEIGHT
_REFLOW_BYTES: Final = 32 * MIB  # VDEV_DRAID_REFLOW_RESERVE
_FEWEST_METASLABS: Final = 16  # zfs_vdev_min_ms_count
_USUAL_METASLABS: Final = 200  # zfs_vdev_default_ms_count
_MOST_METASLABS: Final = 1 << 17  # zfs_vdev_ms_count_limit
_USUAL_SHIFT: Final = 29  # zfs_vdev_default_ms_shift
_LEAST_SHIFT: Final = 24  # SPA_MAXBLOCKSHIFT
_MOST_SHIFT: Final = 34  # zfs_vdev_max_ms_shift
_SPECIAL_LOG_SINCE: Final = (2, 4)
_EMBEDDED_LOG_ABOVE: Final = 64  # zfs_embedded_slog_min_ms
_SLOP_SHIFT: Final = 5  # spa_slop_shift
_LEAST_SLOP: Final = 128 * MIB  # spa_min_slop
_MOST_SLOP: Final = 128 * GIB  # spa_max_slop


@dataclass(frozen=True, slots=True)
class VdevSpace:
    """Space of a top-level vdev. `asize_bytes` and `size_bytes` include parity.

    `deflated_bytes` is `size_bytes` without parity, for blocks of 128 KiB; with more than 64 metaslabs, one
    of them, `log_bytes`, is reserved for the embedded intent log.
    """

    asize_bytes: int
    metaslab_shift: int
    metaslabs: int
    size_bytes: int
    deflate_ratio: int
    log_size_bytes: int = 0

    @property
    def deflated_bytes(self) -> int:
        """Total deflated space, the intent log's metaslab included."""
        return self.size_bytes // SECTOR * self.deflate_ratio

    @property
    def log_bytes(self) -> int:
        """Deflated space of the embedded intent log."""
        return self.log_size_bytes // SECTOR * self.deflate_ratio


@dataclass(frozen=True, slots=True)
class PoolSpace:
    """Space of an empty pool.

    `size_bytes` is SIZE of `zpool list`; `usable_bytes` is USED + AVAIL of the root dataset.
    """

    size_bytes: int
    deflated_bytes: int
    embedded_log_bytes: int
    slop_bytes: int

    @property
    def usable_bytes(self) -> int:
        """Usable space, as in `zfs list`."""
        return self.deflated_bytes - self.slop_bytes


def layout_space(layout: Layout) -> PoolSpace:
    """Space of a new pool of this layout."""
    spaces = ((vdev.vdev_class, vdev_space(vdev)) for vdev in layout.keepers)
    return pool_space(spaces, has_special_log=layout.release >= _SPECIAL_LOG_SINCE)


def pool_space(vdevs: Iterable[tuple[str, VdevSpace]], *, has_special_log: bool = True) -> PoolSpace:
    """Space of a pool of these vdevs with their classes; log, cache and spare add nothing.

    Special and dedup vdevs count in SIZE but not in `zfs list`. OpenZFS of 2026 (pull request 18222; in 2.3.9
    and 2.4.4) adds what is allocated on them: some hundred KiB in a new pool. Since 2.4 special vdevs with
    more than 64 metaslabs have an embedded log as well, which counts towards the slop.
    """
    size = deflated = log = special_log = 0
    for vdev_class, space in vdevs:
        if vdev_class in KEEPERS:
            size += space.size_bytes
        if vdev_class == DATA:
            deflated += space.deflated_bytes - space.log_bytes
            log += space.log_bytes
        elif vdev_class == SPECIAL and has_special_log:
            special_log += space.log_bytes
    return PoolSpace(size, deflated, log, slop_bytes(deflated, log + special_log))


def slop_bytes(deflated_bytes: int, embedded_log_bytes: int) -> int:
    """Slop space: 1/32, at most 128 GiB and at least 128 MiB, less the embedded log."""
    slop = min(deflated_bytes >> _SLOP_SHIFT, _MOST_SLOP)
    slop -= min(embedded_log_bytes, slop >> 1)
    return max(slop, min(deflated_bytes >> 1, _LEAST_SLOP))


def slop_of_usable(usable_bytes: int) -> int:
    """Slop space of a pool of which only USED + AVAIL is known, without its embedded log: about."""
    return min(max(usable_bytes // ((1 << _SLOP_SHIFT) - 1), _LEAST_SLOP), _MOST_SLOP)


def vdev_space(vdev: PlannedVdev) -> VdevSpace:
    """Space of a new vdev."""
    asize = asize_bytes(vdev.shape, min(drive.device_bytes for drive in vdev.drives))
    return space_of(vdev.shape, vdev.ashift, asize)


def space_of(
    shape: VdevShape,
    ashift: int,
    asize: int,
    *,
    metaslab_shift: int | None = None,
    deflate_ratio: int | None = None,
) -> VdevSpace:
    """Space of a vdev of `asize` bytes.

    A grown vdev keeps its metaslab size, and an expanded raidz its original deflate ratio; they are arguments
    then.
    """
    shift = metaslab_shift if metaslab_shift is not None else _metaslab_shift(asize)
    count = asize >> shift
    ratio = deflate_ratio if deflate_ratio is not None else ratio_of(shape, ashift)
    unit = shape.group_width << ashift if shape.kind == DRAID else SECTOR
    log = (1 << shift) // unit * unit if count > _EMBEDDED_LOG_ABOVE else 0
    return VdevSpace(asize, shift, count, _aligned(1 << shift, count, unit), ratio, log)


def ratio_of(shape: VdevShape, ashift: int) -> int:
    """Deflate ratio: data in 512ths of a 128 KiB block."""
    return DEFLATED_BLOCK // (allocated_bytes(shape, ashift, DEFLATED_BLOCK) // SECTOR)


def asize_bytes(shape: VdevShape, device_bytes: int) -> int:
    """Allocatable bytes of a vdev, parity included, from the size of its smallest device."""
    leaf = device_bytes // _LABEL * _LABEL - _LABELS_BYTES
    if shape.kind == RAIDZ:
        return leaf * shape.width
    if shape.kind != DRAID:
        return leaf
    child = max(0, leaf - _REFLOW_BYTES) // _ROW_BYTES * _ROW_BYTES
    group = shape.group_width * _ROW_BYTES
    return child * (shape.width - shape.spares) // group * group


def _metaslab_shift(asize: int) -> int:
    count = asize >> _USUAL_SHIFT
    shift = _USUAL_SHIFT
    if count < _FEWEST_METASLABS:
        shift = (asize // _FEWEST_METASLABS).bit_length()
    elif count > _USUAL_METASLABS:
        shift = (asize // _USUAL_METASLABS).bit_length()
    if shift < _LEAST_SHIFT:
        return _LEAST_SHIFT
    if shift > _MOST_SHIFT:
        shift = _MOST_SHIFT
        if asize >> shift > _MOST_METASLABS:
            shift = (asize // _MOST_METASLABS).bit_length()
    return shift


def _aligned(metaslab: int, count: int, unit: int) -> int:
    """Sum of `count` metaslabs, each cut to whole units that start at a whole unit.

    Closed form: the ends telescope, and all but every g-th start cost a unit.
    """
    whole = metaslab * count // unit
    every = unit // gcd(unit, metaslab)
    return (whole - (count - -(-count // every))) * unit

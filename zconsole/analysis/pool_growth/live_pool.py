"""Planner's model of a live pool: shape and space of each vdev, fitted to its reported sizes.

ZFS reports neither the metaslab size nor the width at which a raidz was created, which its deflate ratio
keeps. Both are found by search: the values for which `usable_space` yields the SIZE of each vdev and comes
nearest to USED + AVAIL of the pool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from zconsole.analysis.pool_layouts.drive_size import SMALLEST_BYTES
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DEFAULT_ASHIFT,
    DRAID,
    KEEPERS,
    MIRROR,
    RAIDZ,
    STRIPE,
    VdevShape,
)
from zconsole.analysis.pool_layouts.usable_space import (
    SECTOR,
    PoolSpace,
    VdevSpace,
    asize_bytes,
    pool_space,
    space_of,
)
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES, in_words, pool_redundancy
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Pool, Vdev

MOST_TRIED: Final = 4096  # combinations of original widths of all raidz vdevs
_SMALLEST_SHIFT: Final = 24
_RAIDZ: Final = re.compile(r"raidz([123])")
_DRAID: Final = re.compile(r"draid([123]):(\d{1,3})d:(\d{1,3})c:(\d{1,3})s(?:-\d{1,9})?", re.ASCII)
_TEMPORARY: Final = frozenset({"replacing", "spare"})


@dataclass(frozen=True, slots=True)
class LiveVdev:
    """Existing top-level vdev. `device_bytes` is None when ZFS does not report its devices' size."""

    vdev: Vdev
    shape: VdevShape
    ashift: int
    space: VdevSpace
    device_bytes: int | None

    @property
    def name(self) -> str:
        """The name in `zpool status`."""
        return self.vdev.name

    @property
    def used(self) -> float:
        """Allocated fraction, 0 to 1."""
        return (self.vdev.allocated_bytes or 0) / self.space.size_bytes


@dataclass(frozen=True, slots=True)
class LivePool:
    """Live pool. `offset_bytes` is the difference to the computed space.

    It is what deduplication, clones and special vdevs save or hold, less a checkpoint, and is carried over to
    every what-if. `is_exact` says that the computation matches SIZE and usable space to the byte.
    """

    pool: Pool
    vdevs: tuple[LiveVdev, ...]
    offset_bytes: int

    @property
    def spaces(self) -> list[tuple[str, VdevSpace]]:
        """The vdevs' spaces with their classes, as arguments of `pool_space`."""
        return [(each.vdev.vdev_class, each.space) for each in self.vdevs]

    @property
    def data_shares(self) -> list[tuple[VdevShape, int, int]]:
        """Data vdevs by shape and ashift with the space of each in bytes, for the cost of a block size."""
        return [
            (each.shape, each.ashift, each.space.deflated_bytes - each.space.log_bytes)
            for each in self.vdevs
            if each.vdev.vdev_class == DATA
        ]

    @property
    def space(self) -> PoolSpace:
        """The computed space of the pool."""
        return pool_space(self.spaces)

    @property
    def is_exact(self) -> bool:
        """Whether the computation matches exactly."""
        return not self.offset_bytes and self.space.size_bytes == self.pool.size_bytes

    @property
    def usable_bytes(self) -> int:
        """USED + AVAIL of the root dataset."""
        return self.space.usable_bytes + self.offset_bytes

    @property
    def reserved_bytes(self) -> int:
        """Of USED, what refreservations keep and nothing is written to: more than the vdevs hold.

        What deduplication and clones save is more as well, and is part of `offset_bytes`.
        """
        held = sum(
            (each.vdev.allocated_bytes or 0) // SECTOR * each.space.deflate_ratio for each in self.vdevs
        )
        return max(0, (self.pool.usable_used_bytes or 0) - held - max(0, self.offset_bytes))

    def named(self, name: str) -> LiveVdev:
        """The vdev with this name. Raises UsageError when there is none."""
        for each in self.vdevs:
            if each.name == name:
                return each
        names = ", ".join(each.name for each in self.vdevs)
        raise UsageError(f"{self.pool.name} has no data vdev {name}", hint=f"It has {names}.")

    def usable_with(self, spaces: Iterable[tuple[str, VdevSpace]]) -> tuple[int, int]:
        """SIZE and usable space of the pool with these vdevs."""
        made = pool_space(spaces)
        return made.size_bytes, made.usable_bytes + self.offset_bytes


def today(pool: Pool) -> LivePool:
    """The planner's model of a live pool. Raises UsageError when too little is known."""
    tops = [top for top in pool.vdevs if top.vdev_class in KEEPERS and top.type not in WITHOUT_DEVICES]
    usable = pool.usable_bytes
    if not tops or usable is None:
        raise UsageError(f"too little is known of the space of {pool.name}")
    choices = [tuple(_possible(top, pool.ashift or DEFAULT_ASHIFT)) for top in tops]
    vdevs = min(
        islice(product(*choices), MOST_TRIED),
        key=lambda vdevs: abs(_usable(vdevs) - usable),
    )
    return LivePool(pool, vdevs, usable - _usable(vdevs))


def shape_of(top: Vdev) -> VdevShape | None:
    """The shape of a live top-level vdev; None for an unknown type, and for one that ZFS cannot have made."""
    try:
        return _shape_of(top)
    except UsageError:  # a raidz2 of two, as a host may say
        return None


def _shape_of(top: Vdev) -> VdevShape | None:
    if top.is_leaf or top.type in _TEMPORARY:
        return VdevShape(STRIPE, 1)
    width = len(top.children)
    if top.type == MIRROR:
        return VdevShape(MIRROR, width) if width > 1 else VdevShape(STRIPE, 1)
    if found := _RAIDZ.fullmatch(top.type):
        return VdevShape(RAIDZ, width, int(found[1]))
    if found := _DRAID.fullmatch(top.name):
        parity, data, children, spares = map(int, found.groups())
        return VdevShape(DRAID, children, parity, data, spares)
    return None


def _usable(vdevs: Iterable[LiveVdev]) -> int:
    return pool_space((each.vdev.vdev_class, each.space) for each in vdevs).usable_bytes


def _possible(top: Vdev, pool_ashift: int) -> Iterator[LiveVdev]:
    """Possible histories of a vdev: as created, or expanded since; at least one."""
    shape = shape_of(top)
    if shape is None or top.size_bytes is None:
        raise UsageError(f"too little is known of the space of {top.name}")
    known = (each.configured_ashift for each in top.walk() if each.configured_ashift)
    ashift = next(known, pool_ashift)
    sizes = [leaf.physical_bytes for leaf in top.leaves() if leaf.physical_bytes is not None]
    device = min(sizes) if sizes else None
    asize = top.size_bytes if device is None else max(top.size_bytes, asize_bytes(shape, device))
    for first in _first_shapes(shape, is_data=top.vdev_class == DATA):
        made = asize if device is None else asize_bytes(first, device)
        fresh = space_of(first, ashift, max(made, SMALLEST_BYTES))
        yield LiveVdev(top, shape, ashift, _grown(fresh, shape, ashift, asize, size=top.size_bytes), device)


def _first_shapes(shape: VdevShape, *, is_data: bool) -> Iterator[VdevShape]:
    """Shapes with which a vdev may have been created, the present one first."""
    yield shape
    if shape.kind == RAIDZ and is_data:
        for width in range(shape.width - 1, shape.parity, -1):
            yield VdevShape(RAIDZ, width, shape.parity)


def _grown(fresh: VdevSpace, shape: VdevShape, ashift: int, asize: int, *, size: int) -> VdevSpace:
    """The space that matches a SIZE: original metaslabs, or smaller ones if the vdev has grown."""
    usual, ratio = fresh.metaslab_shift, fresh.deflate_ratio
    for shift in range(usual, _SMALLEST_SHIFT - 1, -1):
        found = space_of(shape, ashift, asize, metaslab_shift=shift, deflate_ratio=ratio)
        if found.size_bytes == size:
            return found
    return VdevSpace(asize, usual, size >> usual, size, ratio, fresh.log_size_bytes)


def not_whole(now: LivePool) -> Iterator[str]:
    """Why no disk can be spared at present: vdevs that have lost redundancy, or are being resilvered."""
    weak = [in_words(each) for each in pool_redundancy(now.pool) if each.left < each.by_design]
    if weak:
        yield f"not now: {'; '.join(weak)}. Repair that first: no disk of it can be spared"

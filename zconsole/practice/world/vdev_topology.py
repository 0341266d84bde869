"""Sizes of vdevs, and new pools and vdevs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from zconsole.practice.world import asize_of_disk
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.feature_flags import FEATURES, FROM_THE_START
from zconsole.practice.world.host_world import CREATING, KERNEL, KERNEL_BUILD, SOFTWARE, World
from zconsole.practice.world.pools_and_vdevs import Draid, PracticePool, PracticeVdev

_TYPICAL_BLOCK: Final = 1 << 17
_L2_HEADER: Final = 4096  # bytes of a cache device that hold no data
_MOST_AUTO_ASHIFT: Final = 14
FRESH: Final = 311_296  # bytes that a new pool has allocated on each vdev for metadata, more or less


@dataclass(slots=True)
class Spec:
    """A new tree before it belongs to a pool."""

    tops: list[PracticeVdev] = field(default_factory=list)
    spares: list[PracticeVdev] = field(default_factory=list)
    caches: list[PracticeVdev] = field(default_factory=list)

    def leaves(self) -> list[PracticeVdev]:
        """Every device of it."""
        return [*(leaf for top in self.tops for leaf in top.leaves()), *self.spares, *self.caches]


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
    top.asize = asize_of(top, min(asize_of_disk.leaf_asize(partition_bytes(leaf)) for leaf in top.leaves()))
    top.ms_shift = asize_of_disk.metaslab_shift(top.asize)
    top.ratio = 512
    width = len(top.children)
    if top.draid is not None:
        allocation = asize_of_disk.draid_allocation(_TYPICAL_BLOCK, ashift, top.draid.data, top.parity)
        top.ratio = asize_of_disk.deflate_ratio(allocation)
    elif top.kind == "raidz":
        top.ratio = asize_of_disk.deflate_ratio(
            asize_of_disk.raidz_allocation(_TYPICAL_BLOCK, ashift, width, top.parity)
        )


def asize_of(top: PracticeVdev, smallest: int) -> int:
    """The asize of a top-level vdev whose smallest device offers `smallest` bytes."""
    if top.draid is not None:
        group = top.draid.data + top.parity
        return asize_of_disk.draid_asize(smallest, len(top.children), top.draid.spares, group)
    return smallest * len(top.children) if top.kind == "raidz" else smallest


def expandable(top: PracticeVdev) -> int:
    """Bytes by which a vdev could grow, since all its drives are larger than when it was made."""
    disks = [leaf.disk for leaf in top.leaves() if leaf.kind == "disk"]
    if top.is_expanding or not disks or any(disk is None for disk in disks):
        return 0
    sizes = [
        asize_of_disk.data_partition(disk.size)[1] * asize_of_disk.SECTOR
        for disk in disks
        if disk is not None
    ]
    grown = asize_of(top, asize_of_disk.leaf_asize(min(sizes))) - top.asize
    return max(0, grown >> top.ms_shift << top.ms_shift)


def cache_bytes(leaf: PracticeVdev) -> int:
    """Bytes that a cache device holds."""
    return asize_of_disk.leaf_asize(partition_bytes(leaf)) - _L2_HEADER


def enlist(world: World, pool: PracticePool, spec: Spec) -> None:
    """Make new vdevs part of a pool; each gets the lowest number that is free."""
    for top in spec.tops:
        taken = {other.vdev_id for other in pool.root.children}
        top.vdev_id = next(number for number in range(len(taken) + 1) if number not in taken)
        pool.root.children.append(top)
        if top.draid is not None:
            pool.spares += _distributed_spares(world, top, top.draid)
    pool.root.children.sort(key=lambda top: top.vdev_id)
    for cache in spec.caches:
        cache.asize = cache_bytes(cache)
    pool.caches += spec.caches
    pool.spares += spec.spares
    for number, leaf in enumerate(pool.caches):
        leaf.vdev_id = number
    features = set(pool.active_features)
    features |= {"allocation_classes"} if pool.tops("special", "dedup") else set()
    features |= {"draid"} if any(top.draid for top in pool.present) else set()
    pool.active_features = frozenset(features)


def _distributed_spares(world: World, top: PracticeVdev, layout: Draid) -> list[PracticeVdev]:
    size = min(partition_bytes(leaf) for leaf in top.leaves())
    return [
        PracticeVdev(
            "dspare",
            world.guid(),
            vdev_class="spare",
            path=f"draid{top.parity}-{top.vdev_id}-{number}",
            asize=size,
        )
        for number in range(layout.spares)
    ]


def make_pool(
    world: World,
    name: str,
    spec: Spec,
    *,
    properties: Mapping[str, str] | None = None,
    at: float | None = None,
) -> PracticePool:
    """A pool of these vdevs, with its root dataset; `properties` are those of the dataset."""
    created = int(world.now if at is None else at)
    pool = PracticePool(name, PracticeVdev("root", world.guid()), created)
    enlist(world, pool, spec)
    pool.load_guid = world.guid()
    pool.imported_at = world.elapsed
    pool.hostname, pool.hostid, pool.accessed_at = world.hostname, world.hostid, created
    pool.active_features |= FROM_THE_START
    world.pools[name] = pool
    world.pools = dict(sorted(world.pools.items()))
    pool.datasets[name] = PracticeDataset(
        name,
        "filesystem",
        world.guid(),
        createtxg=1,
        creation=created,
        objset=54,
        properties=dict(properties or {}),
    )
    pool.next_object = 55
    return pool


def use_first(pool: PracticePool) -> None:
    """Allocate the metadata of a new pool, on its special vdevs if it has some."""
    for top in pool.tops("special") or pool.tops("normal"):
        top.allocated = FRESH


def record_creation(world: World, pool: PracticePool, *, at: float) -> None:
    """Write the first internal records and the first event of a new pool."""
    host = world.hostname
    build = f"{SOFTWARE}; uts {host} {KERNEL} {KERNEL_BUILD} x86_64"
    world.report(pool, "sysevent.fs.zfs.pool_create", at=at, context=CREATING)
    ashift = pool.properties.get("ashift")
    enabled = [feature for feature in FEATURES if feature not in pool.disabled_features]
    for internal, text in (
        ("create", f"pool version 5000; software version {build}"),
        *([("set", f"ashift={ashift}")] if ashift else []),
        *(("set", f"feature@{feature}=enabled") for feature in enabled),
    ):
        world.history_event(pool, internal, text, txg=4, at=at)

"""New pools, and vdevs that are added to a pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.feature_flags import FEATURES, FROM_THE_START
from zconsole.practice.world.host_world import CREATING, KERNEL, KERNEL_BUILD, SOFTWARE, World
from zconsole.practice.world.pools_and_vdevs import Draid, PracticePool, PracticeVdev
from zconsole.practice.world.vdev_sizes import cache_bytes, partition_bytes

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

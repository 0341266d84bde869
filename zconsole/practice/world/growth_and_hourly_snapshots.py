"""Pools that fill, and hourly snapshots that are taken and destroyed."""

from __future__ import annotations

from zconsole.practice.world.dataset_writes_and_snapshots import append, destroy_snapshot, sync, take_snapshot
from zconsole.practice.world.datasets import clones_of
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import Load, PracticePool

_HOUR_S = 3600
_GROWTH_RATIO = 1.3  # by which what is written compresses


def grow(pool: PracticePool, load: Load, span: float) -> None:
    """Fill the pool by the growth of its busiest dataset."""
    dataset = pool.datasets.get(load.grows)
    if dataset is None or load.growth <= 0:
        return
    wanted = load.growth * span + pool.unallocated
    amount = int(wanted) >> 12 << 12
    pool.unallocated = wanted - amount
    if not amount:
        return
    append(pool, dataset, amount, ratio=_GROWTH_RATIO)


def snapshots(world: World) -> None:
    """Take the hourly snapshots once an hour, and destroy the oldest."""
    hour = int(world.now) // _HOUR_S
    if hour == world.snapshot_hour:
        return
    world.snapshot_hour = hour
    name = world.stamp("autosnap_%Y-%m-%d_%H:%M:%S_hourly")
    for pool in world.pools.values():
        sync(pool)
        clones = clones_of(pool.datasets)
        for dataset in pool.datasets.values():
            if not dataset.hourlies:
                continue
            take_snapshot(world, pool, dataset, name)
            hourly = [snapshot for snapshot in dataset.snapshots if snapshot.name.endswith("_hourly")]
            for old in hourly[: max(0, len(hourly) - dataset.hourlies)]:
                if not old.holds and old not in clones:
                    destroy_snapshot(world, pool, old)

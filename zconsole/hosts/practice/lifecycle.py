"""What changes in the world by itself: scans move on, pools fill, snapshots come and go."""

from __future__ import annotations

from zconsole.hosts.practice.changes import append, destroy_snapshot, sync, take_snapshot
from zconsole.hosts.practice.dataset import clones_of
from zconsole.hosts.practice.tree import Load, Pool
from zconsole.hosts.practice.work import Scan
from zconsole.hosts.practice.world import World

_HOUR_S = 3600
_GROWTH_RATIO = 1.3  # by which what is written compresses


def scan(world: World, pool: Pool, span: float) -> None:
    """Move a running scrub or resilver on, and end it."""
    running = pool.scan
    if running is None or running.state != "SCANNING" or running.paused_at:
        return
    total = running.to_examine - running.skipped
    step = min(int(running.pace * span), total - running.issued)
    running.issued += step
    running.pass_issued += step
    running.examined = running.to_examine
    for leaf in pool.root.leaves():
        if leaf.is_resilvering:
            leaf.scan_processed += step
            running.processed += step
    for vdev in pool.root.walk():
        if vdev.kind in {"spare", "replacing"}:
            vdev.scan_processed = max(child.scan_processed for child in vdev.children)
    if running.issued >= total:
        _finish(world, pool, running)


def _finish(world: World, pool: Pool, running: Scan) -> None:
    running.state, running.end = "FINISHED", int(world.now)
    for leaf in pool.root.leaves():
        leaf.is_resilvering = False
    name = running.function.lower()
    extra = (("resilver_type", "healing"),) if running.function == "RESILVER" else ()
    txg = int(pool.txg)
    world.report(pool, f"sysevent.fs.zfs.{name}_finish", *extra)
    world.history_event(pool, "scan done", f"errors={running.errors}", txg=txg)
    world.report(pool, "sysevent.fs.zfs.config_sync")


def grow(pool: Pool, load: Load, span: float) -> None:
    """Fill the pool by what its busiest dataset keeps of what it writes."""
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
    """Take the hourly snapshots when the hour comes round, and let the oldest go."""
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

"""Start and abort of scrubs, resilvers and rebuilds."""

from __future__ import annotations

from typing import Final

from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan, Rebuild
from zconsole.practice.world.vdev_tree_changes import top_of

LEAST_MISSED: Final = 96 << 10  # bytes: something is written in every transaction group
FIRST_COPIED: Final = 4 << 10  # bytes that a device has received by the time the command returns
PACES: Final = {
    DriveKind.HDD: 140e6,
    DriveKind.SSD: 420e6,
    DriveKind.NVME: 1.4e9,
}  # bytes a second, one drive
_SEQUENTIAL: Final = 1.6  # times faster than a healing resilver


def pace_of(vdev: PracticeVdev) -> float:
    """Bytes a second at which a vdev is read or written from one end to the other."""
    paces = [PACES[leaf.disk.drive] / leaf.disk.slow_factor for leaf in vdev.leaves() if leaf.disk]
    return min(paces, default=PACES[DriveKind.HDD]) * vdev.data_columns


def start_resilver(world: World, pool: PracticePool) -> None:
    """Resilver every device that missed writes; one resilver runs at a time."""
    targets = [leaf for leaf in pool.root.leaves() if leaf.is_usable and leaf.missed]
    targets = [leaf for leaf in targets if not _is_rebuilding(pool, leaf)]
    scan = pool.scan
    if not targets or pool.is_suspended or pool.is_readonly:
        return
    if pool.resilver is not None:
        for leaf in targets:
            leaf.is_deferred = not leaf.is_resilvering
        return
    if scan is not None and scan.is_running:
        abort_scan(world, pool, scan)
    tops = [top for top in pool.present if any(leaf in targets for leaf in top.leaves())]
    wanted = sum(max(leaf.missed for leaf in top.leaves() if leaf in targets) for top in tops)
    scan = _begin(world, pool, "RESILVER", max(pool.allocated, wanted), min(map(pace_of, tops)))
    scan.skipped = max(0, pool.allocated - wanted)
    for leaf in targets:
        leaf.is_resilvering, leaf.is_deferred, leaf.scan_processed = True, False, FIRST_COPIED
    world.report(pool, "sysevent.fs.zfs.resilver_start", ("resilver_type", "healing"))
    pool.txg += 1.0
    world.history_event(pool, "scan setup", f"func=2 mintxg=3 maxtxg={int(pool.txg)}")


def _begin(world: World, pool: PracticePool, function: str, to_examine: int, pace: float) -> PracticeScan:
    now = int(world.now)
    pool.scan = PracticeScan(
        function, "SCANNING", start=now, to_examine=to_examine, pass_start=now, pace=pace
    )
    for vdev in pool.root.walk():
        vdev.scan_processed = 0
    return pool.scan


def _is_rebuilding(pool: PracticePool, leaf: PracticeVdev) -> bool:
    top = top_of(pool, leaf)
    return top is not None and top.rebuild is not None and top.rebuild.is_running and leaf.rebuilt > 0


def abort_scan(world: World, pool: PracticePool, scan: PracticeScan) -> None:
    """Stop a scrub or resilver for good."""
    scan.state, scan.end, scan.paused_at = "CANCELED", int(world.now), 0
    for leaf in pool.root.leaves():
        leaf.is_resilvering = False
    pool.txg += 1.0
    world.history_event(pool, "scan aborted", f"errors={scan.errors}")
    world.report(pool, f"sysevent.fs.zfs.{scan.function.lower()}_abort")


def start_scrub(world: World, pool: PracticePool) -> None:
    """Begin a scrub."""
    pace = sum(map(pace_of, pool.tops("normal"))) or PACES[DriveKind.HDD]
    _begin(world, pool, "SCRUB", pool.allocated, pace)
    pool.txg += 1.0
    world.report(pool, "sysevent.fs.zfs.scrub_start")
    world.history_event(pool, "scan setup", f"func=1 mintxg=0 maxtxg={int(pool.txg)}")


def start_rebuild(world: World, pool: PracticePool, top: PracticeVdev, leaf: PracticeVdev) -> None:
    """Begin a sequential resilver of a top-level vdev."""
    leaf.rebuilt = 1
    top.rebuild = Rebuild(
        "ACTIVE", int(world.now), total=max(1, top.allocated), pace=pace_of(top) * _SEQUENTIAL
    )
    pool.txg += 1.0
    world.history_event(pool, "rebuild", f"vdev_id={top.vdev_id} vdev_guid={top.guid} started")
    world.report(pool, "sysevent.fs.zfs.resilver_start", ("resilver_type", "sequential"))

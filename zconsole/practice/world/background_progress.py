"""Progress of background work as time passes, and the changes at its end."""

from __future__ import annotations

from typing import Final

from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import (
    Expansion,
    LeafActivity,
    PracticeScan,
    Rebuild,
    Removal,
)
from zconsole.practice.world.start_or_abort_scrub_and_resilver import PACES, start_resilver, start_scrub
from zconsole.practice.world.vdev_sizes import asize_of, partition_bytes
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states
from zconsole.practice.world.vdev_tree_changes import settle

_DISCARDED_A_SECOND: Final = 1 << 30  # bytes of a checkpoint
_BYTES_PER_MAPPING: Final = 405_000  # of moved data, for each byte of memory that its mapping takes


def move_on(world: World, pool: PracticePool, span: float, *, held: float = 1.0) -> None:
    """Advance all work by a span of time; a busy pool leaves a scan only the share `held` of its pace."""
    _scan(world, pool, span * held)
    for top in pool.present:
        if top.rebuild is not None and top.rebuild.is_running:
            _rebuild(world, pool, (top, top.rebuild), span)
    if pool.removal is not None and pool.is_removing:
        _remove(world, pool, pool.removal, span)
    if pool.expansion is not None and pool.is_expanding:
        _expand(world, pool, pool.expansion, span)
    for leaf in pool.leaves():
        if leaf.initialize is None and leaf.trim is None:
            continue
        for name in ("initialize", "trim"):
            activity: LeafActivity | None = getattr(leaf, name)
            if activity is not None and activity.is_running and leaf.is_usable:
                _activity(world, pool, (leaf, name, activity), span)
    if pool.discarding is not None:
        pool.discarding -= int(_DISCARDED_A_SECOND * span)
        if pool.discarding <= 0:
            finish_discard(world, pool)


def _scan(world: World, pool: PracticePool, span: float) -> None:
    running = pool.scan
    if running is None or not running.is_running or running.paused_at:
        return
    total = running.to_examine - running.skipped
    step = min(int(running.pace * span), total - running.issued)
    running.issued += step
    running.pass_issued += step
    running.examined = running.to_examine
    for top in pool.present:
        for leaf in top.leaves():
            if leaf.is_resilvering:
                leaf.scan_processed += step // top.data_columns
                running.processed += step // top.data_columns
    for vdev in pool.root.walk():
        if vdev.kind in {"spare", "replacing"}:
            vdev.scan_processed = max(child.scan_processed for child in vdev.children)
    if running.issued >= total:
        _finish_scan(world, pool, running)


def _finish_scan(world: World, pool: PracticePool, running: PracticeScan) -> None:
    running.state, running.end = "FINISHED", int(world.now)
    for leaf in pool.root.leaves():
        if leaf.is_resilvering and leaf.is_usable:
            leaf.missed = 0
        leaf.is_resilvering = False
    name = running.function.lower()
    extra = (("resilver_type", "healing"),) if running.function == "RESILVER" else ()
    txg = int(pool.txg)
    world.report(pool, f"sysevent.fs.zfs.{name}_finish", *extra)
    world.history_event(pool, "scan done", f"errors={running.errors}", txg=txg)
    if running.function == "SCRUB":
        pool.last_scrubbed_txg = txg
    settle(world, pool)
    derive_states(pool)
    world.report(pool, "sysevent.fs.zfs.config_sync")
    start_resilver(world, pool)


def _rebuild(world: World, pool: PracticePool, work: tuple[PracticeVdev, Rebuild], span: float) -> None:
    top, rebuild = work
    step = min(int(rebuild.pace * span), rebuild.total - rebuild.done)
    rebuild.done += step
    for leaf in top.leaves():
        if leaf.rebuilt:
            leaf.rebuilt += step // top.data_columns
    if rebuild.done < rebuild.total:
        return
    rebuild.state, rebuild.end = "COMPLETE", int(world.now)
    for leaf in top.leaves():
        if leaf.rebuilt and leaf.is_usable:
            leaf.missed = 0
        leaf.rebuilt = 0
    world.history_event(pool, "rebuild", f"vdev_id={top.vdev_id} vdev_guid={top.guid} complete")
    world.report(pool, "sysevent.fs.zfs.resilver_finish", ("resilver_type", "sequential"))
    settle(world, pool)
    derive_states(pool)
    if not pool.is_rebuilding:
        start_scrub(world, pool)  # a rebuild verifies nothing


def _remove(world: World, pool: PracticePool, removal: Removal, span: float) -> None:
    removal.copied = min(removal.to_copy, removal.copied + int(removal.pace * span))
    if removal.copied < removal.to_copy:
        return
    removal.state, removal.end = "FINISHED", int(world.now)
    removal.mapping_memory = max(1, removal.to_copy // _BYTES_PER_MAPPING)
    top = pool.top(removal.vdev_id)
    _spread(pool, top)
    for leaf in top.leaves():
        if leaf.disk is not None:
            leaf.disk.left_label = None
    top.kind, top.children, top.disk, top.path = "indirect", [], None, ""
    top.asize = top.allocated = top.ms_shift = 0
    top.vdev_class, top.is_removing = "normal", False
    pool.active_features |= {"device_removal", "obsolete_counts"}
    derive_states(pool)
    world.history_event(pool, "vdev remove completed", f"{pool.name} vdev {removal.vdev_id}")
    world.report(pool, "sysevent.fs.zfs.vdev_remove_dev")
    world.report(pool, "sysevent.fs.zfs.config_sync")


def _spread(pool: PracticePool, gone: PracticeVdev) -> None:
    """Move the allocated bytes of a removed vdev to the others of the normal class."""
    others = [top for top in pool.tops("normal") if top is not gone]
    left = gone.allocated
    for index, top in enumerate(others):
        room = top.size - top.allocated
        total = sum(other.size - other.allocated for other in others[index:]) or 1
        part = min(room, left * room // total >> 12 << 12) if index < len(others) - 1 else min(room, left)
        top.allocated += part
        left -= part


def _expand(world: World, pool: PracticePool, expansion: Expansion, span: float) -> None:
    top = pool.top(expansion.vdev_id)
    expansion.is_waiting = pool.resilver is not None or any(not leaf.is_current for leaf in top.leaves())
    if expansion.is_waiting:
        return
    expansion.reflowed = min(expansion.to_reflow, expansion.reflowed + int(expansion.pace * span))
    if expansion.reflowed < expansion.to_reflow:
        return
    expansion.state, expansion.end = "FINISHED", int(world.now)
    top.is_expanding = False
    old = space_formulas.leaf_asize(min(partition_bytes(leaf) for leaf in top.leaves()))
    top.asize = max(top.asize, asize_of(top, old))
    for leaf in top.leaves():
        leaf.missed = 0
    text = f"{pool.name} vdev {top.vdev_id} new width {len(top.children)}"
    world.history_event(pool, "raidz vdev expansion completed", text)
    world.report(pool, "sysevent.fs.zfs.config_sync")
    if pool.scan is None or not pool.scan.is_running:
        start_scrub(world, pool)


def _activity(
    world: World, pool: PracticePool, work: tuple[PracticeVdev, str, LeafActivity], span: float
) -> None:
    leaf, name, activity = work
    activity.done = min(activity.total, activity.done + int(activity.pace * span))
    if activity.done < activity.total:
        return
    activity.state, activity.at = "COMPLETE", int(world.now)
    world.history_event(pool, name, f"vdev={leaf.path} complete")
    world.report(pool, f"sysevent.fs.zfs.{name}_finish", ("vdev_guid", leaf.guid), ("vdev_path", leaf.path))


def finish_discard(world: World, pool: PracticePool) -> None:
    """The space of a checkpoint is free again."""
    pool.discarding = None
    for top in pool.present:
        top.checkpoint_space = 0
    pool.active_features -= {"zpool_checkpoint"}
    pool.txg += 1.0
    text = "finished discarding checkpointed state from the pool"
    world.history_event(pool, "spa discard checkpoint", text)


def pace_of_activity(leaf: PracticeVdev, name: str) -> float:
    """Bytes a second at which a device is initialized or trimmed."""
    pace = PACES[leaf.disk.drive if leaf.disk else DriveKind.HDD]
    return pace * 20 if name == "trim" else pace * 0.9

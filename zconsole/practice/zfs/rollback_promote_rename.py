"""`zfs rollback`, `promote` and `rename`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.practice.libvirt.storage_of_images import move_images, place_of_images
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import (
    overdrawn_by_promotion,
    promote,
    promotion_conflict,
    rename,
    subtree,
)
from zconsole.practice.world.dataset_writes_and_snapshots import roll_back, sync, tell
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.create_and_clone import create_ancestors
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS,
    DATASETS_AND_SNAPSHOTS,
    FILESYSTEMS,
    SNAPSHOTS,
    fault_of,
    name_of,
    open_dataset,
    open_snapshot,
    open_thing,
    place_for,
)
from zconsole.practice.zfs.dependents_in_destroy_order import dependents
from zconsole.practice.zfs.destroy import destroy_one
from zconsole.practice.zfs.mount_share import mountpoint, put_up, take_all_down

_MOST_LISTED: Final = 32  # snapshots and bookmarks that a refused rollback names


def rollback(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs rollback`."""
    call = RunningSubcommand(world, "rollback", args, "rRf")
    (name,) = call.exactly("missing dataset argument")
    pool, snapshot = open_snapshot(call, name)
    newer = list(_newer(snapshot))
    if not call.has("R"):
        _check_rollback(call, pool, name, newer)
    if call.has_failed():
        return call.reply()
    dataset = snapshot.dataset
    for thing in newer:
        _destroy_newer(call, pool, dataset, thing)
    if call.has_failed():
        return call.reply()
    if not may(world, pool, dataset.name, "rollback"):
        raise call.failed(f"cannot rollback '{dataset.name}': permission denied")
    roll_back(world, pool, snapshot)
    call.changed(pool)
    return call.reply()


def _newer(snapshot: Snapshot) -> Iterator[Snapshot | Bookmark]:
    """The snapshots and bookmarks that prevent a rollback."""
    dataset = snapshot.dataset
    yield from (kept for kept in dataset.snapshots if kept.createtxg > snapshot.createtxg)
    yield from (kept for kept in dataset.bookmarks if kept.createtxg > snapshot.createtxg)


def _check_rollback(
    call: RunningSubcommand, pool: PracticePool, name: str, newer: list[Snapshot | Bookmark]
) -> None:
    """Print the newer snapshots and bookmarks, or with -r their clones."""
    base = dataset_of(name)
    names = [kept.full_name if isinstance(kept, Snapshot) else f"{base}#{kept.name}" for kept in newer]
    if not call.has("r"):
        if names:
            call.complain(f"cannot rollback to '{name}': more recent snapshots or bookmarks exist")
            call.complain("use '-r' to force deletion of the following snapshots and bookmarks:")
        for listed in names[:_MOST_LISTED]:
            call.complain(listed)
        if len(names) >= _MOST_LISTED:
            call.complain(f"Output limited to {_MOST_LISTED} snapshots/bookmarks")
        return
    clones = [
        name_of(thing) for kept in newer if isinstance(kept, Snapshot) for thing in dependents(pool, kept)
    ]
    if clones:
        call.complain(f"cannot rollback to '{name}': clones of previous snapshots exist")
        call.complain("use '-R' to force deletion of the following clones and dependents:")
    for listed in clones:
        call.complain(listed)


def _destroy_newer(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, thing: Snapshot | Bookmark
) -> None:
    if isinstance(thing, Bookmark):
        dataset.bookmarks.remove(thing)
        return
    for dependent in dependents(pool, thing):
        destroy_one(call, pool, dependent)
    destroy_one(call, pool, thing)


def promote_clone(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs promote`."""
    call = RunningSubcommand(world, "promote", args, "")
    (name,) = call.exactly("missing clone filesystem argument")
    pool, dataset = open_dataset(call, name)
    words, origin = f"cannot promote '{name}'", dataset.origin
    if origin is None:
        raise call.failed(f"{words}: not a cloned filesystem")
    if not may(world, pool, name, "promote", "mount") or not may(world, pool, origin.full_name, "promote"):
        raise call.failed(f"{words}: permission denied")
    conflict = promotion_conflict(dataset, origin)
    if conflict is not None:
        raise call.failed(f"{words}: conflicting snapshot '{conflict}' from parent '{origin.full_name}'")
    if overdrawn_by_promotion(pool, dataset, origin):
        raise call.failed(f"{words}: out of space")
    promote(world, pool, dataset, origin)
    call.changed(pool)
    return call.reply()


def rename_thing(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs rename`."""
    call = RunningSubcommand(world, "rename", args, "pruf")
    source, target = call.exactly("missing source dataset argument", "missing target dataset argument")
    if call.has("r") and call.has("p"):
        raise call.misused("-p and -r options are mutually exclusive")
    if call.has("u") and call.has("p"):
        raise call.misused("-u and -p options are mutually exclusive")
    if call.has("r") and "@" not in source:
        raise call.misused("source dataset for recursive rename must be a snapshot")
    kinds = FILESYSTEMS if call.has("u") else DATASETS if call.has("p") else DATASETS_AND_SNAPSHOTS
    pool, thing = open_thing(call, source, kinds)
    if isinstance(thing, Snapshot):
        _rename_snapshots(call, pool, thing, target)
    elif isinstance(thing, PracticeDataset) and source != target:
        if call.has("p"):
            create_ancestors(call, target)
        _rename_dataset(call, pool, thing, target)
    return call.reply()


def _rename_dataset(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, target: str
) -> None:
    name, world = dataset.name, call.world
    words = f"cannot rename to '{target}'"
    goal = place_for(call, target, words)
    if goal is not pool:
        raise call.failed(f"{words}: datasets must be within same pool")
    if target.startswith(name + "/"):
        raise call.failed(f"{words}: New dataset name cannot be a descendant of current dataset name")
    words = f"cannot rename '{name}'"
    has_none = dataset.kind != "volume" and mountpoint(world, dataset) in {"none", "legacy"}
    mounted = take_all_down(call, subtree(pool, name)) if not call.has("u") and not has_none else []
    if mounted is None:
        return
    reason = None
    root = dataset.encryption_root
    if target in pool.datasets:
        reason = "dataset already exists"
    elif not may(world, pool, name, "rename", "mount") or not may(
        world, pool, parent_of(target), "create", "mount"
    ):
        reason = "permission denied"
    elif root not in {None, dataset, pool.datasets[parent_of(target)].encryption_root}:
        reason = "cannot move encrypted child outside of its encryption root"
    elif dataset.is_busy and dataset.kind == "volume":
        reason = "dataset is busy"
    if reason is None:
        before = [(kept, place_of_images(world, kept)) for kept in subtree(pool, name)]
        rename(world, pool, dataset, target)
        move_images(world, ((was, place_of_images(world, kept)) for kept, was in before))
        call.changed(pool)
    for kept in mounted:
        put_up(world, kept)
    if reason is not None:
        raise call.failed(f"{words}: {reason}")


def _rename_snapshots(call: RunningSubcommand, pool: PracticePool, snapshot: Snapshot, target: str) -> None:
    dataset, old = snapshot.dataset, snapshot.name
    base, at, name = target.partition("@")
    base, name = (base or dataset.name, name) if at else (dataset.name, target)
    words = f"cannot rename to '{target}'"
    if base != dataset.name:
        raise call.failed(f"{words}: snapshots must be part of same dataset")
    fault = fault_of(f"{base}@{name}", SNAPSHOTS, is_new=True)
    if fault is not None:
        raise call.failed(f"{words}: {fault}")
    holders = subtree(pool, base) if call.has("r") else [dataset]
    moving = [found for holder in holders if (found := holder.snapshot(old)) is not None]
    if name == old:
        return
    for kept in moving:
        reason = None
        if kept.dataset.snapshot(name) is not None:
            reason = "dataset already exists"
            if call.has("r"):
                reason = "a child dataset already has a snapshot with the new name"
        elif not may(call.world, pool, kept.full_name, "rename", "mount") or not may(
            call.world, pool, kept.dataset.name, "create", "mount"
        ):
            reason = "permission denied"
        if reason is not None:
            raise call.failed(f"cannot rename '{kept.full_name}': {reason}")
    sync(pool)
    for kept in moving:
        tell(call.world, pool, "rename", kept, f"-> @{name}")
        kept.name = name
        kept.dataset.snapshots_changed = int(call.world.now)
    call.changed(pool)

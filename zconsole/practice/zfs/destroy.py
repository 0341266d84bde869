"""`zfs destroy`: datasets, snapshots by lists and ranges, bookmarks, and dry runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.model.dataset_names import dataset_of
from zconsole.practice.libvirt.storage_of_images import lose_images
from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import beneath, destroy_dataset
from zconsole.practice.world.dataset_writes_and_snapshots import defer_destruction, destroy_snapshot, sync
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot, clones_of
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import freed_by_range, ranges
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS,
    SNAPSHOTS,
    kind_of,
    look_up,
    name_of,
    open_dataset,
    pool_of,
)
from zconsole.practice.zfs.dependents_in_destroy_order import dependents
from zconsole.practice.zfs.mount_share import mountpoint, take_down

_BATCH: Final = 10  # snapshots that a recursive destroy hands over at once
_DENIED: Final = "permission denied"
_BOOKMARK_TAKES_NO: Final = (("n", "dryrun"), ("d", "defer destroy"), ("rR", "recursive"))


def destroy(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs destroy`."""
    call = RunningSubcommand(world, "destroy", args, "vpndfrR")
    (name,) = call.exactly("missing dataset argument")
    if "@" in name:
        _Snapshots(call).destroy(*name.split("@", 1))
    elif "#" in name:
        _bookmark(call, name)
    else:
        pool, dataset = open_dataset(call, name, SNAPSHOTS if call.has("d") else DATASETS)
        _Tree(call, pool).destroy(dataset)
    return call.reply()


def _bookmark(call: RunningSubcommand, name: str) -> None:
    for letters, what in _BOOKMARK_TAKES_NO:
        if call.has(*letters):
            raise call.failed(f"{what} is not supported with bookmark", 255)
    found, pool = look_up(call.world, name), pool_of(call.world, name)
    dataset = look_up(call.world, dataset_of(name))
    if not isinstance(found, Bookmark) or not isinstance(dataset, PracticeDataset) or pool is None:
        raise call.failed(f"bookmark '{name}' does not exist.")
    if not may(call.world, pool, dataset.name, "destroy"):
        raise call.failed(f"cannot destroy bookmark: {_DENIED}")
    dataset.bookmarks.remove(found)
    call.world.history_event(
        pool, "remove bookmark", f"name={found.name}", txg=sync(pool), dataset=(dataset.name, dataset.objset)
    )
    call.changed(pool)


def destroy_together(
    call: RunningSubcommand, pool: PracticePool, snapshots: Iterable[Snapshot], *, defer: bool = False
) -> bool:
    """Destroy snapshots in one transaction group: all of them, or none with the reasons printed.

    Those that went with a clone before are passed over, as lzc_destroy_snaps does.
    """
    world, chosen = call.world, [kept for kept in snapshots if kept in kept.dataset.snapshots]
    if not all(may(world, pool, kept.full_name, "destroy", "mount") for kept in chosen):
        call.complain(f"cannot destroy snapshots: {_DENIED}")
        return False
    clones = clones_of(pool.datasets)
    is_free = True
    for kept in () if defer else chosen:
        words = f"cannot destroy snapshot {kept.full_name}: "
        if kept.holds:
            is_free = False
            call.complain(f"{words}it's being held. Run 'zfs holds -r {kept.full_name}' to see holders.")
        elif kept in clones:
            is_free = False
            call.complain(f"{words}snapshot is cloned")
    if not is_free or not chosen:
        return is_free
    sync(pool)
    for kept in chosen:
        if defer:
            defer_destruction(world, pool, kept)
        else:
            destroy_snapshot(world, pool, kept)
    call.changed(pool)
    return True


class _Snapshots:
    """Destroys the snapshots of `dataset@a,b%c`, with -r also below."""

    def __init__(self, call: RunningSubcommand) -> None:
        self.call = call
        self.chosen: list[Snapshot] = []
        self.reclaim = 0

    def destroy(self, name: str, spec: str) -> None:
        """Choose the snapshots, print them, and destroy them unless in a dry run."""
        call = self.call
        pool, dataset = open_dataset(call, name)
        self._gather(pool, dataset, spec)
        if call.has_failed():
            return
        if not self.chosen:
            raise call.failed("could not find any snapshots to destroy; check snapshot names.")
        if call.has("v"):
            self._tell_reclaim()
        if call.has("n"):
            return
        if call.has("R"):
            tree = _Tree(call, pool)
            for kept in self.chosen:
                for dependent in dependents(pool, kept):
                    tree.take(dependent)
            if not tree.flush():
                return
        destroy_together(call, pool, self.chosen, defer=call.has("d"))

    def _tell_reclaim(self) -> None:
        if self.call.has("p"):
            self.call.say(f"reclaim\t{self.reclaim}")
        else:
            self.call.say(f"{_mood(self.call)} reclaim {nicebytes(self.reclaim)}")

    def _gather(self, pool: PracticePool, dataset: PracticeDataset, spec: str) -> None:
        here = list(_meant(dataset, spec))
        if not self.call.has("R", "d"):
            for kept in here:
                Dependence(self.call, kept).check(dependents(pool, kept))
        self.chosen += here
        if self.call.has("v"):
            for kept in sorted(set(here), key=dataset.snapshots.index):
                tell(self.call, kept.full_name)
            self.reclaim += sum(freed_by_range(dataset, *ends) for ends in ranges(dataset, set(here)))
        if self.call.has("r", "R"):
            for child in beneath(pool, dataset.name):
                self._gather(pool, child, spec)


def _meant(dataset: PracticeDataset, spec: str) -> Iterable[Snapshot]:
    """The snapshots of a list of names and ranges; missing ones are skipped."""
    chosen: dict[Snapshot, None] = {}
    for part in spec.split(","):
        first, percent, last = part.partition("%")
        start = _position(dataset, first, 0)
        stop = _position(dataset, last, len(dataset.snapshots) - 1) if percent else start
        if part and start is not None and stop is not None:
            chosen.update(dict.fromkeys(dataset.snapshots[start : stop + 1]))
    return chosen


def _position(dataset: PracticeDataset, name: str, default: int) -> int | None:
    """The index of a snapshot in its dataset; None for a missing one."""
    if not name:
        return default
    return next((index for index, kept in enumerate(dataset.snapshots) if kept.name == name), None)


class Dependence:
    """Prints the dependents of a target."""

    def __init__(self, call: RunningSubcommand, target: PracticeDataset | Snapshot) -> None:
        self.call, self.target = call, target
        self._is_first = True

    def check(self, found: Iterable[PracticeDataset | Snapshot]) -> None:
        """Print every dependent that is in the way."""
        target, recursive = name_of(self.target), self.call.has("r", "R")
        for thing in found:
            name = name_of(thing)
            if name.startswith((target + "/", target + "@")):
                if not recursive:
                    self._complain("has children", "-r", name)
            elif recursive or isinstance(self.target, Snapshot):
                self._complain("has dependent clones", "-R", name)

    def _complain(self, why: str, option: str, name: str) -> None:
        if self._is_first:
            self._is_first = False
            self.call.complain(f"cannot destroy '{name_of(self.target)}': {kind_of(self.target)} {why}")
            self.call.complain(f"use '{option}' to destroy the following datasets:")
        self.call.complain(name)


class _Tree:
    """Destroys a dataset with all that depends on it, one thing after the other."""

    def __init__(self, call: RunningSubcommand, pool: PracticePool) -> None:
        self.call, self.pool = call, pool
        self._batch: list[Snapshot] = []

    def destroy(self, dataset: PracticeDataset) -> None:
        """Check the dependents, then destroy them from the leaves up."""
        call, name = self.call, dataset.name
        if "/" not in name and not call.has("r", "R"):
            raise call.failed(
                f"cannot destroy '{name}': operation does not apply to pools\n"
                f"use 'zfs destroy -r {name}' to destroy all datasets in the pool\n"
                f"use 'zpool destroy {name}' to destroy the pool itself"
            )
        if not call.has("R"):
            Dependence(call, dataset).check(dependents(self.pool, dataset))
        if call.has_failed():
            return
        for thing in dependents(self.pool, dataset):
            self.take(thing)
        self.take(dataset)
        self.flush()

    def take(self, thing: PracticeDataset | Snapshot) -> None:
        """Destroy one dataset or snapshot, or print it in a dry run; snapshots are destroyed in batches."""
        call = self.call
        if call.has("v"):
            tell(call, name_of(thing))
        if call.has("n") or (isinstance(thing, PracticeDataset) and "/" not in thing.name):
            return
        if isinstance(thing, Snapshot):
            self._batch.append(thing)
            if len(self._batch) == _BATCH:
                self.flush()
        elif not (self.flush() and self.take_dataset(thing)) and not call.has("r", "R"):
            raise call.failed(status=1)

    def flush(self) -> bool:
        """Destroy the snapshots that are waiting."""
        batch, self._batch = self._batch, []
        return destroy_together(self.call, self.pool, batch)

    def take_dataset(self, dataset: PracticeDataset) -> bool:
        """Unmount and destroy a dataset without children and snapshots, or say why not."""
        call = self.call
        if not take_down(call, dataset):
            return False
        reason = _reason(call.world, self.pool, dataset)
        if reason is not None:
            call.complain(f"cannot destroy '{dataset.name}': {reason}")
            return False
        where = mountpoint(call.world, dataset)
        destroy_dataset(call.world, self.pool, dataset)
        lose_images(call.world, where)
        call.changed(self.pool)
        return True


def _reason(world: World, pool: PracticePool, dataset: PracticeDataset) -> str | None:
    """Why the kernel does not destroy a dataset."""
    if not may(world, pool, dataset.name, "destroy", "mount"):
        return _DENIED
    if dataset.is_busy or dataset.snapshots:
        return "dataset is busy"
    return "dataset already exists" if beneath(pool, dataset.name) else None


def destroy_one(call: RunningSubcommand, pool: PracticePool, thing: PracticeDataset | Snapshot) -> bool:
    """Destroy one dataset or snapshot as a step of another command, or say why not."""
    if isinstance(thing, PracticeDataset):
        return _Tree(call, pool).take_dataset(thing)
    reason = None
    if not may(call.world, pool, thing.full_name, "destroy", "mount"):
        reason = _DENIED
    elif thing.holds:
        reason = "dataset is busy"
    elif thing in clones_of(pool.datasets):
        reason = "dataset already exists"
    if reason is not None:
        call.complain(f"cannot destroy '{thing.full_name}': {reason}")
        return False
    sync(pool)
    destroy_snapshot(call.world, pool, thing)
    return True


def _mood(call: RunningSubcommand) -> str:
    return "would" if call.has("n") else "will"


def tell(call: RunningSubcommand, name: str) -> None:
    """Print what is destroyed, or would be."""
    call.say(f"destroy\t{name}" if call.has("p") else f"{_mood(call)} destroy {name}")

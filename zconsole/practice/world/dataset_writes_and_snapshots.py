"""Writing, deleting, snapshots and rollback, with the space accounted down to the vdevs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.practice.world.datasets import (
    NO_FILES,
    PracticeDataset,
    Snapshot,
    accounts,
    born_after,
    clones_of,
)
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import add, content, txg_before

_LEAST_ROOM: Final = 65536  # bytes that creating anything takes for a moment


class OutOfSpace(Exception):
    """No space in the pool, within a quota, or for the reservation of a snapshot."""


def sync(pool: PracticePool) -> int:
    """Open the next transaction group; returns its number."""
    pool.txg += 1
    return int(pool.txg)


def allocate(pool: PracticePool, amount: int) -> None:
    """Allocate usable bytes on the vdevs; a negative amount frees them."""
    normal = [top for top in pool.tops("normal") if top.is_usable]
    weights = [top.size - top.allocated if amount > 0 else top.allocated for top in normal]
    total = sum(weights) or 1
    for top, weight in zip(normal, weights, strict=True):
        taken = int(abs(amount) * weight / total * 512 / top.ratio) >> 12 << 12
        top.allocated = min(top.size, top.allocated + taken) if amount > 0 else max(0, top.allocated - taken)


def available(pool: PracticePool, dataset: PracticeDataset) -> int:
    """Bytes that may still be written to a dataset."""
    return accounts(pool.datasets, pool.usable)[dataset.name].available


def is_full(pool: PracticePool) -> bool:
    """Whether only the slop space is left, so that nothing can be created."""
    books = accounts(pool.datasets, pool.usable)
    return pool.usable - books[pool.name].used < _LEAST_ROOM


def write(pool: PracticePool, dataset: PracticeDataset, amount: int, *, ratio: float = 1.0) -> None:
    """Write bytes beside the present ones; the amount is that after compression by `ratio`."""
    if amount > available(pool, dataset):
        raise OutOfSpace(dataset.name)
    append(pool, dataset, amount, ratio=ratio)


def append(pool: PracticePool, dataset: PracticeDataset, amount: int, *, ratio: float = 1.0) -> None:
    """Write without a check for space."""
    add(dataset.live, {dataset.last_txg: amount})
    dataset.logical += int(amount * ratio)
    allocate(pool, amount)


def delete(pool: PracticePool, dataset: PracticeDataset, share: float) -> int:
    """Delete a share of everything that a dataset refers to; returns the bytes, free or kept by snapshots."""
    removed = {birth: int(size * share) >> 12 << 12 for birth, size in dataset.live.items()}
    return _remove(pool, dataset, removed)


def overwrite(pool: PracticePool, dataset: PracticeDataset, share: float) -> int:
    """Overwrite a share of everything; returns the bytes. Snapshots keep the old blocks."""
    amount = sum(int(size * share) >> 12 << 12 for size in dataset.live.values())
    if amount > available(pool, dataset) + int(dataset.written * share):
        raise OutOfSpace(dataset.name)
    ratio = dataset.logical / (dataset.referenced or 1)
    delete(pool, dataset, share)
    append(pool, dataset, amount, ratio=ratio)
    return amount


def become(pool: PracticePool, dataset: PracticeDataset, referenced: int, amount: int) -> None:
    """Write an amount of bytes, and free the oldest until the dataset refers to `referenced` bytes."""
    left = dataset.referenced + amount - referenced
    removed: dict[int, int] = {}
    for birth, size in sorted(dataset.live.items()):
        taken = min(size, max(0, left))
        left -= taken
        if taken:
            removed[birth] = taken
    _remove(pool, dataset, removed)
    append(pool, dataset, referenced - dataset.referenced)


def _remove(pool: PracticePool, dataset: PracticeDataset, removed: dict[int, int]) -> int:
    total, referenced = sum(removed.values()), dataset.referenced
    for birth, size in removed.items():
        dataset.live[birth] -= size
        if not dataset.live[birth]:
            del dataset.live[birth]
        if size and birth < dataset.last_txg:
            add(dataset.dead, {birth: size})
    dataset.logical -= dataset.logical * total // (referenced or 1)
    allocate(pool, -born_after(removed, dataset.last_txg))
    return total


def shortage(pool: PracticePool, datasets: Iterable[PracticeDataset]) -> PracticeDataset | None:
    """The first of these datasets that lacks the space for a snapshot.

    What is reserved for writes must stay reserved when a snapshot keeps what was written until now. ZFS looks
    at each of them by itself, and at what is on disk only.
    """
    books = accounts(pool.datasets, pool.usable)
    for dataset in datasets:
        needed = min(dataset.written, dataset.number("refreservation"))
        if needed > books[dataset.name].available - dataset.used_by_refreservation:
            return dataset
    return None


def take_snapshot(world: World, pool: PracticePool, dataset: PracticeDataset, name: str) -> Snapshot:
    """Take a snapshot."""
    txg = int(pool.txg) if int(pool.txg) > dataset.last_txg else sync(pool)
    snapshot = dataset.keep(name, world.guid(), txg=txg, at=int(world.now), objset=pool.next_object)
    snapshot.files_at, snapshot.touched = dataset.files_at, dict(dataset.touched) or NO_FILES
    pool.next_object += 2
    dataset.snapshots_changed = int(world.now)
    tell(world, pool, "snapshot", snapshot)
    return snapshot


def take_snapshots(
    world: World,
    pool: PracticePool,
    wanted: Sequence[tuple[PracticeDataset, str]],
    properties: dict[str, str] | None = None,
) -> None:
    """Take several snapshots in one transaction group."""
    sync(pool)
    for dataset, name in wanted:
        snapshot = take_snapshot(world, pool, dataset, name)
        snapshot.properties.update(properties or {})


def destroy_snapshot(world: World, pool: PracticePool, snapshot: Snapshot) -> None:
    """Destroy a snapshot; its unique bytes are freed, the others belong to its neighbours."""
    dataset, txg = snapshot.dataset, txg_before(snapshot)
    index = dataset.snapshots.index(snapshot)
    after: Snapshot | PracticeDataset = dataset
    if index + 1 < len(dataset.snapshots):
        after = dataset.snapshots[index + 1]
    allocate(pool, -born_after(after.dead, txg))
    kept = {birth: size for birth, size in after.dead.items() if birth < txg}
    add(kept, snapshot.dead)
    after.dead = kept
    del dataset.snapshots[index]
    dataset.snapshots_differ()
    dataset.snapshots_changed = int(world.now)
    tell(world, pool, "destroy", snapshot)


def defer_destruction(world: World, pool: PracticePool, snapshot: Snapshot) -> None:
    """Destroy a snapshot, or mark it for deferred destruction."""
    if not snapshot.holds and snapshot not in clones_of(pool.datasets):
        destroy_snapshot(world, pool, snapshot)
    elif not snapshot.defer_destroy:
        snapshot.defer_destroy = True
        tell(world, pool, "defer_destroy", snapshot)


def destroy_if_deferred(world: World, pool: PracticePool, snapshot: Snapshot) -> None:
    """Destroy a snapshot whose destruction was deferred, if nothing needs it any more."""
    if snapshot.defer_destroy and snapshot in snapshot.dataset.snapshots:
        defer_destruction(world, pool, snapshot)


def roll_back(world: World, pool: PracticePool, snapshot: Snapshot) -> None:
    """Roll a dataset back to its newest snapshot."""
    dataset = snapshot.dataset
    allocate(pool, -dataset.written)
    dataset.live, dataset.dead, dataset.logical = content(snapshot), {}, snapshot.logical
    dataset.files_at = float(snapshot.creation) if snapshot.files_at is None else snapshot.files_at
    dataset.touched = dict(snapshot.touched)
    sync(pool)
    tell(world, pool, "rollback", dataset)


def tell(
    world: World, pool: PracticePool, name: str, what: PracticeDataset | Snapshot, text: str = " "
) -> None:
    """Add an internal record to the pool's history."""
    full_name = what.full_name if isinstance(what, Snapshot) else what.name
    world.history_event(pool, name, text, dataset=(full_name, what.objset))

"""Create, clone, promote, rename and destroy datasets."""

from __future__ import annotations

from typing import Final

from zconsole.model.dataset_names import parent_of
from zconsole.practice.world.dataset_writes_and_snapshots import allocate, destroy_if_deferred, sync, tell
from zconsole.practice.world.datasets import (
    EMPTY_FILESYSTEM,
    EMPTY_VOLUME,
    Kind,
    PracticeDataset,
    Snapshot,
    accounts,
    lineage,
)
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import content

DEFAULT_VOLBLOCKSIZE: Final = 16384
_INDIRECT: Final = 1 << 17  # bytes of an indirect block
_POINTERS: Final = 1024  # that stand in one
_METADNODE_LEVELS: Final = 7
_COPIES_OF_METADATA: Final = 2


def volume_reservation(volsize: int, volblocksize: int) -> int:
    """The refreservation with which a volume of that size can always be written: data and its block tree."""
    blocks = volsize // volblocksize
    indirect = _METADNODE_LEVELS
    while blocks > 1:
        blocks = -(-blocks // _POINTERS)
        indirect += blocks
    return volsize + indirect * _COPIES_OF_METADATA * _INDIRECT


def create(  # noqa: PLR0913 - a dataset has that many sides
    world: World,
    pool: PracticePool,
    name: str,
    *,
    kind: Kind = "filesystem",
    volsize: int | None = None,
    properties: dict[str, str] | None = None,
) -> PracticeDataset:
    """Create an empty filesystem or volume."""
    above = pool.datasets.get(parent_of(name))
    dataset = _new(world, pool, name, kind)
    dataset.live = {0: EMPTY_VOLUME if kind == "volume" else EMPTY_FILESYSTEM}
    dataset.logical = 28672 if kind == "volume" else dataset.logical
    dataset.volsize = volsize
    dataset.properties.update(properties or {})
    if "keyformat" in dataset.properties:
        dataset.encryption_root = dataset
    elif above is not None and dataset.properties.get("encryption") != "off":
        dataset.encryption_root = above.encryption_root
    _share_key(dataset)
    pool.datasets[name] = dataset
    allocate(pool, dataset.own)
    tell(world, pool, "create", dataset)
    if dataset.properties:
        sync(pool)
    for key, value in dataset.properties.items():
        tell(world, pool, "set", dataset, f"{key}={value}")
    return dataset


def clone(
    world: World, pool: PracticePool, snapshot: Snapshot, name: str, properties: dict[str, str] | None = None
) -> PracticeDataset:
    """Clone a snapshot."""
    source = snapshot.dataset
    dataset = _new(world, pool, name, source.kind)
    dataset.live, dataset.logical = content(snapshot), snapshot.logical
    dataset.origin, dataset.volsize = snapshot, source.volsize
    dataset.seed, dataset.touched = source.seed, dict(snapshot.touched)
    dataset.files_at = float(snapshot.creation) if snapshot.files_at is None else snapshot.files_at
    dataset.encryption_root = source.encryption_root
    _share_key(dataset)
    for fixed in ("volblocksize", "encryption"):
        if fixed in source.properties:
            dataset.properties[fixed] = source.properties[fixed]
    dataset.properties.update(properties or {})
    pool.datasets[name] = dataset
    tell(world, pool, "clone", dataset, f"origin={snapshot.full_name} ({snapshot.objset})")
    return dataset


def _new(world: World, pool: PracticePool, name: str, kind: Kind) -> PracticeDataset:
    txg = sync(pool)
    dataset = PracticeDataset(
        name,
        kind,
        world.guid(),
        createtxg=txg,
        creation=int(world.now),
        objset=pool.next_object,
        is_mounted=False,
    )
    pool.next_object += 2
    return dataset


def _share_key(dataset: PracticeDataset) -> None:
    root = dataset.encryption_root
    if root is not None and root is not dataset:
        dataset.key_status = root.key_status


def destroy_dataset(world: World, pool: PracticePool, dataset: PracticeDataset) -> None:
    """Destroy a dataset that has neither children nor snapshots."""
    allocate(pool, -dataset.own)
    del pool.datasets[dataset.name]
    sync(pool)
    kind = "livelist" if dataset.origin else "bptree"
    tell(world, pool, "destroy", dataset, f"({kind}, mintxg={dataset.last_txg})")
    if dataset.origin is not None:
        destroy_if_deferred(world, pool, dataset.origin)


def promote(world: World, pool: PracticePool, dataset: PracticeDataset, origin: Snapshot) -> None:
    """Promote a clone: it takes the snapshots and bookmarks up to its origin."""
    former = origin.dataset
    dataset.bookmarks += [kept for kept in former.bookmarks if kept.createtxg <= origin.createtxg]
    former.bookmarks = [kept for kept in former.bookmarks if kept.createtxg > origin.createtxg]
    count = former.snapshots.index(origin) + 1
    moved, former.snapshots = former.snapshots[:count], former.snapshots[count:]
    for snapshot in moved:
        snapshot.dataset = dataset
    dataset.snapshots = moved + dataset.snapshots
    dataset.origin, former.origin = former.origin, origin
    dataset.snapshots_differ()
    former.snapshots_differ()
    dataset.snapshots_changed = former.snapshots_changed = int(world.now)
    if dataset.encryption_root is former and former.encryption_root is former:
        _hand_over_keys(pool, former, dataset)
    sync(pool)
    tell(world, pool, "promote", dataset)


def promotion_conflict(dataset: PracticeDataset, origin: Snapshot) -> str | None:
    """The name of a snapshot or bookmark that both the clone and its promotion would bring."""
    former = origin.dataset
    moving = {kept.name for kept in former.snapshots[: former.snapshots.index(origin) + 1]}
    marks = {mark.name for mark in former.bookmarks if mark.createtxg <= origin.createtxg}
    conflicts = [kept.name for kept in dataset.snapshots if kept.name in moving]
    conflicts += [mark.name for mark in dataset.bookmarks if mark.name in marks]  # where a kernel panics
    return next(iter(conflicts), None)


def _hand_over_keys(pool: PracticePool, former: PracticeDataset, dataset: PracticeDataset) -> None:
    """The promoted clone of an encryption root becomes the root."""
    for name in ("keyformat", "keylocation", "pbkdf2iters", "encryption"):
        if name in former.properties:
            dataset.properties[name] = former.properties[name]
    for name in ("keyformat", "keylocation", "pbkdf2iters"):
        former.properties.pop(name, None)
    dataset.key, former.key = former.key, None
    for other in pool.datasets.values():
        if other.encryption_root is former:
            other.encryption_root = dataset


def overdrawn_by_promotion(pool: PracticePool, dataset: PracticeDataset, origin: Snapshot) -> bool:
    """Whether a quota above the clone is too small for the snapshots that it would take over."""
    former = origin.dataset
    count = former.snapshots.index(origin) + 1
    rest = former.snapshots[count:]
    stays = former.own + former.used_by_snapshots
    txg = origin.createtxg
    after = [former.dead, *(kept.dead for kept in rest)]
    own = sum(size for birth, size in former.live.items() if birth >= txg)
    own += sum(size for dead in after for birth, size in dead.items() if birth >= txg)
    moves = stays - own
    books = accounts(pool.datasets, pool.usable)
    spared = set(lineage(former.name))
    return any(
        0 < pool.datasets[place].number("quota") < books[place].used + moves
        for place in lineage(dataset.name)
        if place not in spared
    )


def rename(world: World, pool: PracticePool, dataset: PracticeDataset, name: str) -> None:
    """Rename a dataset and all below it."""
    old = dataset.name
    moved = [kept for kept in pool.datasets.values() if kept is dataset or kept.name.startswith(old + "/")]
    sync(pool)
    tell(world, pool, "rename", dataset, f"-> {name}")
    for kept in moved:
        kept.name = name + kept.name.removeprefix(old)
    pool.datasets = {kept.name: kept for kept in pool.datasets.values()}


def beneath(pool: PracticePool, name: str) -> list[PracticeDataset]:
    """The children of a dataset, by name."""
    found = [dataset for place, dataset in pool.datasets.items() if parent_of(place) == name]
    return sorted(found, key=lambda dataset: dataset.name)


def subtree(pool: PracticePool, name: str) -> list[PracticeDataset]:
    """A dataset and all below it, by name."""
    found = [
        dataset for place, dataset in pool.datasets.items() if place == name or place.startswith(name + "/")
    ]
    return sorted(found, key=lambda dataset: dataset.name)

"""What somebody else may do to a host meanwhile: each a change of the practice world, whatever it then is.

A change is written for what a plan is about, its `Focus`. Where a part of it cannot be done any more, it is
left out, as it would be on a real host where somebody types the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_writes_and_snapshots import append, take_snapshot
from zconsole.practice.world.datasets import FileNode, PracticeDataset
from zconsole.practice.world.drives import Signature
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, unplug

MIB: Final = 1 << 20
FREE: Final = (20, 21)  # drives that no plan is about: another pool of the same name is made of them
PASSPHRASE: Final = "correct horse battery"


@dataclass(frozen=True, slots=True)
class Focus:
    """What a plan is about, by name; drives by their number on the shelf. Empty where it is about none."""

    dataset: str = ""  # a file system or volume
    snapshot: str = ""
    pool: str = ""
    leaf: int | None = None  # a drive that serves in the pool
    neighbour: int | None = None  # another one of the same vdev
    disk: int | None = None  # a drive that is to serve
    new: str = ""  # the name that something is to get
    undo: tuple[str, ...] = ()  # commands that undo what the plan does; drives by number, as `{10}`

    @property
    def parts(self) -> frozenset[str]:
        """Which of them it has."""
        return frozenset(name for name in self.__slots__ if getattr(self, name) not in ("", None, ()))


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happens to a world; it makes sense for plans that have all that it needs."""

    name: str
    needs: frozenset[str]
    make: Callable[[World, Focus], None]


CHANGES: dict[str, Change] = {}


def _change(*needs: str) -> Callable[[Callable[[World, Focus], None]], Callable[[World, Focus], None]]:
    def keep(make: Callable[[World, Focus], None]) -> Callable[[World, Focus], None]:
        name = make.__name__.replace("_", " ")
        CHANGES[name] = Change(name, frozenset(needs), make)
        return make

    return keep


def typed(world: World, *lines: str) -> bool:
    """Type commands until one of them fails; whether all were done."""
    for line in lines:
        reply = answer(world, line.split(), f"{PASSPHRASE}\n{PASSPHRASE}\n".encode())
        if not isinstance(reply, Reply) or reply.status:
            return False
    return True


def dataset_of(world: World, name: str) -> tuple[PracticePool, PracticeDataset] | None:
    """What has that name now."""
    pool = world.pools.get(name.partition("/")[0])
    dataset = None if pool is None else pool.datasets.get(name)
    return None if pool is None or dataset is None else (pool, dataset)


def written(world: World, name: str, mebibytes: int, path: str = "arrived meanwhile") -> None:
    """A file arrives in a dataset."""
    found = dataset_of(world, name)
    if found is not None:
        pool, dataset = found
        append(pool, dataset, mebibytes * MIB)
        dataset.touched[path] = FileNode(
            "f", 1000 + len(dataset.touched), mebibytes * MIB, int(world.now * 1e9)
        )


def _newest(world: World, name: str) -> str:
    found = dataset_of(world, name)
    return found[1].snapshots[-1].full_name if found is not None and found[1].snapshots else ""


def _moved_aside(world: World, name: str) -> PracticeDataset | None:
    """Rename a dataset and make an empty one of its name; the one that was moved."""
    found = dataset_of(world, name)
    if found is None:
        return None
    old = found[1]
    size = f"-s -V {old.volsize} " if old.kind == "volume" else ""
    key = "-o encryption=on -o keyformat=passphrase " if old.encryption_root is old else ""
    return old if typed(world, f"zfs rename {name} {name}-safe", f"zfs create {size}{key}{name}") else None


@_change("undo")
def undone(world: World, focus: Focus) -> None:
    """Once it is done; before that most of these fail, or change nothing."""
    typed(world, *(line.format(*(disk.links[0] for disk in world.disks)) for line in focus.undo))


# Datasets


@_change("dataset")
def swapped_for_an_empty_one(world: World, focus: Focus) -> None:
    _moved_aside(world, focus.dataset)


@_change("dataset")
def swapped_for_one_with_data(world: World, focus: Focus) -> None:
    if _moved_aside(world, focus.dataset):
        written(world, focus.dataset, 64)


@_change("dataset")
def swapped_for_a_copy(world: World, focus: Focus) -> None:
    """As a send of all of it, received under its name: its snapshots have the same guids and names."""
    old = _moved_aside(world, focus.dataset)
    found = dataset_of(world, focus.dataset)
    if old is None or found is None:
        return
    pool, new = found
    new.properties = dict(old.properties)
    for kept in old.snapshots:
        append(pool, new, max(0, kept.referenced - new.referenced))
        take_snapshot(world, pool, new, kept.name).guid = kept.guid
    append(pool, new, max(0, old.referenced - new.referenced))
    new.touched = dict(old.touched)
    new.is_mounted = old.is_mounted


@_change("dataset")
def data_arrives(world: World, focus: Focus) -> None:
    written(world, focus.dataset, 256)


@_change("dataset")
def a_snapshot_is_taken(world: World, focus: Focus) -> None:
    typed(world, f"zfs snapshot {focus.dataset}@meanwhile")


@_change("dataset")
def a_child_is_made(world: World, focus: Focus) -> None:
    typed(world, f"zfs create {focus.dataset}/meanwhile")


@_change("dataset")
def a_snapshot_is_cloned(world: World, focus: Focus) -> None:
    pool = focus.dataset.partition("/")[0]
    typed(world, f"zfs clone {_newest(world, focus.dataset)} {pool}/clone-of-meanwhile")


@_change("dataset")
def a_snapshot_is_held(world: World, focus: Focus) -> None:
    typed(world, f"zfs hold meanwhile {_newest(world, focus.dataset)}")


@_change("dataset")
def a_bookmark_is_made(world: World, focus: Focus) -> None:
    typed(world, f"zfs bookmark {_newest(world, focus.dataset)} {focus.dataset}#meanwhile")


@_change("dataset")
def mounted_elsewhere(world: World, focus: Focus) -> None:
    typed(world, f"zfs set mountpoint=/meanwhile {focus.dataset}")


@_change("dataset")
def a_user_opens_it(world: World, focus: Focus) -> None:
    found = dataset_of(world, focus.dataset)
    if found is not None:
        found[1].is_busy = True


@_change("dataset")
def unmounted(world: World, focus: Focus) -> None:
    typed(world, f"zfs unmount {focus.dataset}")


@_change("dataset")
def destroyed(world: World, focus: Focus) -> None:
    typed(world, f"zfs destroy -R {focus.dataset}")


@_change("dataset")
def renamed(world: World, focus: Focus) -> None:
    typed(world, f"zfs rename {focus.dataset} {focus.dataset}-safe")


@_change("dataset", "new")
def the_new_name_is_taken(world: World, focus: Focus) -> None:
    typed(world, f"zfs create {focus.new}")


# Snapshots


@_change("snapshot")
def the_snapshot_is_swapped(world: World, focus: Focus) -> None:
    typed(world, f"zfs rename {focus.snapshot} {focus.snapshot}-safe", f"zfs snapshot {focus.snapshot}")


@_change("snapshot")
def the_snapshot_is_renamed(world: World, focus: Focus) -> None:
    typed(world, f"zfs rename {focus.snapshot} {focus.snapshot}-safe")


@_change("snapshot")
def the_snapshot_is_destroyed(world: World, focus: Focus) -> None:
    typed(world, f"zfs destroy {focus.snapshot}")


@_change("snapshot")
def the_snapshot_is_taken_anew(world: World, focus: Focus) -> None:
    typed(world, f"zfs destroy {focus.snapshot}", f"zfs snapshot {focus.snapshot}")


@_change("snapshot")
def the_snapshot_is_held(world: World, focus: Focus) -> None:
    typed(world, f"zfs hold meanwhile {focus.snapshot}")


@_change("snapshot")
def the_snapshot_is_cloned(world: World, focus: Focus) -> None:
    pool = focus.snapshot.partition("/")[0]
    typed(world, f"zfs clone {focus.snapshot} {pool}/clone-of-meanwhile")


@_change("snapshot")
def the_snapshot_is_bookmarked(world: World, focus: Focus) -> None:
    dataset, _, _ = focus.snapshot.partition("@")
    typed(world, f"zfs bookmark {focus.snapshot} {dataset}#meanwhile")


# Pools


def _the_same_datasets(world: World, pool: str, names: list[tuple[str, str]]) -> None:
    for name, kind in sorted(names):
        if "/" in name and kind == "filesystem":
            typed(world, f"zfs create {pool}/{name.partition('/')[2]}")
            typed(world, f"zfs snapshot {pool}/{name.partition('/')[2]}@s")


def _datasets(world: World, pool: str) -> list[tuple[str, str]]:
    found = world.pools.get(pool)
    return [] if found is None else [(each.name, each.kind) for each in found.datasets.values()]


def _drives(world: World, *numbers: int) -> str:
    return " ".join(f"/dev/disk/by-id/{world.disks[number].links[0]}" for number in numbers)


@_change("pool")
def another_pool_takes_its_name(world: World, focus: Focus) -> None:
    names = _datasets(world, focus.pool)
    moved = (f"zpool export {focus.pool}", f"zpool import {focus.pool} {focus.pool}-safe")
    if typed(world, *moved, f"zpool create {focus.pool} mirror {_drives(world, *FREE)}"):
        _the_same_datasets(world, focus.pool, names)


@_change("pool")
def destroyed_and_made_anew(world: World, focus: Focus) -> None:
    names = _datasets(world, focus.pool)
    pool = world.pools.get(focus.pool)
    numbers = [] if pool is None else [
        number for number, disk in enumerate(world.disks) for leaf in pool.leaves() if leaf.disk is disk
    ]  # fmt: skip
    made = f"zpool create -f {focus.pool} mirror {_drives(world, *numbers[:2])}"
    if typed(world, f"zpool destroy {focus.pool}", made):
        _the_same_datasets(world, focus.pool, names)


@_change("pool")
def exported(world: World, focus: Focus) -> None:
    typed(world, f"zpool export {focus.pool}")


@_change("pool")
def exported_and_imported(world: World, focus: Focus) -> None:
    typed(world, f"zpool export {focus.pool}", f"zpool import {focus.pool}")


@_change("pool")
def a_file_system_is_made_in_the_pool(world: World, focus: Focus) -> None:
    if typed(world, f"zfs create {focus.pool}/meanwhile"):
        written(world, f"{focus.pool}/meanwhile", 64)


@_change("pool")
def a_scrub_starts(world: World, focus: Focus) -> None:
    typed(world, f"zpool scrub {focus.pool}")


@_change("pool")
def a_checkpoint_is_made(world: World, focus: Focus) -> None:
    typed(world, f"zpool checkpoint {focus.pool}")


# Drives


@_change("pool", "neighbour")
def a_second_device_fails(world: World, focus: Focus) -> None:
    assert focus.neighbour is not None
    unplug(world, world.disks[focus.neighbour])


@_change("pool", "neighbour")
def a_resilver_starts(world: World, focus: Focus) -> None:
    assert focus.neighbour is not None
    unplug(world, world.disks[focus.neighbour])
    plug(world, world.disks[focus.neighbour])


@_change("pool", "leaf")
def the_device_is_pulled(world: World, focus: Focus) -> None:
    assert focus.leaf is not None
    unplug(world, world.disks[focus.leaf])


@_change("pool", "leaf")
def the_device_is_taken_offline(world: World, focus: Focus) -> None:
    assert focus.leaf is not None
    typed(world, f"zpool offline {focus.pool} {_drives(world, focus.leaf)}")


@_change("pool", "leaf")
def the_device_is_detached(world: World, focus: Focus) -> None:
    assert focus.leaf is not None
    typed(world, f"zpool detach {focus.pool} {_drives(world, focus.leaf)}")


def _swap(world: World, one: int, other: int) -> None:
    """Exchange all the names that two drives have."""
    first, second = world.disks[one], world.disks[other]
    for name in ("kname", "links", "phys_path", "devid", "major", "minor", "hctl"):
        mine, its = getattr(first, name), getattr(second, name)
        setattr(first, name, its)
        setattr(second, name, mine)


@_change("disk")
def two_free_disks_swap_names(world: World, focus: Focus) -> None:
    assert focus.disk is not None
    _swap(world, focus.disk, FREE[0])


@_change("disk", "leaf")
def the_new_disk_and_the_old_swap_names(world: World, focus: Focus) -> None:
    assert focus.disk is not None
    assert focus.leaf is not None
    _swap(world, focus.disk, focus.leaf)


@_change("pool", "leaf", "neighbour")
def two_devices_swap_names(world: World, focus: Focus) -> None:
    assert focus.leaf is not None
    assert focus.neighbour is not None
    _swap(world, focus.leaf, focus.neighbour)


@_change("disk")
def the_disk_serves_in_another_pool(world: World, focus: Focus) -> None:
    assert focus.disk is not None
    typed(world, f"zpool create meanwhile {_drives(world, focus.disk)}")


@_change("disk")
def the_disk_gets_a_file_system(world: World, focus: Focus) -> None:
    assert focus.disk is not None
    world.disks[focus.disk].signatures = (Signature("ext4", "meanwhile"),)


@_change("disk")
def another_disk_is_in_its_place(world: World, focus: Focus) -> None:
    """Somebody pulls it, and puts one with a file system into the slot that gets its names."""
    assert focus.disk is not None
    _swap(world, focus.disk, FREE[0])
    unplug(world, world.disks[focus.disk])
    world.disks[FREE[0]].signatures = (Signature("ext4", "of somebody"),)

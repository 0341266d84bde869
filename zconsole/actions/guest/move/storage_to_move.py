"""What a move of a guest's storage has to move: the disks, where they are, and where they will be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from zconsole.actions.checks.mount_points_after_change import of_new
from zconsole.actions.checks.new_dataset_checks import nearest_above
from zconsole.analysis.dependencies.dataset_or_device_of_path import (
    ZVOLS,
    dataset_of_object,
    device_of_volume,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import Guest, GuestDisk
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.disk_definition_text import DiskText, parse_disk_texts
from zconsole.system.libvirt.qemu_img import RAW

_ENDS: Final = frozenset("<>'\" \t\n")  # characters behind a path in a definition
_PARTITION: Final = re.compile(r"(?:-part[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class DiskToMove:
    """Disk in the stored definition, and the path that it will have."""

    disk: DiskText
    path: str


@dataclass(frozen=True, slots=True)
class StorageToMove:
    """Guest with its disks, sorted by where the stored definition has them.

    `source` is None when nothing is left there.
    """

    guest: Guest
    stored: StoredDefinition
    target_name: str
    source: Dataset | None = None
    target: Dataset | None = None  # None: not there yet
    to_move: tuple[DiskToMove, ...] = ()
    moved: tuple[DiskText, ...] = ()  # disks that are at the target already
    elsewhere: tuple[DiskText, ...] = ()  # on other datasets, devices or networks
    unnamed: tuple[DiskText, ...] = ()  # on the source, by a path that does not lead through its mount point

    @property
    def is_volume(self) -> bool:
        """Whether a volume is moved."""
        dataset = self.source or self.target
        return dataset is not None and dataset.type == "volume"


def may_build_on_another(disk: GuestDisk) -> bool:
    """Whether the image of a disk may have another one below it, whose path is written in it."""
    return disk.format not in {"", RAW}


def place_of(guest: Guest, source: str, datasets: Iterable[Dataset] = ()) -> str:
    """The dataset or volume that holds the disk with this path; empty where that is not known.

    Where nothing is at the path it is the file system among these that would be mounted above it: what a
    look at the path tells is where that would be mounted.
    """
    if source in _missing(guest):
        unmounted = [
            (len(root), each.name)
            for each in datasets
            if each.type == "filesystem" and each.is_mounted is False and (root := root_of(each))
            if _below(source, root, each) is not None
        ]
        if unmounted:
            return max(unmounted)[1]
    for disk in guest.disks:
        if disk.disk.source == source:
            return disk.images[0].place if disk.images else ""
    return dataset_of_object(source) if source.startswith(ZVOLS) else ""


def source_of(guest: Guest, target: str, wanted: str, datasets: Iterable[Dataset] = ()) -> str:
    """The dataset to move from: the one that was asked for, else the one that holds the first disk.

    Empty when all disks are on the target.
    """
    if wanted:
        return wanted
    known = tuple(datasets)
    places = [place_of(guest, path, known) for path in _written(guest)]
    return next((place for place in places if place and place != target), "")


def possible_sources(guest: Guest, target: str, wanted: str, pools: Collection[str]) -> tuple[str, ...]:
    """The datasets of which one will be `source_of`, as far as is known before these pools are listed.

    A file system that is not mounted is known by the path at which it is mounted by default.
    """
    if wanted:
        return (wanted,)
    found: dict[str, None] = {}
    for path in _written(guest):
        names = [place_of(guest, path)]
        if path in _missing(guest):
            names += [name for name in _above(path) if pool_of(name) in pools]
        found |= dict.fromkeys(each for each in names if each and each != target)
        if names[0] and target not in names:
            break
    return tuple(found)


def _written(guest: Guest) -> list[str]:
    """Paths of the disks that the guest may write."""
    disks = [each.disk for each in guest.disks]
    return [each.source for each in disks if each.device == "disk" and not each.is_read_only]


def _missing(guest: Guest) -> frozenset[str]:
    return frozenset(path for _, path in guest.missing)


def _above(path: str) -> Iterator[str]:
    """Names that the datasets above a path have where each is mounted by its name."""
    name = path.strip("/").rpartition("/")[0]
    while name:
        yield name
        name = name.rpartition("/")[0]


def storage_to_move(
    guest: Guest,
    stored: StoredDefinition,
    names: tuple[str, str],
    facts: PlanFacts,
    there: PlanFacts | None = None,
) -> StorageToMove:
    """Sort the disks of the stored definition. Raises ParseError for a definition that is no XML.

    `names` are the source and the target, `there` the host of the target if it is another.
    """
    source, target = names
    at = facts if there is None else there
    old, new = facts.dataset(source), at.dataset(target)
    before, after = root_of(old), _root_of_target(target, old, new, at)
    known = facts.datasets
    to_move, moved, elsewhere, unnamed = [], [], [], []
    for disk in parse_disk_texts(stored.xml):
        if not disk.source and not disk.target:
            continue
        rest = _below(disk.source, before, old)
        if there is None and after and _below(disk.source, after, new or old) is not None:
            moved.append(disk)
        elif rest is not None and after and place_of(guest, disk.source, known) in {source, ""}:
            to_move.append(DiskToMove(disk, f"{after}{rest}"))
        elif old is not None and disk.source and place_of(guest, disk.source, known) == old.name:
            unnamed.append(disk)
        elif disk.source:
            elsewhere.append(disk)
    return StorageToMove(
        guest,
        stored,
        target,
        old if to_move or unnamed else None,
        new,
        tuple(to_move),
        tuple(moved),
        tuple(elsewhere),
        tuple(unnamed),
    )


def images_at_source(move: StorageToMove) -> tuple[str, ...]:
    """Paths of the guest's images at the place that it is moved from, defined there or not any more."""
    before, after = root_of(move.source), root_of(move.target)
    known = [_below(each.source, after, move.target) for each in move.moved]
    moved = tuple(f"{before}{rest}" for rest in known if before and rest is not None)
    return (*(each.disk.source for each in move.to_move), *moved)


def other_mentions(move: StorageToMove) -> Iterator[str]:
    """Paths on the source in the definition that are no sources of disks, such as firmware variables."""
    yield from mentions_besides_disks(move.stored.xml, root_of(move.source))


def mentions_besides_disks(xml: str, before: str) -> Iterator[str]:
    """Paths at or below one in a definition that are no sources of disks. Raises ParseError."""
    if not before:
        return
    rest = xml
    for disk in parse_disk_texts(xml):
        begin, after = disk.source_tag
        rest = rest.replace(disk.text, disk.text[:begin] + disk.text[after:])
    at = rest.find(before)
    while at >= 0:
        end = next((each for each in range(at, len(rest)) if rest[each] in _ENDS), len(rest))
        path = rest[at:end]
        if path == before or path.startswith(f"{before}/"):
            yield path
        at = rest.find(before, max(end, at + 1))


def mountpoint_of_target(target: str, facts: PlanFacts) -> str:
    """Where a new file system of this name is mounted; empty when it is not mounted by itself."""
    return next((each.path for each in of_new(target, nearest_above(target, facts), (), facts)), "")


def root_of(dataset: Dataset | None) -> str:
    """The beginning of all paths on a dataset; empty when it is mounted nowhere."""
    if dataset is None:
        return ""
    if dataset.type == "volume":
        return device_of_volume(dataset.name)
    mountpoint = dataset.mountpoint or ""
    return mountpoint.rstrip("/") if mountpoint.startswith("/") and mountpoint != "/" else ""


def _root_of_target(name: str, old: Dataset | None, new: Dataset | None, facts: PlanFacts) -> str:
    if new is not None:
        return root_of(new)
    if old is not None and old.type == "volume":
        return device_of_volume(name)
    return mountpoint_of_target(name, facts).rstrip("/")


def _below(path: str, root: str, dataset: Dataset | None) -> str | None:
    """The rest of a path on a dataset; None for a path elsewhere."""
    if not root or not path.startswith(root):
        return None
    rest = path.removeprefix(root)
    if dataset is not None and dataset.type == "volume":
        return rest if _PARTITION.fullmatch(rest) else None
    return rest if rest.startswith("/") and "/../" not in f"{rest}/" else None

"""What a move of a guest's storage has to move: the disks, where they are, and where they will be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zconsole.actions.checks.mount_points_after_change import of_new
from zconsole.actions.checks.new_dataset_checks import nearest_above
from zconsole.analysis.dependencies.dataset_or_device_of_path import (
    ZVOLS,
    dataset_of_object,
    device_of_volume,
)
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


def place_of(guest: Guest, source: str) -> str:
    """The dataset or volume that holds the disk with this path; empty where that is not known."""
    for disk in guest.disks:
        if disk.disk.source == source:
            return disk.images[0].place if disk.images else ""
    return dataset_of_object(source) if source.startswith(ZVOLS) else ""


def source_of(guest: Guest, target: str, wanted: str) -> str:
    """The dataset to move from: the one that was asked for, else the one that holds the first disk.

    Empty when all disks are on the target.
    """
    if wanted:
        return wanted
    places = [
        place_of(guest, disk.disk.source)
        for disk in guest.disks
        if disk.disk.device == "disk" and not disk.disk.is_read_only
    ]
    return next((place for place in places if place and place != target), "")


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
    to_move, moved, elsewhere, unnamed = [], [], [], []
    for disk in parse_disk_texts(stored.xml):
        if not disk.source and not disk.target:
            continue
        rest = _below(disk.source, before, old)
        if there is None and after and _below(disk.source, after, new or old) is not None:
            moved.append(disk)
        elif rest is not None and after and place_of(guest, disk.source) in {source, ""}:
            to_move.append(DiskToMove(disk, f"{after}{rest}"))
        elif old is not None and disk.source and place_of(guest, disk.source) == old.name:
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

"""Bay of a disk: the slot's name in vdev_id.conf, or else its number in the enclosure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.shelf_and_disk_path import Bay, DiskPath, Enclosure, Shelves

_BY_VDEV: Final = re.compile(r"/dev/disk/by-vdev/([^/]+)")
_PART: Final = re.compile(r"-part\d{1,3}\Z", re.ASCII)
_SLOT: Final = re.compile(r"slot[ _]*0*(\d{1,4})", re.ASCII | re.IGNORECASE)
ENCLOSURES: Final = "/sys/class/enclosure/"


@dataclass(frozen=True, slots=True)
class DiskBay:
    """Bay with its enclosure; `shelf` is the enclosure's place among the host's."""

    shelf: int
    enclosure: Enclosure
    bay: Bay
    is_only_shelf: bool

    @property
    def name(self) -> str:
        """`18`, or `1:18` where there are several shelves."""
        number = self.bay.name if self.bay.number is None else str(self.bay.number)
        return number if self.is_only_shelf else f"{self.shelf}:{number}"


class Bays:
    """Bays and ways of a host's disks, looked up quickly."""

    def __init__(self, inventory: Inventory) -> None:
        shelves = inventory.shelves.enclosures
        self._by_hctl = {hctl: each for each in self._all(shelves) for hctl in each.bay.hctls}
        self._folders = {each.bay.folder: each for each in self._all(shelves)}
        self._paths = {each.disk: each for each in inventory.shelves.paths}

    @staticmethod
    def _all(shelves: tuple[Enclosure, ...]) -> Iterator[DiskBay]:
        for at, each in enumerate(shelves):
            yield from (DiskBay(at, each, bay, len(shelves) == 1) for bay in each.bays)

    def name_at(self, enclosure_path: str) -> str:
        """The bay at a path in sysfs, `/sys/class/enclosure/6:0:12:0/Slot 05`, whatever is in it."""
        folder = enclosure_path.removeprefix(ENCLOSURES)
        place = self._folders.get(folder)
        if place is not None:
            return place.name
        last = folder.rpartition("/")[2]
        found = _SLOT.fullmatch(last)
        return found[1] if found else last

    def place(self, disk: Disk) -> DiskBay | None:
        """The disk's bay, where the enclosure knows it."""
        return self._by_hctl.get(disk.hctl) if disk.hctl else None

    def name(self, disk: Disk) -> str:
        """Where to look for the disk; empty where nothing is known."""
        place = self.place(disk)
        return slot_name(disk) or (place.name if place is not None else "")

    def path(self, disk: Disk) -> DiskPath | None:
        """The way from the host to the disk."""
        return self._paths.get(disk.name)


def slot_in_path(path: str) -> str:
    """Name of the slot in a path below /dev/disk/by-vdev; empty in any other."""
    found = _BY_VDEV.fullmatch(_PART.sub("", path))
    return found[1] if found else ""


def with_bays_of_before(now: Inventory, before: Inventory) -> Inventory:
    """The disks of now with the bays of an earlier reading, of those that are at the same address still."""
    places = {(each.hctl, each.serial) for each in now.disks if each.hctl and each.serial}
    same = {each.hctl for each in before.disks if (each.hctl, each.serial) in places}
    shelves = tuple(
        replace(
            each,
            bays=tuple(replace(bay, hctls=tuple(at for at in bay.hctls if at in same)) for bay in each.bays),
        )
        for each in before.shelves.enclosures
    )
    return replace(now, shelves=Shelves(shelves, before.shelves.paths))


def slot_name(disk: Disk) -> str:
    """Name that the administrator gave to the disk's slot; empty without one."""
    return next((found[1] for link in disk.links if (found := _BY_VDEV.fullmatch(link))), "")

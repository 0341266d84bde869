"""Device that a word means, for a change of a pool: resolved, checked, and by its stable link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.disk_identity_and_links import FOLDER, describe, disk_identity, stable_link
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk, Inventory

WHOLE_TYPES: Final = frozenset({"disk", "mpath"})  # that ZFS partitions when given whole
_KERNEL_NAME: Final = re.compile(
    r"(?:/dev/)?(?:(?:sd|hd|vd|xvd)[a-z]+\d*|(?:nvme\d+n|mmcblk|loop|md|dm-|zd|ram|sr|nbd|pmem)\d+(?:p\d+)?)"
)
_GLOB: Final = re.compile(r"[*?\[\]{}]")


@dataclass(frozen=True, slots=True)
class DeviceObjection:
    """Reason to reject a device, and a remedy. `rule` is a stable identifier."""

    rule: str
    reason: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class JoiningDevice:
    """Device to be added to a pool. A file has no disk."""

    path: str  # the name given to ZFS
    disk: Disk | None = None  # the block device: disk, partition or mapping
    whole: Disk | None = None  # the disk that it is or is part of

    @property
    def is_file(self) -> bool:
        """Whether it is a file of a mounted file system."""
        return self.disk is None

    @property
    def is_whole(self) -> bool:
        """Whether ZFS gets a whole disk and partitions it."""
        return self.disk is not None and self.disk.type in WHOLE_TYPES

    @property
    def is_by_path(self) -> bool:
        """Whether its best name identifies a slot and not a disk."""
        return self.path.startswith(f"{FOLDER}by-path/")

    @property
    def usable_bytes(self) -> int | None:
        """Space for ZFS's labels and data: of a whole disk that of the future partition."""
        if self.disk is None or self.disk.size_bytes is None:
            return None
        return partition_bytes(self.disk.size_bytes) if self.is_whole else self.disk.size_bytes

    @property
    def identity(self) -> tuple[str, ...]:
        """Identifiers equal for every path to it: WWN, or else model and serial."""
        whole, disk = self.whole, self.disk
        if whole is None or disk is None:
            return ("file", self.path)
        part = disk.name.removeprefix(whole.name) if disk.type == "part" else ""
        return (*disk_identity(whole), part)

    @property
    def in_words(self) -> str:
        """Model, serial and size, as printed on the disk."""
        if self.disk is None or self.whole is None:
            return f"the file {self.path}"
        return describe(self.disk, self.whole)


def resolve(word: str, inventory: Inventory | None, habit: str = "") -> JoiningDevice | DeviceObjection:
    """The device of a link, a link's last component, a serial, a WWN, or a file's path."""
    if _GLOB.search(word):
        return DeviceObjection(
            "glob", f"{word} is a pattern, and a pattern can mean any disk", "name each device"
        )
    if word.startswith("/") and not word.startswith("/dev/"):
        return JoiningDevice(word)
    if inventory is None:
        return DeviceObjection(
            "no-inventory",
            f"the disks of this host are not known, so {word} cannot be checked",
            "see why lsblk fails there",
        )
    found = list(_candidates(word, inventory))
    if _is_kernel_name(word, inventory):
        stable = " or ".join(filter(None, (stable_link(disk) for disk, _ in found)))
        return DeviceObjection(
            "kernel-name", f"{word} is assigned at every boot, and may be another disk after the next one",
            f"it is now {stable} ({describe(*found[0])})" if found and stable else "choose it by serial",
        )  # fmt: skip
    if word and not found and any(disk.reported_serial == word for disk in inventory.disks):
        return DeviceObjection(
            "ambiguous-device", f"{word} is a placeholder, or the serial number of several disks",
            "name the disk by a link below /dev/disk",
        )  # fmt: skip
    if not found:
        return DeviceObjection("unknown-device", f"no disk of this host is called {word}",
                         "name it by a link below /dev/disk/by-id or by its serial number")  # fmt: skip
    if len(found) > 1:
        names = ", ".join(stable_link(disk) or disk.name for disk, _ in found)
        return DeviceObjection(
            "ambiguous-device", f"{word} is more than one device: {names}", "name one by its link"
        )
    disk, whole = found[0]
    return joining_device(disk, whole, habit)


def device_of(path: str, inventory: Inventory | None) -> JoiningDevice | None:
    """The device at the path of a vdev; None if missing."""
    if inventory is None:
        return None
    if not path.startswith("/dev/"):
        return JoiningDevice(path)
    name = inventory.kernel_name(path)
    top = inventory.disk_of(name) if name is not None else None
    if top is None:
        return None
    return next((JoiningDevice(path, *found) for found in _below(top, top) if found[0].name == name), None)


def joining_device(disk: Disk, whole: Disk, habit: str = "") -> JoiningDevice | DeviceObjection:
    """A disk, or a part of the disk `whole`, under the name that ZFS is to be told.

    `habit` is how the pool names its devices (`naming_habit`).
    """
    if disk.name.startswith("zd"):
        return DeviceObjection(
            "volume", f"{disk.name} is a volume of a pool on this host: a pool on its own volume deadlocks"
        )
    if disk.type == "rom" or not disk.size_bytes:
        return DeviceObjection("no-medium", f"{describe(disk, whole)} holds no data")
    link = stable_link(disk, habit)
    if link is None:
        return DeviceObjection(
            "no-stable-name", f"{disk.name} ({describe(disk, whole)}) has no name that lasts: udev made no "
            "link to it", "give its partition a PARTUUID, or the slot a name in /etc/zfs/vdev_id.conf",
        )  # fmt: skip
    return JoiningDevice(link, disk, whole)


def _is_kernel_name(word: str, inventory: Inventory) -> bool:
    base = word.removeprefix("/dev/")
    return bool(_KERNEL_NAME.fullmatch(word)) or any(disk.name == base for disk, _ in _all(inventory))


def _candidates(word: str, inventory: Inventory) -> Iterator[tuple[Disk, Disk]]:
    """The devices that a word may mean, each once."""
    seen: set[str] = set()
    exact = inventory.kernel_name(word)
    base = word.removeprefix("/dev/")
    for disk, whole in _all(inventory):
        is_named = disk.name in {exact, base} or (
            exact is None
            and (
                any(link.rpartition("/")[2] == word for link in disk.links)
                or (disk is whole and word in {disk.serial, disk.wwn})
            )
        )
        if word and is_named and disk.name not in seen:
            seen.add(disk.name)
            yield disk, whole


def _all(inventory: Inventory) -> Iterator[tuple[Disk, Disk]]:
    """Every device with its disk; mapped devices count as their own."""
    for top in inventory.disks:
        yield from _below(top, top)


def _below(disk: Disk, whole: Disk) -> Iterator[tuple[Disk, Disk]]:
    bearer = whole if disk is whole or disk.type == "part" else disk
    yield disk, bearer
    for child in disk.children:
        yield from _below(child, bearer)

"""Disks of a host: identity, size, contents and activity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.shelf_and_disk_path import NO_SHELVES, Shelves

ZFS_MEMBER: Final = "zfs_member"  # signature of a device that ZFS uses or used


@dataclass(frozen=True, slots=True)
class Disk:
    """Block device as in `lsblk`, partitions as children. Sizes in bytes."""

    name: str  # kernel name, which changes between boots: only for display and for diskstats
    path: str
    type: str  # disk, part, crypt, mpath, lvm, ...
    size_bytes: int | None = None
    model: str = ""
    serial: str = ""
    wwn: str = ""
    vendor: str = ""
    revision: str = ""
    transport: str = ""
    is_rotational: bool | None = None
    logical_sector_bytes: int | None = None
    physical_sector_bytes: int | None = None
    fstype: str = ""  # signature: zfs_member, ext4, crypto_LUKS, ...
    label: str = ""  # for zfs_member: the pool's name
    uuid: str = ""
    partition_label: str = ""
    mountpoints: tuple[str, ...] = ()
    state: str = ""
    hctl: str = ""
    links: tuple[str, ...] = ()  # stable names under /dev/disk/by-*, best first
    children: tuple[Disk, ...] = ()
    reported_serial: str = ""  # what it reports where that identifies no disk: `serial` is empty then

    def walk(self) -> Iterator[Disk]:
        """This device and everything on it: partitions and mapped devices."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class DiskActivity:
    """One line of /proc/diskstats: counters since boot."""

    name: str
    reads: int
    read_sectors: int  # of 512 bytes
    read_ms: int
    writes: int
    write_sectors: int
    write_ms: int
    in_flight: int
    busy_ms: int  # time with at least one request in progress
    weighted_ms: int


@dataclass(slots=True)
class _Index:
    """Devices of an inventory by kernel name, and kernel names by path; made at the first question."""

    is_made: bool = False
    names: dict[str, str] = field(default_factory=dict)
    devices: dict[str, tuple[Disk, Disk]] = field(default_factory=dict)  # with the whole disk

    def make(self, disks: Iterable[Disk], links: Iterable[tuple[str, str]]) -> None:
        for whole in disks:
            for device in whole.walk():
                self.devices.setdefault(device.name, (device, whole))
                self.names.setdefault(device.path, device.name)
        by_link = dict(reversed(tuple(links)))
        self.names |= by_link  # a link comes before a path of the same name
        self.is_made = True


@dataclass(frozen=True, slots=True)
class Inventory:
    """All disks of a host and their stable links."""

    disks: tuple[Disk, ...] = ()
    links: tuple[tuple[str, str], ...] = ()  # (/dev/disk/by-id/..., kernel name), sorted
    shelves: Shelves = NO_SHELVES
    links_problem: str = ""  # why the links could not be read: a path that is unknown then proves nothing
    _index: _Index = field(default_factory=_Index, init=False, repr=False, compare=False)

    def kernel_name(self, path: str) -> str | None:
        """The kernel name (`sda1`) of a device path, or None when unknown."""
        return self._indexed().names.get(path)

    def device(self, kernel_name: str) -> Disk | None:
        """The device with a kernel name: a disk, a partition or a mapping."""
        found = self._indexed().devices.get(kernel_name)
        return found[0] if found is not None else None

    def disk_of(self, kernel_name: str) -> Disk | None:
        """The whole disk that a kernel name is or is part of."""
        found = self._indexed().devices.get(kernel_name)
        return found[1] if found is not None else None

    def _indexed(self) -> _Index:
        if not self._index.is_made:
            self._index.make(self.disks, self.links)
        return self._index

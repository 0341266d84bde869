"""Disks of a host: identity, size, contents and activity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class Inventory:
    """All disks of a host and their stable links."""

    disks: tuple[Disk, ...] = ()
    links: tuple[tuple[str, str], ...] = ()  # (/dev/disk/by-id/..., kernel name), sorted

    def kernel_name(self, path: str) -> str | None:
        """The kernel name (`sda1`) of a device path, or None when unknown."""
        for link, name in self.links:
            if link == path:
                return name
        for disk in self.disks:
            for device in disk.walk():
                if device.path == path:
                    return device.name
        return None

    def disk_of(self, kernel_name: str) -> Disk | None:
        """The whole disk that a kernel name is or is part of."""
        for disk in self.disks:
            if any(device.name == kernel_name for device in disk.walk()):
                return disk
        return None

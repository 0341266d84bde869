"""Drives: names, sizes, health, and signatures of filesystems, LUKS, LVM, md and swap on them."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.io.io_counters import BlockIo
from zconsole.practice.world import space_formulas

BY_ID: Final = "/dev/disk/by-id/"


@dataclass(frozen=True, slots=True)
class Holder:
    """A device on top of another: an opened LUKS, a logical volume, an md array."""

    kname: str  # dm-0, md127
    name: str  # what lsblk shows: luks-backup, vg0-root, md127
    kind: str  # crypt, lvm, raid1
    size: int  # bytes
    fstype: str | None = None
    mountpoint: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """Something that libblkid recognises, on a whole drive or on one of its partitions."""

    fstype: str  # ext4, crypto_LUKS, LVM2_member, linux_raid_member, swap
    label: str = ""
    mountpoint: str = ""  # [SWAP] while it is swapped to
    number: int = 0  # of the partition; 0 is the whole drive
    holder: Holder | None = None

    @property
    def is_used(self) -> bool:
        """Whether the kernel refuses to open it exclusively."""
        return bool(self.mountpoint) or self.holder is not None


class DriveKind(Enum):
    """The kind of a drive, which decides its speed."""

    HDD = "hdd"
    SSD = "ssd"
    NVME = "nvme"

    __hash__ = object.__hash__  # speeds are looked up a hundred times a second; that of an Enum is slow


@dataclass(slots=True)
class PracticeHealth:
    """What a drive counts of itself; hours of operation, degrees Celsius, percent of its endurance."""

    is_passing: bool = True
    hours: int = 20_000
    temperature: int = 34
    wear: int = 3
    reallocated: int = 0
    pending: int = 0
    uncorrectable: int = 0
    reported: int = 0
    crc: int = 0
    failing: str = ""  # name of an attribute that is below the maker's threshold now
    self_test_failed_at: int | None = None  # hours of operation
    warnings: int = 0  # `critical_warning` of NVMe: bits
    spare: int = 100  # of NVMe: percent of its spare blocks


@dataclass(slots=True, eq=False)
class PracticeDisk:
    """A drive in a slot, under every name that Linux has for it."""

    kname: str  # sda, nvme0n1
    size: int  # bytes
    serial: str
    model: str
    wwn: str  # 0x5000c500a0000000, or eui....
    links: tuple[str, ...]  # names in /dev/disk/by-id, the one that pools use first
    major: int
    minor: int
    drive: DriveKind = DriveKind.HDD
    vendor: str | None = "ATA     "
    rev: str = "SN04"
    tran: str | None = "sas"
    hctl: str | None = None
    phys_path: str = ""
    bay: int | None = None  # of the enclosure
    devid: str = ""
    sectors: tuple[int, int] = (512, 4096)  # logical, physical bytes
    rotates: bool = False
    is_present: bool = True
    data_bytes: int = 0  # of the partition that ZFS made; 0 when it made none
    signatures: tuple[Signature, ...] = ()  # of others than ZFS
    left_label: tuple[str, int] | None = None  # name and guid of a pool that it served and has left
    slow_factor: float = 1.0
    tail: tuple[float, float] | None = None  # this share of its operations takes so many times as long
    health: PracticeHealth = field(default_factory=PracticeHealth)
    io: BlockIo = field(default_factory=BlockIo)
    seconds_linked: float = 0.0  # when udev made the links of the partitions

    @property
    def is_partitioned(self) -> bool:
        """Whether ZFS has partitioned it."""
        return self.data_bytes > 0

    @property
    def link(self) -> str:
        """The name in /dev/disk/by-id by which pools know it."""
        return self.links[0]

    @property
    def infix(self) -> str:
        """The letter between the kernel's name and the number of a partition, if any."""
        return "p" if self.kname[-1].isdigit() else ""


@dataclass(frozen=True, slots=True)
class Ageing:
    """A drive that grows slow."""

    disk: PracticeDisk
    starts_s: float
    lasts_s: float
    worst: float

    def factor(self, elapsed: float) -> float:
        """The factor by which the drive is slower than new."""
        progress = min(max(0.0, (elapsed - self.starts_s) / self.lasts_s), 1.0)
        return 1.0 + (self.worst - 1.0) * progress


def prepare(disk: PracticeDisk) -> int:
    """Partition a drive for ZFS; returns the bytes of its data partition."""
    disk.data_bytes = space_formulas.data_partition(disk.size)[1] * space_formulas.SECTOR
    disk.signatures, disk.left_label = (), None
    return disk.data_bytes

"""Disk of which the pool has a partition only: the host may boot from its other partitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import OWN_PARTITION_BYTES
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.redundancy import has_all_data
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev

ESP_FSTYPE: Final = "vfat"
BIOS_BOOT_BYTES: Final = 4 << 20  # a BIOS boot partition has no file system and is smaller than this


@dataclass(frozen=True, slots=True)
class SharedDisk:
    """Partition table that a new disk needs as well. `source` has it and works."""

    source: Disk
    number: str  # of the pool's partition
    others: tuple[Disk, ...]  # the other partitions

    @property
    def link(self) -> str:
        """Best name of the disk with the table."""
        return stable_link(self.source) or self.source.path

    @property
    def efi(self) -> str:
        """Number of its EFI system partition; empty without one."""
        return next((_number(self.source, each) for each in self.others if each.fstype == ESP_FSTYPE), "")

    @property
    def has_bios_boot(self) -> bool:
        """Whether a boot loader may be in a partition without a file system."""
        return any(not each.fstype and (each.size_bytes or 0) <= BIOS_BOOT_BYTES for each in self.others)

    def in_words(self) -> str:
        """`partition 1 1007 KiB, partition 2 vfat 512 MiB`."""
        return ", ".join(
            " ".join(
                filter(None, ("partition", _number(self.source, each), each.fstype, size(each.size_bytes)))
            )
            for each in self.others
        )


def shared_disk(facts: PoolFacts, place: DevicePlace) -> SharedDisk | None:
    """The table of a member's disk, read from a sound disk of its vdev, or else from its own."""
    sound = [leaf for leaf in place.top.leaves() if leaf is not place.member and has_all_data(leaf)]
    own = list(_tables(facts, [place.member]))
    is_gone = facts.of_leaf(place.member).disk is None
    if not own and not is_gone:
        return None
    return next(iter([*_tables(facts, sound), *own]), None)


def partition_of(disk: Disk, number: str) -> Disk | None:
    """The partition with a number."""
    return next((each for each in disk.children if _number(disk, each) == number), None)


def _tables(facts: PoolFacts, leaves: list[Vdev]) -> Iterator[SharedDisk]:
    for leaf in leaves:
        disk = facts.of_leaf(leaf).disk
        name = facts.inventory.kernel_name(leaf.path) if facts.inventory is not None and leaf.path else None
        if disk is None or name is None or name == disk.name:
            continue
        others = tuple(
            each
            for each in disk.children
            if each.type == "part" and each.name != name and not _is_own(disk, each)
        )
        if others:
            yield SharedDisk(disk, _digits(disk, name), others)


def _is_own(disk: Disk, part: Disk) -> bool:
    """Whether it is the small partition that ZFS makes at the end of a whole disk."""
    return _number(disk, part) == "9" and part.size_bytes == OWN_PARTITION_BYTES


def _number(disk: Disk, part: Disk) -> str:
    return _digits(disk, part.name)


def _digits(disk: Disk, name: str) -> str:
    """`3` of `sda3` and of `nvme0n1p3`."""
    return name.removeprefix(disk.name).removeprefix("p")

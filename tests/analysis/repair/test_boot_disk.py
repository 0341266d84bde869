"""Disks of which the pool has a partition only."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, place_of, trouble_at
from tests.doubles.shelves import blank, leaf, link, part, parted, used
from zconsole.analysis.repair.boot_disk import SharedDisk, partition_of, shared_disk
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Vdev


def bootable(number: int) -> Disk:
    """As Proxmox VE partitions a disk: BIOS boot, EFI system partition, ZFS."""
    disk = blank(number)
    return parted(
        disk,
        part(disk, 1, size_bytes=1007 << 10),
        part(disk, 2, size_bytes=512 << 20, fstype="vfat"),
        part(disk, 3, fstype="zfs_member", label="tank"),
    )


def third(number: int, state: str = "ONLINE") -> Vdev:
    return leaf(number, state, path=f"{link(number)}-part3", physical_bytes=10**12)


def table(*disks: Disk, gone: tuple[int, ...] = (), top: Vdev | None = None) -> SharedDisk | None:
    found = top or group("mirror-0", third(0), third(1, "FAULTED"))
    facts = facts_of(trouble_at(found, disks=disks, gone=gone))
    return shared_disk(facts, place_of(facts, 1))


@pytest.mark.parametrize("gone", [(), (1,)])
def test_the_table_is_read_from_a_sound_disk_also_when_the_old_one_is_gone(gone: tuple[int, ...]) -> None:
    found = table(*(bootable(at) for at in (0, 1) if at not in gone), gone=gone)

    assert found is not None
    assert (blank(0).serial, "3", "2", True) == (
        found.source.serial, found.number, found.efi, found.has_bios_boot
    )  # fmt: skip
    assert "partition 1 0.98 MiB, partition 2 vfat 512 MiB" == found.in_words()
    assert link(0) == found.link


def test_a_lone_disk_tells_its_own_table() -> None:
    found = table(bootable(1), top=third(1, "DEGRADED"))

    assert found is not None
    assert blank(1).serial == found.source.serial


def test_a_disk_that_zfs_has_whole_has_no_table_of_its_own() -> None:
    assert table(used(0), used(1), top=group("mirror-0", leaf(0), leaf(1, "FAULTED"))) is None


def test_a_whole_disk_beside_a_partitioned_one_needs_none() -> None:
    top = group("mirror-0", third(0), leaf(1, "FAULTED"))

    assert table(bootable(0), used(1), top=top) is None


def test_partitions_of_nvme_disks_are_counted_too() -> None:
    disk = Disk("nvme0n1", "/dev/nvme0n1", "disk", children=(Disk("nvme0n1p3", "/dev/nvme0n1p3", "part"),))

    assert disk.children[0] is partition_of(disk, "3")
    assert partition_of(disk, "1") is None

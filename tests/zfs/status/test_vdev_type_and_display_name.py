"""What a vdev's name tells."""

from __future__ import annotations

import pytest

from zconsole.zfs.status.vdev_type_and_display_name import class_of, guid_of, short_name, type_of, with_parity


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/dev/disk/by-id/wwn-0x5000c500a0000000-part1", "wwn-0x5000c500a0000000"),
        ("/dev/disk/by-id/wwn-0x5000c500a0000000-part3", "wwn-0x5000c500a0000000-part3"),
        ("/dev/disk/by-id/wwn-0x5000c500a0000000", "wwn-0x5000c500a0000000"),
        ("/dev/disk/by-path/pci-0000:00:04.0-scsi-0:0:0:0-part1", "pci-0000:00:04.0-scsi-0:0:0:0"),
        ("/dev/disk/by-vdev/slot 3-part1", "slot 3"),
        ("/dev/disk/by-partuuid/0b5cf0ff-01", "0b5cf0ff-01"),
        ("/dev/sdb1", "sdb"),
        ("/dev/sdaa1", "sdaa"),
        ("/dev/sdb2", "sdb2"),
        ("/dev/sdb11", "sdb11"),
        ("/dev/vda1", "vda"),
        ("/dev/xvda1", "xvda"),
        ("/dev/nvme0n1p1", "nvme0n1"),
        ("/dev/nvme0n1p3", "nvme0n1p3"),
        ("/dev/nvme0n1", "nvme0n1"),
        ("/dev/md0p1", "md0"),
        ("/dev/loop1", "loop1"),
        ("/dev/mapper/mpatha-part1", "mpatha"),
        ("/dev/mapper/luks-disk1", "luks-disk1"),
        ("/srv/zfs/disk-part1", "/srv/zfs/disk-part1"),
    ],
)
def test_the_name_of_a_whole_disk_is_without_its_partition(path: str, name: str) -> None:
    assert name == short_name(path)


@pytest.mark.parametrize(
    ("name", "is_leaf", "vdev_type"),
    [
        ("mirror-0", False, "mirror"),
        ("raidz1-0", False, "raidz1"),
        ("raidz3-12", False, "raidz3"),
        ("raidz-0", False, "raidz1"),
        ("draid2:4d:10c:1s-0", False, "draid2"),
        ("draid1:8d:24c:0s-3", False, "draid1"),
        ("draid2-0-0", True, "dspare"),
        ("spare-2", False, "spare"),
        ("replacing-0", False, "replacing"),
        ("indirect-2", True, "indirect"),
        ("hole-1", True, "hole"),
        ("missing-0", True, "missing"),
        ("wwn-0x5000c500a0000000", True, "disk"),
        ("1234567890", True, "unknown"),
        ("anyraid-0", False, "unknown"),
    ],
)
def test_a_name_tells_the_type(name: str, is_leaf: bool, vdev_type: str) -> None:
    assert vdev_type == type_of(name, None, is_leaf=is_leaf)


def test_a_path_tells_a_disk_from_a_file() -> None:
    assert "disk" == type_of("mirror-0", "/dev/disk/by-vdev/mirror-0", is_leaf=True)
    assert "file" == type_of("/srv/mirror-0", "/srv/mirror-0", is_leaf=True)


def test_parity_is_taken_from_the_name() -> None:
    assert "raidz2" == with_parity("raidz", "raidz2-0")
    assert "draid3" == with_parity("draid", "draid3:8d:24c:2s-1")
    assert "disk" == with_parity("disk", "raidz2-backup")
    assert "somethingnew" == with_parity("somethingnew", "somethingnew-0")


def test_a_guid_is_known_from_a_name_of_digits() -> None:
    assert 15364236422046513447 == guid_of("15364236422046513447")
    assert None is guid_of("sda")
    assert None is guid_of("")
    assert None is guid_of("1" * 21)


def test_a_class_of_a_newer_zfs_keeps_its_word() -> None:
    assert ["data", "log", "cache", "spare", "nursery"] == [
        class_of(heading) for heading in ("vdevs", "logs", "l2cache", "spares", "nursery")
    ]

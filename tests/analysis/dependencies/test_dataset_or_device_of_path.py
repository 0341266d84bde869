"""What holds a path: the file system that is mounted there, a volume, or a device."""

from __future__ import annotations

import pytest

from tests.doubles.shelves import blank, part, parted, shelf
from zconsole.analysis.dependencies.dataset_or_device_of_path import (
    DEEPEST,
    PathHolders,
    PathPlaces,
    dataset_of_object,
    device_of_volume,
    zvol_and_partition,
)
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.mounts_and_boot_pools import Mount

DISK = blank(0)
ZVOL = Disk("zd16", "/dev/zd16", "disk", children=(Disk("zd16p1", "/dev/zd16p1", "part"),))
SEEN = shelf(parted(DISK, part(DISK, 1)))
INVENTORY = Inventory((*SEEN.disks, ZVOL), (*SEEN.links, ("/dev/zvol/tank/vm/web01", "zd16")))
PLACES = PathPlaces(
    (
        Mount("/dev/sda1", "/", "ext4"),
        Mount("tank/vm", "/srv", "zfs"),
        Mount("tank/vm/images", "/srv/images", "zfs"),
        Mount("fast/images", "/srv/images", "zfs"),  # over it
        Mount("tmpfs", "/srv/images/tmp", "tmpfs"),
    ),
    {"zd16": "tank/vm/web01"},
    INVENTORY,
)


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("tank/vm", "/srv/web.qcow2"),
        ("tank/vm", "/srv/imagesque/web.qcow2"),
        ("fast/images", "/srv/images/web.qcow2"),
        ("", "/srv/images/tmp/web.qcow2"),  # not in ZFS
        ("", "/home/web.qcow2"),
        ("tank/vm/web01", "/dev/zvol/tank/vm/web01"),
        ("tank/vm/web01", "/dev/zd16"),
        ("tank/vm/web01", "/dev/zd16p1"),
        ("tank/vm/other", "/dev/zvol/tank/vm/other"),  # udev made its link only later
        ("/dev/sda1", "/dev/sda1"),
        ("", "/dev/sdq"),
    ],
)
def test_the_nearest_mount_holds_a_file_and_a_link_of_zvol_its_volume(place: str, path: str) -> None:
    assert place == PLACES.of_path(path)


def test_a_mount_is_of_its_dataset_or_of_its_device() -> None:
    assert "tank/vm" == PLACES.of(Mount("tank/vm", "/srv", "zfs"))
    assert "tank/vm/web01" == PLACES.of(Mount("/dev/zd16p1", "/mnt", "ext4"))
    assert "/dev/sda1" == PLACES.of(Mount("/dev/sda1", "/", "ext4"))


CRYPT = Disk("dm-0", "/dev/mapper/vault", "crypt")
SPANNING = Disk("dm-1", "/dev/mapper/vg-images", "lvm")
ARRAY = Disk("md0", "/dev/md0", "raid1")
BELOW = Inventory(
    (
        *SEEN.disks,
        Disk("zd16", "/dev/zd16", "disk", children=(CRYPT,)),
        Disk(
            "zd32",
            "/dev/zd32",
            "disk",
            children=(Disk("zd32p1", "/dev/zd32p1", "part", children=(SPANNING,)),),
        ),
        Disk("zd48", "/dev/zd48", "disk", children=(SPANNING, ARRAY)),
        Disk("sdz", "/dev/sdz", "disk", children=(ARRAY,)),
        Disk("zd64", "/dev/zd64", "disk"),
        Disk("loop0", "/dev/loop0", "loop", children=(Disk("loop0p1", "/dev/loop0p1", "part"),)),
        Disk("loop1", "/dev/loop1", "loop"),
        Disk("loop2", "/dev/loop2", "loop"),
        Disk("nbd0", "/dev/nbd0", "disk"),
        Disk("sdy", "/dev/sdy", "disk", transport="iscsi"),
    ),
    (("/dev/disk/by-id/dm-name-vault", "dm-0"),),
)
VOLUMES = {"zd16": "tank/vm/web01", "zd32": "tank/a", "zd48": "fast/b"}
FOREIGN = PathPlaces(
    (
        Mount("/dev/sda1", "/", "ext4"),
        Mount("tank/vm", "/tank/vm", "zfs"),
        Mount("/dev/mapper/vault", "/vault", "ext4"),
        Mount("/dev/mapper/vg-images", "/images", "xfs"),
        Mount("/dev/loop0p1", "/loop", "ext4"),
        Mount("/dev/loop1", "/iso", "iso9660"),
        Mount("/dev/loop2", "/inner", "ext4"),
        Mount("/dev/sda1:/dev/zd48", "/bcache", "bcachefs"),
        Mount("nas2:/export/vm", "/nfs", "nfs4"),
        Mount("1:2", "/pool", "fuse.mergerfs"),
        Mount("/dev/sdq1", "/gone", "ext4"),
        Mount("devtmpfs", "/dev", "devtmpfs"),
        Mount("hugetlbfs", "/dev/hugepages", "hugetlbfs"),
    ),
    VOLUMES,
    BELOW,
    (("/dev/loop0", "/tank/vm/disk.img"), ("/dev/loop1", "/srv/x.iso"), ("/dev/loop2", "/inner/itself.img")),
)


@pytest.mark.parametrize(
    ("objects", "path"),
    [
        (("tank/vm",), "/tank/vm/a.qcow2"),
        (("tank/vm/web01",), "/vault/a.qcow2"),  # ext4 on LUKS on a volume
        (("tank/vm/web01",), "/dev/mapper/vault"),
        (("tank/vm/web01",), "/dev/disk/by-id/dm-name-vault"),
        (("tank/a", "fast/b"), "/images/a.qcow2"),  # LVM over a partition of one volume and another volume
        (("tank/a",), "/dev/zd32p1"),
        (("tank/a",), "/dev/zvol/tank/a-part1"),  # its link is gone
        (("tank/a-part1x",), "/dev/zvol/tank/a-part1x"),
        (("tank/with blank",), "/dev/zvol/tank/with+blank"),
        (("tank/vm",), "/loop/a.qcow2"),  # ext4 in a file of a dataset
        (("tank/vm",), "/dev/loop0"),
        (("fast/b",), "/bcache/a.qcow2"),
        (("fast/b",), "/dev/md0"),
        (("/dev/sdz",), "/dev/sdz"),
    ],
)
def test_what_is_between_a_path_and_zfs_is_followed(objects: tuple[str, ...], path: str) -> None:
    held = FOREIGN.holders(path)

    assert (objects, "") == (held.objects, held.unknown)


@pytest.mark.parametrize(
    ("elsewhere", "path"),
    [
        ("ext4 on /dev/sda1", "/srv/a.qcow2"),
        ("iso9660 on /dev/loop1", "/iso/a"),  # whose file is on ext4
        ("hugetlbfs on /dev/hugepages", "/dev/hugepages/a.img"),
    ],
)
def test_what_is_not_on_zfs_is_known_to_be_elsewhere(elsewhere: str, path: str) -> None:
    assert PathHolders(elsewhere=elsewhere) == FOREIGN.holders(path)


@pytest.mark.parametrize(
    ("why", "path"),
    [
        ("the nfs4 on /nfs", "/nfs/a.qcow2"),
        ("the fuse.mergerfs on /pool", "/pool/a.qcow2"),  # which may be over datasets
        ("/dev/sdq1 is not among the block devices", "/gone/a"),
        ("/dev/disk/by-id/lost is not among", "/dev/disk/by-id/lost"),
        ("the volume of /dev/zd64", "/dev/zd64"),
        ("behind /dev/nbd0", "/dev/nbd0"),
        ("behind /dev/sdy", "/dev/sdy"),
        ("nested too deeply", "/inner/a.img"),
    ],
)
def test_what_cannot_be_told_is_not_said_to_be_elsewhere(why: str, path: str) -> None:
    held = FOREIGN.holders(path)

    assert why in held.unknown
    assert ("", ()) == (held.elsewhere, held.objects)


def test_without_mounts_nothing_is_known() -> None:
    assert PathPlaces((), {}, Inventory()).holders("/tank/vm/a").unknown
    assert DEEPEST < 20


def test_a_device_of_the_host_is_asked_for_once_more_where_the_inventory_lacks_it() -> None:
    assert ("sdq1", "zd64") == (FOREIGN.holders("/gone/a").device, FOREIGN.holders("/dev/zd64").device)
    assert (
        "loop9"
        == PathPlaces((), {}, Inventory((Disk("loop9", "/dev/loop9", "loop"),))).holders("/dev/loop9").device
    )


@pytest.mark.parametrize("name", ["tank/vm/web01", "tank/a disk with spaces"])
def test_a_volume_is_found_by_the_device_that_it_has(name: str) -> None:
    assert " " not in device_of_volume(name)
    assert name == dataset_of_object(device_of_volume(name)) == dataset_of_object(name)


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("/dev/zd16", ("/dev/zd16", "")),
        ("/dev/zd16p1", ("/dev/zd16", "1")),
        ("/dev/sda1", ("/dev/sda1", "")),
        ("/srv/zd16p1", ("/srv/zd16p1", "")),
    ],
)
def test_a_partition_of_a_volume_is_told_from_its_device(path: str, whole: tuple[str, str]) -> None:
    assert whole == zvol_and_partition(path)

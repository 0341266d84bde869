"""What holds a path: the file system that is mounted there, a volume, or a device."""

from __future__ import annotations

import pytest

from tests.doubles.shelves import blank, part, parted, shelf
from zconsole.analysis.dependencies.dataset_or_device_of_path import PathPlaces
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

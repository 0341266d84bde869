"""Names of devices that last, and the kind of name that a pool prefers."""

from __future__ import annotations

import pytest

from zconsole.analysis.vdevs.disk_identity_and_links import naming_habit, stable_link
from zconsole.model.pools.disk_and_inventory import Disk


@pytest.mark.parametrize(
    ("expected", "paths"),
    [
        ("by-id/wwn-", ("/dev/disk/by-id/wwn-0x5-part1", "/dev/disk/by-id/wwn-0x6-part1", "/dev/sda1")),
        ("by-id/ata-", ("/dev/disk/by-id/ata-X_1-part1", "/dev/disk/by-id/ata-X_2")),
        ("by-id/scsi-3", ("/dev/disk/by-id/scsi-35000c500",)),
        ("by-id/nvme-eui.", ("/dev/disk/by-id/nvme-eui.01",)),
        ("by-vdev/", ("/dev/disk/by-vdev/A0", "/dev/disk/by-vdev/A1")),
        ("", ("/dev/disk/by-id/wwn-0x5", "/dev/disk/by-id/ata-X_1")),  # no majority
        ("", ("/dev/sda1", "/dev/disk/by-path/pci-0000:03")),
        ("", ()),
    ],
)
def test_the_habit_of_a_pool_is_how_most_of_its_devices_are_named(
    expected: str, paths: tuple[str, ...]
) -> None:
    assert expected == naming_habit(paths)


def test_a_disk_joins_by_the_name_that_the_pool_is_used_to() -> None:
    links = ("scsi-35000c5", "wwn-0x5000c5", "ata-X_1")
    disk = Disk("sda", "/dev/sda", "disk", 1 << 40, links=tuple(f"/dev/disk/by-id/{each}" for each in links))

    assert "/dev/disk/by-id/wwn-0x5000c5" == stable_link(disk, "by-id/wwn-")
    assert "/dev/disk/by-id/ata-X_1" == stable_link(disk, "by-id/ata-")
    assert "/dev/disk/by-id/scsi-35000c5" == stable_link(disk, "by-vdev/")  # it has no such name
    assert stable_link(disk) == stable_link(disk, "")

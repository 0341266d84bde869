"""Which disk of the kernel is behind each row."""

from __future__ import annotations

from tests.analysis.build import disk, group, pool
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.zfs.iostat.kernel_disk_of_row import device_names

LINK = "/dev/disk/by-id/ata-A-part1"
POOL = pool(
    group(
        "mirror-0",
        disk("ata-A", path=LINK),
        disk("sdb", path="/dev/sdb1"),
        disk("file", path="/srv/file"),
        disk("gone"),
    )
)
SDA = Disk("sda", "/dev/sda", "disk", children=(Disk("sda1", "/dev/sda1", "part"),))
SDB = Disk("sdb", "/dev/sdb", "disk", children=(Disk("sdb1", "/dev/sdb1", "part"),))


def sample(*names: str) -> IoSample:
    return IoSample("tank", 0.0, tuple(IoRow(name, None, None, 0.0, 0.0, 0.0, 0.0) for name in names))


def test_a_row_is_of_the_whole_disk_behind_its_link_or_path() -> None:
    inventory = Inventory((SDA, SDB), ((LINK, "sda1"),))

    found = device_names(POOL, sample("tank", "mirror-0", "ata-A", "sdb", "file", "gone"), inventory)

    assert (None, None, "sda", "sdb", None, None) == found


def test_a_link_to_a_disk_that_was_not_listed_keeps_its_name() -> None:
    inventory = Inventory((), ((LINK, "nvme0n1p1"),))

    assert (
        "nvme0n1p1"
        == device_names(POOL, sample("tank", "mirror-0", "ata-A", "sdb", "file", "gone"), inventory)[2]
    )

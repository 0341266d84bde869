"""Disks by their kernel names and links."""

from __future__ import annotations

from zconsole.model.pools.disk_and_inventory import Disk, Inventory

CRYPT = Disk("dm-0", "/dev/mapper/c", "crypt")
PART = Disk("sda1", "/dev/sda1", "part", children=(CRYPT,))
SDA = Disk("sda", "/dev/sda", "disk", children=(PART,))
INVENTORY = Inventory((SDA,), (("/dev/disk/by-id/a", "sda"), ("/dev/sda1", "elsewhere")))


def test_a_walk_goes_down_to_what_is_mapped() -> None:
    assert [SDA, PART, CRYPT] == list(SDA.walk())


def test_a_path_is_looked_for_among_the_links_first() -> None:
    assert "sda" == INVENTORY.kernel_name("/dev/disk/by-id/a")
    assert "elsewhere" == INVENTORY.kernel_name("/dev/sda1")
    assert "dm-0" == INVENTORY.kernel_name("/dev/mapper/c")
    assert INVENTORY.kernel_name("/dev/sdb") is None


def test_a_name_is_of_the_whole_disk_below_it() -> None:
    assert [SDA, SDA, SDA, None] == [INVENTORY.disk_of(name) for name in ("sda", "sda1", "dm-0", "sdb")]

"""A disk, found by a word, and what is against it."""

from __future__ import annotations

from tests.doubles.shelves import blank, shelf
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, resolve
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.disk_by_id import inventory

DISK = blank(4)


def found(
    word: str, *disks: Disk, links: tuple[tuple[str, str], ...] = ()
) -> JoiningDevice | DeviceObjection:
    """What a word means on a host with these disks; `links` beside those that udev makes."""
    made = shelf(*(disks or (DISK,)))
    return resolve(word, inventory(made.disks, (*made.links, *links)))

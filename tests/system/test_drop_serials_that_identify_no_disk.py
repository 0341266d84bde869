"""Serial numbers that identify no disk: never used, and told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.shelves import blank
from zconsole.analysis.vdevs.disk_identity_and_links import BY_NAME, disk_identity, serial_in_name
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.disk_by_id import inventory


def serials(*disks: Disk) -> list[str]:
    return [each.serial for each in inventory(disks, ()).disks]


def bridged(number: int, serial: str = "DD56419883891", **values: object) -> Disk:
    """A disk behind a USB bridge that tells no WWN."""
    return blank(number, **{"serial": serial, "wwn": "", **values})


@pytest.mark.parametrize(
    "serial", ["0000", "000000000000", "unknown", "Unknown", "None", "FFFFFFFF", "123456789"]
)
def test_a_placeholder_is_no_serial_number(serial: str) -> None:
    (found,) = inventory([bridged(0, serial)], ()).disks

    assert ("", serial) == (found.serial, found.reported_serial)
    assert BY_NAME == disk_identity(found)[0]
    assert "" == serial_in_name(f"ata-MODEL_{serial}")


def test_a_serial_number_of_two_disks_identifies_neither_and_leaves_both_apart() -> None:
    found = inventory([bridged(0), bridged(1), blank(2)], ()).disks

    assert ["", "", "SER0002"] == [each.serial for each in found]
    assert 3 == len({disk_identity(each) for each in found})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (blank(0), replace(blank(1), serial="SER0000", wwn=blank(0).wwn)),  # two ways to one disk
        (
            bridged(0, children=(Disk("dm-0", "/dev/mapper/mpatha", "mpath"),)),
            bridged(1, children=(Disk("dm-0", "/dev/mapper/mpatha", "mpath"),)),
        ),
        (bridged(0, name="nvme0n1"), bridged(1, name="nvme0n2")),  # namespaces
        (bridged(0, hctl="0:0:4:0"), bridged(1, hctl="0:0:4:1")),  # two actuators
    ],
)
def test_two_ways_to_one_disk_keep_its_serial_number(one: Disk, other: Disk) -> None:
    one, other = replace(one, hctl=one.hctl), replace(other, hctl=other.hctl)

    assert [one.serial, one.serial] == serials(one, other)


def test_what_is_not_used_is_kept_over_a_second_reading() -> None:
    once = inventory([bridged(0), bridged(1)], ()).disks

    assert once == inventory(once, ()).disks

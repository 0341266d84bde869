"""What is known of a pool's devices for a repair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import facts_of, trouble_at
from tests.doubles.shelves import blank, leaf, shelf, used
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves

POOL_GUID = 7


@pytest.mark.parametrize(
    ("devid", "serial"),
    [
        ("ata-ST8000NM000A-2KE101_ZL2F0B07-part1", "ZL2F0B07"),
        ("scsi-35000c500a0000001-part1", ""),  # the WWN, which is not printed as a serial number
        (None, ""),
    ],
)
def test_a_disk_that_is_gone_is_known_by_its_devid_where_its_name_has_no_serial(
    devid: str | None, serial: str
) -> None:
    gone = replace(leaf(1, "REMOVED"), name="wwn-0x5000c500a0000001", devid=devid)
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), gone), gone=(1,)))

    (found,) = (each.vdev for each in facts.devices.values() if each.vdev.name == gone.name)

    assert serial == facts.identity(found).serial


def place(bay: str) -> DiskPlace:
    """Where disk 1 of the pool was seen before."""
    return DiskPlace(POOL_GUID, 1001, "SER0001", "ST4000NM", bay, "pci-1", 1.0)


@pytest.mark.parametrize(("where", "others"), [("SER0001 (bay 1)", (0,)), ("SER0001 (was in bay 1)", (0, 2))])
def test_a_disk_that_is_gone_has_a_bay_as_long_as_no_other_disk_is_in_it(
    where: str, others: tuple[int, ...]
) -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "REMOVED")), guid=POOL_GUID)
    bays = tuple(
        Bay(f"Slot {at:02}", f"0:0:9:0/Slot {at:02}", at, (f"0:0:{disk}:0",))
        for at, disk in enumerate(others)
    )
    seen = replace(shelf(*map(blank, others)), shelves=Shelves((Enclosure("0:0:9:0", bays),)))
    facts = facts_of(replace(state, places=(place("1"),), inventory=Reading(seen, 0.0)))

    (gone,) = (each.vdev for each in facts.devices.values() if each.vdev.state == "REMOVED")

    assert where == facts.identity(gone).labelled


def test_another_disk_at_the_path_of_a_disk_that_is_gone_is_not_taken_for_it() -> None:
    """A path that names a slot leads to whatever is in the slot."""
    slot = "/dev/disk/by-path/pci-0-scsi-0:0:2:0"
    gone = replace(leaf(1, "UNAVAIL"), name="pci-0-scsi-0:0:2:0", path=f"{slot}-part1")
    state = trouble_at(group("mirror-0", leaf(0), gone), guid=POOL_GUID)
    seen = shelf(used(0), used(2))

    before = facts_of(replace(state, inventory=Reading(seen, 0.0)))
    after = facts_of(replace(state, inventory=Reading(seen, 0.0), places=(place("1"),)))

    (found,) = (each.vdev for each in before.devices.values() if each.vdev.name == gone.name)
    assert ("SER0002", True) == (before.identity(found).serial, before.identity(found).is_present)
    (found,) = (each.vdev for each in after.devices.values() if each.vdev.name == gone.name)
    assert ("SER0001", False) == (after.identity(found).serial, after.identity(found).is_present)

"""Places of disks: kept while they are seen, told when they are gone, also by the next console."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, facts_of, place_of, trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.collect.readings.keep_and_recall_disk_places import with_places
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves
from zconsole.storage.disks.disk_health_samples import DiskHealthStore
from zconsole.storage.disks.disk_places import FILE, DiskPlaceStoreError

RAIDZ = "raidz2-0"


def in_shelf(state: HostState) -> HostState:
    """The host with a shelf: disk N is in bay N + 10."""
    known = state.inventory.value
    assert known is not None
    bays = tuple(Bay(f"Slot {at + 10}", "f", at + 10, (f"0:0:{at}:0",)) for at in range(6))
    shelves = Shelves((Enclosure("0:0:24:0", bays),))
    return replace(state, inventory=replace(state.inventory, value=replace(known, shelves=shelves)))


def raidz(*pulled: int) -> HostState:
    """A raidz2 whose disk 0 failed an hour ago; the pulled ones vanished since."""
    leaves = [leaf(at, "FAULTED" if at == 0 else "REMOVED" if at in pulled else "ONLINE") for at in range(5)]
    events = [changed(0, 60), *(changed(at, 2, "REMOVED") for at in pulled)]
    return in_shelf(trouble_at(group(RAIDZ, *leaves), gone=pulled, events=events))


async def test_a_disk_that_was_pulled_is_told_by_serial_number_and_bay(tmp_path: Path) -> None:
    """Also by a console that has never seen it: what an earlier one kept is read."""
    kept = DiskHealthStore(tmp_path / "disk-health.sqlite")
    await with_places(raidz(), NOW - 300, kept)

    state = await with_places(raidz(2), NOW, kept)

    facts = facts_of(state)
    found = facts.identity(place_of(facts, 2).member)
    assert ("SER0002", "12", False) == (found.serial, found.bay, found.is_present)
    gone = next(each for each in host_disks(state) if each.disk is None)
    assert ("SER0002", "12") == (gone.serial, gone.bay)


async def test_the_stop_for_two_wrong_disks_names_both_with_their_bays(tmp_path: Path) -> None:
    kept = DiskHealthStore(tmp_path / "disk-health.sqlite")
    await with_places(raidz(), NOW - 300, kept)

    state = await with_places(raidz(2, 3), NOW, kept)

    alarm = repairs(state, (), NOW)[0].alarm
    assert alarm.startswith("STOP: 2 wrong disks were pulled, or lost their contact. ")
    assert "Put back SER0002 (bay 12) and SER0003 (bay 13)" in alarm
    assert "the failed one is SER0000 (bay 10), still in the host" in alarm


async def test_without_a_file_the_state_itself_remembers() -> None:
    before = await with_places(raidz(), NOW - 300, None)

    state = await with_places(replace(raidz(2), places=before.places), NOW, None)

    assert "12" == facts_of(state).identity(place_of(facts_of(state), 2).member).bay


async def test_another_disk_in_the_slot_of_one_that_is_gone_is_not_taken_for_it() -> None:
    """A path that names a slot leads to whatever is in it."""
    before = await with_places(raidz(), NOW - 300, None)
    state = raidz(2)
    inventory = state.inventory.value
    assert inventory is not None
    path = place_of(facts_of(state), 2).member.path or ""
    swapped = replace(inventory, links=(*inventory.links, (path, "sdb1")))
    state = replace(state, inventory=Reading(swapped, 0.0), places=before.places)

    after = await with_places(state, NOW, None)

    assert "SER0002" in {each.serial for each in after.places}


async def test_places_that_stay_the_same_leave_the_state_as_it_is(tmp_path: Path) -> None:
    kept = DiskHealthStore(tmp_path / "disk-health.sqlite")
    state = await with_places(raidz(), NOW - 300, kept)

    assert state is await with_places(state, NOW, kept)


async def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database, but it is long enough" * 40)

    with pytest.raises(DiskPlaceStoreError):
        await with_places(raidz(), NOW, DiskHealthStore(tmp_path / "disk-health.sqlite"))

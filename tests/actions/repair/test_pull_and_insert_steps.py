"""Identify, take out, new disk: what is to be done with the disks in hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW as AT
from tests.analysis.build import group, in_class
from tests.doubles.repair_worlds import ran, slow_disk, the_repair, trouble_at
from tests.doubles.shelves import TB, blank, leaf, link, serial
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import Scan, Vdev
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState

REPLACE = RepairStepKind.REPLACE
IDENTIFY, TAKE_OUT, NEW_DISK = RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT, RepairStepKind.NEW_DISK
DONE, NOW, NEXT = RepairStepState.DONE, RepairStepState.NOW, RepairStepState.NEXT
NOT_NEEDED, HELD = RepairStepState.NOT_NEEDED, RepairStepState.HELD
FAULTED = group("mirror-0", leaf(0), leaf(1, "FAULTED", note="too many errors"))
SLOW = group("mirror-0", leaf(0), leaf(1))
SPARED = group("mirror-0", leaf(0), group("spare-1", leaf(1), leaf(2)))
CACHE = in_class(leaf(1, "UNAVAIL"), "cache")


def states(repair: Repair) -> tuple[RepairStepState, ...]:
    return tuple(repair.step(kind).state for kind in (IDENTIFY, TAKE_OUT, NEW_DISK))


@pytest.mark.parametrize(
    ("expected", "state"),
    [
        ((NOW, NEXT, NEXT), trouble_at(FAULTED)),  # one slot, no other disk
        ((NOT_NEEDED, NOT_NEEDED, DONE), trouble_at(FAULTED, unused=1)),  # both are in
        ((DONE, DONE, NOW), trouble_at(FAULTED, gone=[1])),  # pulled, nothing there yet
        ((DONE, DONE, DONE), trouble_at(FAULTED, gone=[1], unused=1)),  # pulled, the new one arrived
        ((DONE, NOW, NEXT), trouble_at(group("mirror-0", leaf(0), leaf(1, "OFFLINE")), gone=[])),
        ((NOT_NEEDED, NOT_NEEDED, NOT_NEEDED), trouble_at(SPARED)),
    ],
)
def test_where_the_disks_stand(expected: tuple[RepairStepState, ...], state: HostState) -> None:
    entries = [ran("offline", "1001", title="take offline SER0001 of tank")] if expected[1] is NOW else []

    assert expected == states(the_repair(state, 1, *entries))


def test_a_cache_is_removed_and_its_steps_with_disks_are_not_needed() -> None:
    repair = the_repair(trouble_at(group("mirror-0", leaf(2), leaf(3)), CACHE), 1)

    assert (NOT_NEEDED, NOT_NEEDED, NOT_NEEDED) == states(repair)
    assert ["remove"] == [each.action for each in repair.step(RepairStepKind.REPLACE).offers]


def test_once_the_led_was_lit_the_disk_is_taken_out() -> None:
    lit = ran("locate", "1001", title="turn on the locate LED of SER0001 of tank")

    assert (DONE, NOW, NEXT) == states(the_repair(trouble_at(FAULTED), 1, lit))


def test_the_disk_is_named_with_what_must_not_be_touched() -> None:
    found = the_repair(trouble_at(FAULTED), 1).step(IDENTIFY).found

    assert f"serial {serial(1)}, ST4000NM, at 0:0:1:0" == found[0]
    assert f"do not touch {serial(0)}: mirror-0 survives no other failure" == found[1]


def test_disks_of_every_vdev_without_redundancy_are_not_to_be_touched() -> None:
    first = group("mirror-0", leaf(0), leaf(1, "FAULTED"))
    second = group("mirror-1", leaf(2), leaf(3, "OFFLINE"))
    sound, single = group("mirror-2", leaf(4), leaf(5)), leaf(6)

    found = the_repair(trouble_at(first, second, sound, single), 1).step(RepairStepKind.IDENTIFY).found

    assert [
        f"do not touch {serial(0)}: mirror-0 survives no other failure",
        f"do not touch {serial(2)}: mirror-1 survives no other failure",
    ] == [each for each in found if each.startswith("do not touch")]


def test_the_bays_on_both_sides_are_named() -> None:
    bays = tuple(Bay(f"Slot {at}", f"f/{at}", at, (f"0:0:{at}:0",)) for at in range(3))
    state = trouble_at(FAULTED, unused=1)
    assert state.inventory.value is not None
    known = replace(state.inventory.value, shelves=Shelves((Enclosure("0:0:9:0", bays),)))

    found = the_repair(replace(state, inventory=Reading(known, 0.0)), 1).step(IDENTIFY).found

    assert f"serial {serial(1)}, ST4000NM, bay 1" == found[0]
    assert f"next to it: {serial(0)} (bay 0), {serial(2)} (bay 2)" == found[1]
    assert f"do not touch {serial(0)} (bay 0): mirror-0 survives no other failure" == found[2]


def test_where_redundancy_is_left_nothing_else_is_forbidden() -> None:
    tops = group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2), leaf(3))

    assert 1 == len(the_repair(trouble_at(tops), 1).step(IDENTIFY).found)


def test_a_disk_that_serves_stays_in_and_may_be_taken_offline_where_no_bay_is_free() -> None:
    repair = the_repair(trouble_at(SLOW, slow=[slow_disk(1, "mirror-0")]), 1)
    step = repair.step(TAKE_OUT)

    assert (NOT_NEEDED, NOT_NEEDED, NOW) == states(repair)
    assert "put the new disk into a free bay" in step.reason
    assert ["offline"] == [each.action for each in step.offers]


@pytest.mark.parametrize(
    "top",
    [
        group("mirror-0", leaf(0, "FAULTED"), leaf(1, "DEGRADED")),
        leaf(1, "DEGRADED"),
        group("raidz1-0", leaf(0, "FAULTED"), leaf(1, "DEGRADED"), leaf(2)),
    ],
)
def test_the_last_copy_is_not_taken_out(top: Vdev) -> None:
    repair = the_repair(trouble_at(top), 1)
    step = repair.step(TAKE_OUT)

    assert HELD is step.state
    assert "would not survive it" in step.reason
    assert () == step.offers


def test_a_disk_that_does_not_fit_is_named_with_the_reason() -> None:
    state = trouble_at(FAULTED, gone=[1], disks=[blank(7, size_bytes=3 * TB)])

    step = the_repair(state, 1).step(NEW_DISK)

    assert NOW is step.state
    assert "the new disk needs at least 4.00 TB (3.64 TiB)" in step.found[0]
    assert f"{serial(7)} does not fit: too small by 931 GiB" == step.found[1]


def test_the_best_disk_is_named_and_others_are_counted() -> None:
    step = the_repair(trouble_at(FAULTED, gone=[1], unused=3), 1).step(NEW_DISK)

    assert (
        f"{serial(2)}, 3.64 TiB, ST4000NM: fits, SMART unknown",
        "2 other disks fit",
        f"{serial(2)} has had no read test; the test reads 192 MiB and writes nothing",
    ) == step.found
    assert [True] == [each.wants_disk for each in step.offers]


def test_a_disk_that_was_tested_is_not_to_be_tested_again() -> None:
    disk = blank(2)
    test = ReadTest(disk_identity(disk), 1.0, ReadTestOutcome.PASSED, 192 << 20, 1.0)
    state = replace(trouble_at(FAULTED, gone=[1], unused=1), read_tests=(test,))

    step = the_repair(state, 1).step(NEW_DISK)

    assert ("", 1) == (step.untested, len(step.found))
    assert step.found[0].endswith("fits, SMART unknown, read test 192 MiB/s")


def test_a_disk_whose_read_test_failed_does_not_fit_and_the_next_one_is_tested() -> None:
    words = "dd: error reading: Input/output error"
    test = ReadTest(disk_identity(blank(2)), 1.0, ReadTestOutcome.FAILED, words=words)
    state = replace(trouble_at(FAULTED, gone=[1], unused=2), read_tests=(test,))

    repair = the_repair(state, 1)

    assert repair.step(NEW_DISK).found[0].startswith(serial(3))
    assert link(3) == repair.step(NEW_DISK).untested
    assert link(2) not in {word for each in repair.step(REPLACE).offers for word in each.arguments}


def test_while_something_speaks_against_it_no_disk_is_chosen() -> None:
    state = trouble_at(FAULTED, gone=[1], unused=1, checkpoint_bytes=4096)

    assert () == the_repair(state, 1).step(NEW_DISK).offers


def test_with_a_free_bay_a_disk_that_serves_is_replaced_in_place_and_not_taken_offline_first() -> None:
    bays = (Bay("Slot 01", "6:0:12:0/Slot 01", 1, ("6:0:1:0",)), Bay("Slot 02", "6:0:12:0/Slot 02", 2))
    state = trouble_at(SLOW, slow=[slow_disk(1, "mirror-0")])
    assert state.inventory.value is not None
    known = replace(state.inventory.value, shelves=Shelves((Enclosure("6:0:12:0", bays),)))

    step = the_repair(replace(state, inventory=Reading(known, 0.0)), 1).step(TAKE_OUT)

    assert NOT_NEEDED is step.state
    assert "into a free bay (2)" in step.reason
    assert () == step.offers


def in_shelf(state: HostState, *numbers: int) -> HostState:
    """The host with these disks, disk `n` in bay `n` of 6, and disk 1 last seen in bay 2."""
    bays = tuple(
        Bay(f"Slot {at}", f"f/{at}", at, (f"0:0:{at}:0",) if at in numbers else ()) for at in range(6)
    )
    assert state.inventory.value is not None
    known = replace(state.inventory.value, shelves=Shelves((Enclosure("0:0:9:0", bays),)))
    last = DiskPlace(7, 1001, serial(1), "ST4000NM", "2", "", 1.0)
    return replace(state, inventory=Reading(known, 0.0), places=(last,))


@pytest.mark.parametrize(
    ("act", "state"),
    [
        (" into bay 2", in_shelf(trouble_at(FAULTED, gone=[1], guid=7), 0)),
        (
            f" into a free bay; bay 2 has {serial(2)}, which serves: leave it in",
            in_shelf(trouble_at(FAULTED, group("mirror-1", leaf(2), leaf(3)), gone=[1], guid=7), 0, 2, 3),
        ),
        (
            f" into a free bay, or in place of {serial(2)} into bay 2",
            in_shelf(trouble_at(FAULTED, gone=[1], disks=[blank(2, size_bytes=3 * TB)], guid=7), 0, 2),
        ),
    ],
)
def test_a_new_disk_goes_into_the_old_bay_unless_another_disk_is_in_it(act: str, state: HostState) -> None:
    assert f"insert a new disk of at least 4.00 TB (3.64 TiB){act}" == the_repair(state, 1).step(NEW_DISK).act


def test_an_empty_bay_beside_the_disk_is_named_too() -> None:
    found = the_repair(in_shelf(trouble_at(FAULTED), 0, 1), 1).step(IDENTIFY).found

    assert f"next to it: {serial(0)} (bay 0), bay 2 empty" == found[1]


def test_at_the_moment_of_pulling_it_is_said_what_must_stay_in() -> None:
    lit = ran("locate", "1001", title="turn on the locate LED of SER0001 of tank")

    found = the_repair(trouble_at(FAULTED), 1, lit).step(TAKE_OUT).found

    assert f"do not touch {serial(0)}: mirror-0 survives no other failure" == found[1]


RUNNING = Scan("resilver", "scanning", start=int(AT) - 600, percent=9.0, errors=0)


def test_while_another_disk_is_filled_nothing_is_pulled() -> None:
    filling = group("replacing-2", leaf(2, "FAULTED"), leaf(3, is_resilvering=True))
    top = group("raidz2-0", leaf(0), leaf(1, "FAULTED"), filling, leaf(4))

    repair = the_repair(trouble_at(top, scan=RUNNING), 1)

    assert (NEXT, NEXT, NEXT) == states(repair)
    assert REPLACE is repair.current.kind  # type: ignore[union-attr]
    assert "pull nothing, and wait" in repair.step(REPLACE).act
    assert f"do not touch {serial(3)}: the resilver fills it" in repair.step(IDENTIFY).found


def test_while_its_own_spare_is_filled_a_failed_disk_may_be_taken_out_and_the_spare_not() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True)))
    lit = ran("locate", "1001", title="turn on the locate LED of SER0001 of tank")

    found = the_repair(trouble_at(spared, scan=RUNNING), 1, lit).step(TAKE_OUT).found

    assert f"do not touch {serial(2)}: the resilver fills it" in found


def test_a_failed_disk_that_stays_in_adds_no_redundancy() -> None:
    reason = the_repair(trouble_at(FAULTED, unused=1), 1).step(TAKE_OUT).reason

    assert f"{serial(2)} is already in the host: pull {serial(1)} after the resilver onto it" == reason

"""After the resilver: what is verified, what is left to do, and who did what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW, group, scrubbed
from tests.doubles.repair_worlds import ran, trouble_at
from tests.doubles.shelves import leaf, link, serial, used
from zconsole.actions.repair.repairs_of_host import ended_repairs, repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState, RepairTrouble
from zconsole.model.run import RunState

SOUND = group("mirror-0", leaf(0), leaf(1))
ENDED = Scan(
    "resilver", "finished", start=int(NOW) - 7200, end=int(NOW) - 600, repaired_bytes=190 << 20, errors=0
)


def after(state: HostState, *entries: Entry) -> list[Repair]:
    return [each for each in repairs(state, entries, NOW) if each.trouble is RepairTrouble.AFTER_CARE]


def test_a_resilver_that_ended_is_followed_by_a_scrub() -> None:
    (repair,) = after(trouble_at(SOUND, scan=ENDED))

    assert repair.current is not None
    assert RepairStepKind.AFTER_CARE is repair.current.kind
    assert ("every vdev is complete again", "no scrub has run since the resilver") == repair.current.found
    assert ["scrub"] == [each.action for each in repair.current.offers]
    assert repair.step(RepairStepKind.RESILVER).found[0].startswith("190 MiB copied in 1h50m, 0 errors")


@pytest.mark.parametrize(
    "scan",
    [
        None,
        scrubbed(days_ago=0.1),
        replace(ENDED, state="scanning"),
        replace(ENDED, state="canceled"),
        replace(ENDED, end=int(NOW) - 15 * DAY),
    ],
)
def test_nothing_is_left_once_a_scrub_began_or_long_after(scan: Scan | None) -> None:
    assert [] == after(trouble_at(SOUND, scan=scan))


def test_while_a_device_is_still_missing_it_waits() -> None:
    broken = group("mirror-0", leaf(0), leaf(1, "FAULTED"))

    assert [] == after(trouble_at(broken, scan=ENDED))


def test_counters_are_cleared_before_the_scrub() -> None:
    erring = group("mirror-0", leaf(0), leaf(1, write_errors=Count(3)))

    (repair,) = after(trouble_at(erring, scan=ENDED))

    assert repair.current is not None
    assert ["clear", "scrub"] == [each.action for each in repair.current.offers]
    assert f"{serial(1)} still counts 3 write errors" in repair.current.found


def test_room_of_larger_disks_is_offered() -> None:
    grown = group("mirror-0", leaf(0, expandable_bytes=1 << 40), leaf(1), expandable_bytes=1 << 40)

    (repair,) = after(trouble_at(grown, scan=ENDED))

    assert repair.current is not None
    offer = repair.current.offers[-1]
    assert ("online", ("1000",), (("expand", True),)) == (offer.action, offer.arguments, offer.options)


def test_the_journal_tells_who_replaced_what() -> None:
    run = ran("replace", "1001", "/dev/x", minutes_ago=125, title="replace SER0001 of tank", who="anna")
    other = replace(run, id="x", intent=run.intent.replace("tank", "bulk"))
    old = ran("replace", "1001", "/dev/y", minutes_ago=60 * 24 * 9)

    (repair,) = after(trouble_at(SOUND, scan=ENDED), run, other, old)

    assert ("SER0001", ["anna"]) == (repair.device.name, [each.who for each in repair.runs])
    assert "anna: replace SER0001 of tank: done" in repair.step(RepairStepKind.REPLACE).found[0]


def test_without_a_replacement_in_the_journal_none_is_claimed() -> None:
    plain = ran("online", "1001", minutes_ago=11, title="online SER0001 of tank")
    stale = replace(ran("replace", "1001", "/dev/x", minutes_ago=12), state=RunState.STALE)
    failed = replace(ran("replace", "1001", "/dev/x", minutes_ago=13), state=RunState.FAILED)

    for entries in ([], [plain], [stale], [failed], [failed, stale, plain]):
        (repair,) = after(trouble_at(SOUND, scan=ENDED), *entries)

        assert "tank" == repair.device.name
        assert {RepairStepState.NOT_NEEDED} == {each.state for each in repair.steps[:5]}
        assert RepairStepState.DONE is repair.step(RepairStepKind.RESILVER).state
        assert not any("old disk" in each for each in repair.steps[-1].found)
        assert () == ended_repairs(trouble_at(SOUND, scan=scrubbed(days_ago=0.0001)), entries, NOW)


def test_a_later_online_does_not_take_the_name_of_the_replaced_disk() -> None:
    done = ran("replace", "1001", "/dev/x", minutes_ago=125)
    later = replace(ran("online", "1000", minutes_ago=20), target="SER0000")

    (repair,) = after(trouble_at(SOUND, scan=ENDED), done, later)

    assert "SER0001" == repair.device.name
    assert RepairStepState.DONE is repair.step(RepairStepKind.REPLACE).state


def test_once_the_scrub_began_the_replacement_is_told_as_ended() -> None:
    run = replace(
        ran("replace", "1001", "/dev/x", minutes_ago=60 * 9, title="replace SER0001 of tank"),
        steps=(StepEntry(("zpool", "replace", "tank", "1001", "/dev/x")),),
    )
    scrub = trouble_at(SOUND, scan=scrubbed(days_ago=0.1))

    (ended,) = ended_repairs(scrub, [run], NOW)

    assert ended.current is None
    assert ["anna"] == [each.who for each in ended.runs]
    assert "the scrub ended 2027-01-15 05:36 UTC with 0 errors" == ended.steps[-1].found[0]
    assert () == ended_repairs(trouble_at(SOUND, scan=ENDED), [run], NOW)
    assert () == ended_repairs(scrub, [], NOW)
    assert () == ended_repairs(scrub, [ran("offline", "1001", minutes_ago=600)], NOW)
    assert () == ended_repairs(scrub, [replace(run, started=NOW - 60)], NOW)  # after the scrub


NEW = group("mirror-0", leaf(0), leaf(2))
REPLACED = ran("replace", "1001", "/dev/x", minutes_ago=125, title="replace SER0001 of tank")
LIT = ran("locate", "1001", minutes_ago=130, title="turn on the locate LED of SER0001 of tank")


def test_an_old_disk_that_is_still_in_the_host_is_to_be_pulled() -> None:
    """Also in the report, once the scrub began."""
    there, gone = trouble_at(NEW, scan=ENDED, disks=[used(1)]), trouble_at(NEW, scan=ENDED)

    for state, told in ((there, RepairStepState.NEXT), (gone, RepairStepState.DONE)):
        (repair,) = after(state, REPLACED)
        step = repair.step(RepairStepKind.TAKE_OUT)
        assert told is step.state
        assert RepairStepKind.AFTER_CARE is (repair.current or step).kind
    (ended,) = ended_repairs(trouble_at(NEW, scan=scrubbed(days_ago=0.001), disks=[used(1)]), [REPLACED], NOW)
    (words,) = ended.step(RepairStepKind.TAKE_OUT).found
    assert words.startswith(f"pull {serial(1)} ")
    assert (1001, serial(1), True) == (ended.device.guid, ended.device.serial, ended.device.is_present)


def test_the_led_of_the_old_disk_is_turned_off_while_the_disk_is_there() -> None:
    there = trouble_at(NEW, scan=ENDED, disks=[used(1)])
    off = ran("locate", link(1), minutes_ago=3, title="turn off the locate LED of SER0001 that tank ...")

    for state, entries, lights in (
        (there, [LIT, REPLACED], [(link(1),)]),
        (there, [REPLACED], []),
        (there, [LIT, REPLACED, off], []),
        (trouble_at(NEW, scan=ENDED), [LIT, REPLACED], []),
    ):
        (repair,) = after(state, *entries)
        offers = repair.steps[-1].offers
        assert lights == [each.arguments for each in offers if each.action == "locate"]
        assert not any("LED" in each for each in repair.step(RepairStepKind.REPLACE).found)


def test_runs_on_the_led_are_in_the_report() -> None:
    (repair,) = after(trouble_at(NEW, scan=ENDED), LIT, REPLACED)

    assert [LIT.title, REPLACED.title] == [each.title for each in repair.runs]


def test_a_resilver_of_what_was_missed_is_no_replacement() -> None:
    top = replace(SOUND, allocated_bytes=1 << 40)
    (repair,) = after(trouble_at(top, scan=ENDED))

    assert repair.safety.startswith("Every vdev is complete: ZFS copied what was written while a disk was")
    reasons = {each.reason for each in repair.steps if each.state is RepairStepState.NOT_NEEDED}
    assert {"no disk was replaced"} == reasons


@pytest.mark.parametrize(("is_told", "minutes", "errors"), [(True, 5, 0), (False, 500, 0), (False, 5, 1)])
def test_counters_that_were_cleared_since_are_told_with_the_time_without_an_error(
    is_told: bool, minutes: float, errors: int
) -> None:
    event = Event(NOW - minutes * 60, "sysevent.fs.zfs.vdev_clear", "tank", None, (("vdev_guid", hex(1001)),))
    top = group("mirror-0", leaf(0), leaf(1, read_errors=Count(errors)))

    (repair,) = after(trouble_at(top, scan=ENDED, events=(event,)))

    assert repair.current is not None
    told = any("no new error for 5m: watch whether they" in each for each in repair.current.found)
    assert is_told is told

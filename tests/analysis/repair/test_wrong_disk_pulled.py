"""A sound disk that was pulled in place of the failed one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, error, facts_of, place_of, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.repair.departed_disk_evidence import departed
from zconsole.analysis.repair.wrong_disk_pulled import wrongly_pulled
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause, RepairStepKind, RepairStepState
from zconsole.views.repair.due_step import due_in_words

FAILED = leaf(1, "FAULTED", write_errors=Count(486))


def pulled(
    *others: Vdev, gone: tuple[int, ...] = (2,), events: tuple[Event, ...] | None = None, **values: object
) -> HostState:
    told = (changed(1, 30), changed(2, 1, "REMOVED")) if events is None else events
    tops = group("raidz2-0", leaf(0), FAILED, *(others or (leaf(2, "REMOVED"), leaf(3))))
    return trouble_at(tops, gone=gone, events=told, **values)  # type: ignore[arg-type]


def names(state: HostState) -> list[int | None]:
    facts = facts_of(state)
    return [each.guid for each in wrongly_pulled(facts, place_of(facts, 1))]


def test_a_disk_without_an_error_that_vanishes_after_the_failure_was_the_wrong_one() -> None:
    assert [1002] == names(pulled())


def test_errors_that_the_pulling_itself_causes_do_not_count() -> None:
    events = (changed(1, 30), error(2, 1.1), changed(2, 1, "REMOVED"))

    assert [1002] == names(pulled(events=events))


@pytest.mark.parametrize(
    "state",
    [
        pulled(gone=()),  # it is still there
        pulled(events=(changed(2, 30, "REMOVED"), changed(1, 1))),  # it was gone before
        pulled(events=()),  # nobody knows which went first
        pulled(leaf(2, "REMOVED", write_errors=Count(5)), leaf(3)),  # it had errors of its own
        pulled(events=(changed(1, 30), error(2, 20), changed(2, 1, "REMOVED"))),  # reports long before
        pulled(leaf(2, "OFFLINE"), leaf(3)),  # somebody took it offline
    ],
)
def test_what_is_no_wrong_disk(state: HostState) -> None:
    assert [] == names(state)


def both_out(*events: Event, **of_failed: object) -> HostState:
    """The failed disk 1 was taken out 20 minutes ago, and disk 2 vanished a minute ago."""
    told = (*events, changed(1, 20, "REMOVED"), changed(2, 1, "REMOVED"))
    tops = group("raidz2-0", leaf(0), leaf(1, "REMOVED", **of_failed), leaf(2, "REMOVED"), leaf(3))
    return trouble_at(tops, gone=(1, 2), events=told)


def test_a_sound_disk_that_vanishes_after_the_failed_one_was_taken_out_stops_loudly() -> None:
    state = both_out(changed(1, 30))

    repair = the_repair(state, 1)

    assert repair.alarm.startswith("STOP: a sound disk is gone: it was pulled, or lost its contact.")
    assert f"Put back {serial(2)}" in repair.alarm
    assert f"the failed one, {serial(1)}" in repair.alarm
    assert "is out already" in repair.alarm
    assert repair.is_stop
    assert "put-back" in [each.id for each in the_repair(state, 2).not_now]


def test_errors_that_zfs_cleared_as_the_failed_disk_went_still_tell_that_it_had_failed() -> None:
    before = trouble_at(group("raidz2-0", leaf(0), FAILED, leaf(2), leaf(3)))
    state = both_out()
    state = replace(state, evidence=departed(before, state, NOW))

    assert [1002] == names(state)


def test_two_disks_that_vanish_without_any_known_failure_are_no_alarm() -> None:
    """A cable or a shelf takes several at once: neither is known to have failed."""
    assert [] == names(both_out())


def test_a_bay_that_this_console_never_saw_is_the_one_that_zfs_knows() -> None:
    enclosure = ("vdev_enc_sysfs_path", "/sys/class/enclosure/0:0:24:0/Slot 07")
    told = replace(changed(2, 1, "REMOVED"), fields=(*changed(2, 1, "REMOVED").fields, enclosure))

    alarm = the_repair(pulled(events=(changed(1, 30), told)), 1).alarm

    assert f"Put back {serial(2)} (bay 07)" in alarm or f"Put back {serial(2)} (bay 7)" in alarm


@pytest.mark.parametrize(
    ("bay", "values"),
    [
        ("7", {"enclosure_path": "/sys/class/enclosure/0:0:24:0/Slot 07"}),
        ("30 32", {"enclosure_path": "/sys/class/enclosure/0:0:1:0/30 32"}),
        ("enc1-s4", {"path": "/dev/disk/by-vdev/enc1-s4-part1"}),
        ("enc1-s4", {"path": None, "name": "1002", "note": "was /dev/disk/by-vdev/enc1-s4-part1"}),
    ],
)
def test_the_bay_comes_from_what_zfs_still_tells(bay: str, values: dict[str, str]) -> None:
    facts = facts_of(pulled(replace(leaf(2, "REMOVED"), **values), leaf(3)))  # type: ignore[arg-type]

    assert bay == facts.identity(place_of(facts, 2).member).bay


def test_where_bay_and_serial_are_unknown_the_alarm_says_so_and_how_to_find_the_disk() -> None:
    nameless = replace(leaf(2, "REMOVED"), name="wwn-0x5000c50000000002", phys_path="pci-0-sas-phy2")
    others = (leaf(0), replace(leaf(3), phys_path="pci-0-sas-phy3"))
    tops = group("raidz2-0", replace(others[0], phys_path="pci-0-sas-phy1"), FAILED, nameless, others[1])
    state = trouble_at(tops, gone=(2,), events=(changed(1, 30), changed(2, 1, "REMOVED")))

    alarm = the_repair(state, 1).alarm

    assert "its bay and serial number are not known to this console" in alarm
    assert "none of the disks that the host still sees" in alarm
    assert f"by its path it was beside {serial(0)} (at pci-0-sas-phy1) and {serial(3)}" in alarm


def test_the_alarm_names_what_to_put_back_and_why_nothing_is_lost() -> None:
    repair = the_repair(pulled(), 1)

    assert repair.alarm.startswith(
        f"STOP: the wrong disk was pulled, or lost its contact. Put back {serial(2)}"
    )
    assert serial(1) in repair.alarm
    assert "Nothing is known to be lost yet (no redundancy left in raidz2-0)" in repair.alarm
    assert repair.alarm.endswith(". If it is dead, replace it all the same")
    held = {step.kind for step in repair.steps if step.state is RepairStepState.HELD}
    assert {RepairStepKind.TAKE_OUT, RepairStepKind.REPLACE} == held


def test_of_a_suspended_pool_it_says_that_nothing_is_written() -> None:
    tops = group("mirror-0", FAILED, leaf(2, "REMOVED"))
    state = trouble_at(tops, gone=[2], events=(changed(1, 30), changed(2, 1)), state="SUSPENDED")

    assert "tank is suspended, so nothing is written" in the_repair(state, 1).alarm
    assert "is dead" not in the_repair(state, 1).alarm


def test_a_suspended_pool_whose_status_is_of_before_says_what_to_put_back() -> None:
    """`zpool status` may wait with the pool: that a disk is gone is seen among the disks of the host only."""
    tops = group("mirror-0", FAILED, leaf(2))
    repair = the_repair(trouble_at(tops, gone=[2], events=(changed(1, 30),), state="SUSPENDED"), 1)

    assert f"Put back {serial(2)}" in repair.alarm
    assert "runs on" not in repair.safety
    assert [] == names(trouble_at(tops, gone=[2], events=(changed(1, 30),)))


def test_it_goes_on_by_itself_once_the_disk_is_back() -> None:
    back = trouble_at(
        group("raidz2-0", leaf(0), FAILED, leaf(2), leaf(3)),
        events=(changed(1, 30), changed(2, 1, "REMOVED"), changed(2, 0, "ONLINE")),
        unused=1,
    )

    repair = the_repair(back, 1)

    assert "" == repair.alarm
    assert repair.current is not None
    assert RepairStepKind.REPLACE is repair.current.kind


def test_the_pulled_disk_is_put_back_and_not_replaced() -> None:
    repair = the_repair(pulled(unused=1), 2)

    assert repair.alarm.startswith(f"the wrong disk was pulled, or lost its contact: put {serial(2)} back")
    assert repair.alarm.endswith(". If it is dead, replace it all the same")
    assert repair.current is not None
    assert RepairStepKind.TRIAGE is repair.current.kind
    assert () == repair.current.offers
    assert RepairStepState.HELD is repair.step(RepairStepKind.REPLACE).state


def test_a_disk_that_serves_with_errors_is_not_said_to_have_failed() -> None:
    tops = group("raidz2-0", leaf(0), leaf(1, read_errors=Count(4)), leaf(2, "REMOVED"), leaf(3))
    state = trouble_at(tops, gone=(2,), events=(error(1, 30), changed(2, 1, "REMOVED")))

    alarm = the_repair(state, 1).alarm
    assert alarm.startswith("STOP: a sound disk is gone: it was pulled, or lost its contact.")
    assert f"leave {serial(1)} (at 0:0:1:0), the one with errors, in" in alarm
    (put_back,) = (each for each in the_repair(state, 2).not_now if each.id == "put-back")
    assert f"{serial(1)} is ONLINE with errors and is still in the host" in put_back.reason


def test_a_suspended_pool_waits_for_all_that_are_out_whenever_they_went() -> None:
    """ZFS tells no event of the last one: its own log waits with the pool."""
    tops = group("raidz2-0", leaf(0), FAILED, leaf(2, "REMOVED"), leaf(3, "REMOVED"))
    state = trouble_at(
        tops, gone=(2, 3), events=(changed(1, 30), changed(2, 1, "REMOVED")), state="SUSPENDED"
    )

    repair, other = the_repair(state, 1), the_repair(state, 3)

    assert repair.is_stop
    assert all(serial(number) in repair.alarm for number in (2, 3))
    assert (
        f"put {serial(2)} back into any empty bay and put {serial(3)} back into any empty bay, then clear"
        == (due_in_words(other))
    )


def test_nothing_is_pulled_out_of_a_suspended_pool_and_what_is_back_stays() -> None:
    back = replace(leaf(2, "REMOVED"), state="REMOVED")
    tops = group("raidz2-0", leaf(0), FAILED, back, leaf(3, "FAULTED"))
    state = trouble_at(tops, events=(changed(1, 30), changed(2, 1, "REMOVED")), state="SUSPENDED")

    dead, returned = the_repair(state, 1), the_repair(state, 2)

    assert "pull nothing while tank is suspended" == dead.step(RepairStepKind.TAKE_OUT).reason
    for kind in (RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT):
        step = returned.step(kind)
        assert (RepairStepState.NOT_NEEDED, f"{serial(2)} is there again: leave it in") == (
            step.state,
            step.reason,
        )
    assert "clear tank: its disks are there" == due_in_words(returned)


def replacing(old: Vdev, new: Vdev, *others: Vdev) -> Vdev:
    return group("raidz2-0", leaf(0), group("replacing-1", old, new), *(others or (leaf(3),)))


COPYING = Scan("resilver", "scanning", start=int(NOW) - 600, percent=9.0, errors=0)


def test_a_new_disk_that_is_gone_without_an_error_is_put_back() -> None:
    top = replacing(FAILED, leaf(2, "REMOVED"))
    state = trouble_at(top, gone=(2,), unused=1, events=(changed(1, 30), changed(2, 1, "REMOVED")))

    repair = the_repair(state, 1)

    assert repair.alarm.startswith(f"STOP: the new disk for {serial(1)} is gone")
    assert "goes on with the resilver by itself" in repair.alarm
    assert f"put {serial(2)} back into any empty bay" == due_in_words(repair)
    assert ["detach"] == [each.action for each in repair.step(RepairStepKind.REPLACE).offers]
    assert not [each for each in repair.steps if each.state is RepairStepState.NOW]


@pytest.mark.parametrize(
    "top",
    [replacing(FAILED, leaf(2, "FAULTED")), replacing(FAILED, leaf(2, "REMOVED", write_errors=Count(9)))],
)
def test_a_new_disk_that_failed_by_itself_is_given_up(top: Vdev) -> None:
    state = trouble_at(top, gone=(2,), events=(changed(1, 30), changed(2, 1, "REMOVED")))

    assert "stop the replacement" in due_in_words(the_repair(state, 1))


def test_the_old_disk_that_serves_is_put_back_when_it_goes_before_the_resilver_is_done() -> None:
    top = replacing(leaf(1, "REMOVED"), leaf(2, is_resilvering=True))
    events = (changed(1, 1, "REMOVED"),)

    repair = the_repair(trouble_at(top, gone=(1,), events=events, scan=COPYING), 1)

    assert repair.alarm.startswith(f"STOP: {serial(1)} is gone before the resilver onto {serial(2)}")
    assert f"put {serial(1)} back into any empty bay" == due_in_words(repair)


def attached(number: int, minutes_ago: float) -> Event:
    return replace(changed(number, minutes_ago, "ONLINE"), event_class="sysevent.fs.zfs.vdev_attach")


@pytest.mark.parametrize(
    ("events", "is_stop"),
    [
        ((changed(1, 20, "REMOVED"),), False),
        ((changed(1, 20, "REMOVED"), changed(1, 5, "UNAVAIL")), False),  # opened again by the replacement
        ((changed(1, 5, "REMOVED"), attached(2, 4)), False),
        ((attached(2, 30), changed(1, 20, "REMOVED")), True),  # the resilver began anew since
        ((changed(1, 20, "REMOVED"), changed(1, 15, "ONLINE"), changed(1, 5, "REMOVED")), True),
    ],
)
def test_an_old_disk_that_was_gone_before_the_new_one_came_is_not_put_back(
    events: tuple[Event, ...], is_stop: bool
) -> None:
    top = replacing(leaf(1, "REMOVED"), leaf(2, is_resilvering=True))

    repair = the_repair(trouble_at(top, gone=(1,), events=events, scan=COPYING), 1)

    assert is_stop == repair.is_stop
    assert is_stop == due_in_words(repair).startswith(f"put {serial(1)} back")


def test_the_old_disk_that_had_failed_may_go_while_the_new_one_is_filled() -> None:
    top = replacing(leaf(1, "REMOVED"), leaf(2, is_resilvering=True))
    events = (changed(1, 30), changed(1, 1, "REMOVED"))

    repair = the_repair(trouble_at(top, gone=(1,), events=events, scan=COPYING), 1)

    assert "" == repair.alarm
    assert due_in_words(repair).startswith("wait for the resilver")


def test_an_old_disk_with_errors_that_served_until_it_went_is_to_be_put_back_if_it_was_pulled() -> None:
    """No STOP: it may have died. But nobody is told that taking it out was right."""
    top = replacing(leaf(1, "REMOVED"), leaf(2, is_resilvering=True))
    events = (error(1, 30), changed(1, 1, "REMOVED"))

    repair = the_repair(trouble_at(top, gone=(1,), events=events, scan=COPYING), 1)

    assert "" == repair.alarm
    assert due_in_words(repair).startswith(f"put {serial(1)} back into any empty bay if it was pulled")
    step = repair.step(RepairStepKind.TAKE_OUT)
    assert RepairStepState.HELD is step.state
    assert f"{serial(1)} is gone before its data was copied; it served until then" == step.reason


def with_three(**values: object) -> HostState:
    """Disk 1 failed and is being replaced by 2, the sound disk 3 was pulled, SMART warns of 4."""
    top = replacing(FAILED, leaf(2, is_resilvering=True), leaf(3, "REMOVED"), leaf(4))
    warned = {4: DiskHealth(protocol="ATA", is_passing=True, pending=24, reallocated=60)}
    events = (changed(1, 30), changed(3, 1, "REMOVED"))
    return trouble_at(top, gone=(3,), events=events, health=warned, scan=COPYING, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("unused", [0, 1])
def test_every_repair_of_the_pool_says_the_same_until_the_disk_is_back(unused: int) -> None:
    state = with_three(unused=unused)
    found = [the_repair(state, number) for number in (1, 3, 4)]

    assert {f"put {serial(3)} back into any empty bay"} == {due_in_words(each) for each in found}
    assert not [each for each in found if "have failed" in each.alarm]
    assert [RepairStepKind.RESILVER] == [
        step.kind for each in (found[0], found[2]) for step in each.steps if step.state is RepairStepState.NOW
    ]


def test_where_the_disk_cannot_be_put_back_the_repair_goes_on_with_that_as_a_warning() -> None:
    (offer,) = the_repair(pulled(unused=1), 1).step(RepairStepKind.REPLACE).offers
    assert ("replace", {"despite": f"{serial(2)} cannot be put back"}) == (offer.action, dict(offer.options))

    lost = group("mirror-0", FAILED, leaf(2, "REMOVED"))
    events = (changed(1, 30), changed(2, 1, "REMOVED"))
    gone = the_repair(trouble_at(lost, gone=(2,), unused=1, events=events), 1)
    assert gone.is_stop
    assert () == gone.step(RepairStepKind.REPLACE).offers


def test_a_spare_that_goes_before_it_is_full_has_more_to_get_than_what_was_written_meanwhile() -> None:
    spared = group("raidz1-0", leaf(0), group("spare-1", FAILED, leaf(2, "REMOVED")), leaf(3))
    events = (changed(1, 30), changed(2, 1, "REMOVED"))

    filling = the_repair(trouble_at(spared, gone=(2,), events=events, scan=COPYING), 1).alarm
    full = replace(COPYING, state="finished", end=int(NOW) - 300)
    after = the_repair(trouble_at(spared, gone=(2,), events=events, scan=full), 1).alarm

    assert "goes on with the resilver by itself" in filling
    assert "copies only what was written meanwhile" in after


def test_what_is_said_of_the_cause_is_what_the_alarm_says() -> None:
    repair = the_repair(pulled(), 2)

    assert (RepairCause.ADMINISTRATOR, Certainty.LIKELY) == (repair.cause, repair.certainty)
    assert RepairStepState.NOT_NEEDED is repair.step(RepairStepKind.TAKE_OUT).state

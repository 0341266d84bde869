"""Disks with trouble from one cable, controller or shelf: one repair, which replaces none of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, error, trouble_at, troubles, with_kernel
from tests.doubles.shelves import leaf, serial
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.event import Event
from zconsole.model.pools.kernel_message import MessageKind
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause, RepairStepKind, RepairStepState, RepairTrouble
from zconsole.views.repair.one_repair_page import first_row, offer_at

CRC = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203, pending=0)
DYING = DiskHealth(protocol="ATA", is_passing=False, crc_errors=1203)
BAD = {1, 3, 5}


def on_bad_cable(health: dict[int, DiskHealth] | None = None, **values: object) -> HostState:
    """Three mirrors of two; the second disk of each has errors and CRC errors."""
    tops = [
        group(
            f"mirror-{at}",
            leaf(2 * at),
            leaf(2 * at + 1, **{"read_errors": Count(3), **values}),  # type: ignore[arg-type]
        )
        for at in range(3)
    ]
    return trouble_at(*tops, unused=1, health=health or dict.fromkeys(BAD, CRC))


def test_disks_on_one_cable_are_one_repair_that_names_them_all() -> None:
    (repair,) = repairs(on_bad_cable(), (), NOW)

    named = {repair.device.label, *(each.label for each in repair.others)}
    assert {serial(at) for at in BAD} == named
    assert (RepairCause.CABLE, Certainty.LIKELY) == (repair.cause, repair.certainty)
    cause, since, *disks = repair.step(RepairStepKind.TRIAGE).found
    assert cause.startswith("cause (likely): what the 3 disks share (cable, backplane, controller, power)")
    assert "since when is not known" == since
    assert [f"{serial(at)} (at 0:0:{at}:0): 3 read errors, 1203 CRC" for at in sorted(BAD)] == disks
    assert "and 2 other disks" in repair.named


def test_no_disk_is_pulled_or_replaced_for_it() -> None:
    (repair,) = repairs(on_bad_cable(), (), NOW)

    states = {each.kind: each.state for each in repair.steps}
    for kind in (
        RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT, RepairStepKind.NEW_DISK, RepairStepKind.REPLACE
    ):  # fmt: skip
        assert RepairStepState.NOT_NEEDED is states[kind]
    offers = [offer for step in repair.steps for offer in step.offers]
    assert {"clear", "scrub"} == {each.action for each in offers if "despite" not in dict(each.options)}
    assert "check-cable" in [each.id for each in repair.not_now]


def test_a_disk_that_calls_itself_failing_keeps_its_own_repair() -> None:
    state = on_bad_cable({1: CRC, 3: CRC, 5: DYING})

    found = {each.device.label: each for each in repairs(state, (), NOW)}

    assert {serial(1), serial(5)} == set(found)
    assert RepairCause.DISK is found[serial(5)].cause
    assert [serial(3)] == [each.label for each in found[serial(1)].others]


def test_one_disk_on_a_bad_cable_is_a_repair_of_its_own() -> None:
    (repair,) = repairs(on_bad_cable({1: CRC}), (), NOW)[:1]

    assert () == repair.others


def test_damaged_transfers_of_several_disks_are_one_repair_without_smart() -> None:
    state = trouble_at(
        group("raidz2-0", *(leaf(at, read_errors=Count(1)) for at in range(2)), leaf(2), leaf(3))
    )
    for at in range(2):
        state = with_kernel(state, at, MessageKind.CRC, MessageKind.CRC)

    (repair,) = repairs(state, (), NOW)

    assert (serial(0), [serial(1)]) == (repair.device.label, [each.label for each in repair.others])


@pytest.mark.parametrize("state", ["REMOVED", "UNAVAIL"])
def test_disks_that_went_and_came_back_together_are_brought_online_each(state: str) -> None:
    events: list[Event] = [each for at in BAD for each in (error(at, 5), changed(at, 4, state))]
    host = replace(on_bad_cable(read_errors=Count(0), state=state), events=tuple(events))

    (repair,) = repairs(host, (), NOW)

    offers = repair.step(RepairStepKind.TRIAGE).offers
    assert ["online", "online", "online"] == [each.action for each in offers]
    assert {f"{1000 + at}" for at in BAD} == {word for each in offers for word in each.arguments}


def test_slow_and_failed_disks_elsewhere_keep_their_repairs() -> None:
    state = on_bad_cable()
    pool = state.pools[0].pool.value
    assert pool is not None
    broken = group("mirror-9", leaf(20), leaf(21, "FAULTED"))
    more = trouble_at(*pool.vdevs, broken, health=dict.fromkeys(BAD, CRC))

    assert (serial(21), RepairTrouble.FAILED) in troubles(more)
    assert 2 == len(troubles(more))


def test_each_disk_may_be_replaced_in_spite_of_the_shared_cause() -> None:
    (repair,) = repairs(on_bad_cable(), (), NOW)

    offers = repair.step(RepairStepKind.REPLACE).offers
    assert {"1001", "1003", "1005"} == {each.arguments[0] for each in offers}
    for each in offers:
        assert "replace" == each.action
        assert "another disk would fail in the same way" in str(dict(each.options)["despite"])


def test_a_checkpoint_leaves_no_way_around_the_shared_cause() -> None:
    state = on_bad_cable()
    pool = state.pools[0].pool.value
    assert pool is not None
    held = trouble_at(*pool.vdevs, unused=1, health=dict.fromkeys(BAD, CRC), checkpoint_bytes=4096)

    (repair,) = repairs(held, (), NOW)

    assert () == repair.step(RepairStepKind.REPLACE).offers


def test_the_check_by_hand_comes_before_any_command() -> None:
    (repair,) = repairs(on_bad_cable(), (), NOW)

    triage = repair.step(RepairStepKind.TRIAGE)
    assert triage.is_by_hand
    assert triage.act.startswith(
        "check what the 3 disks share (cable, backplane, controller, power), with the pool"
    )
    assert "step triage" == first_row(repair)
    assert offer_at(repair, "step triage") is None


@pytest.mark.parametrize(
    ("expected", "is_by_hand", "back", "later"),
    [
        ("no new error since they came back at 07:56 UTC (4m): clear, scrub, and watch", False, 4.0, None),
        ("watch for some minutes: no new error since they came back at 07:59 UTC (1m)", True, 1.0, None),
        ("check what the 3 disks share (cable, backplane, controller, power)", True, 4.0, 2.0),
    ],
)
def test_what_is_to_be_done_depends_on_whether_errors_came_since_the_disks_are_back(
    expected: str, is_by_hand: bool, back: float, later: float | None
) -> None:
    events = [each for at in BAD for each in (error(at, 15), changed(at, back + 1, "REMOVED"))]
    events += [changed(at, back, "ONLINE") for at in BAD]
    events += [error(3, later)] if later is not None else []

    (repair,) = repairs(replace(on_bad_cable(), events=tuple(events)), (), NOW)

    triage = repair.step(RepairStepKind.TRIAGE)
    assert triage.act.startswith(expected)
    assert is_by_hand is triage.is_by_hand


def test_the_resilver_of_a_reconnection_waits_for_the_repair_of_the_way() -> None:
    state = on_bad_cable()
    pool = state.pools[0].pool.value
    assert pool is not None
    scan = Scan("resilver", "finished", start=int(NOW) - 200, end=int(NOW) - 199, repaired_bytes=0, errors=0)
    caught_up = trouble_at(*pool.vdevs, health=dict.fromkeys(BAD, CRC), scan=scan)

    assert [RepairTrouble.FAILING] == [each.trouble for each in repairs(caught_up, (), NOW)]

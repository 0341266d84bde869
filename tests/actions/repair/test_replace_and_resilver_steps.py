"""Replace and resilver: what is offered, what is held, what is told meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, scrubbed
from tests.doubles.repair_worlds import grown, slow_disk, the_repair, trouble_at, troubles
from tests.doubles.shelves import aux, leaf, serial
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairStep, RepairStepKind, RepairStepState, RepairTrouble

REPLACE, RESILVER = RepairStepKind.REPLACE, RepairStepKind.RESILVER
BROKEN = leaf(1, "FAULTED", note="too many errors")
RUNNING = Scan("resilver", "scanning", start=int(NOW) - 600, percent=41.0, errors=0)
FILLING = group("mirror-0", leaf(0), group("replacing-1", BROKEN, leaf(2, is_resilvering=True)))


def offered(step: RepairStep) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.action, each.arguments) for each in step.offers]


def test_the_spare_comes_first_then_the_best_disks() -> None:
    state = trouble_at(group("mirror-0", leaf(0), BROKEN), aux(2, "spare"), unused=1)

    step = the_repair(state, 1).step(REPLACE)

    assert RepairStepState.NOW is step.state
    assert f"replace {serial(1)} with the spare {serial(2)}" == step.offers[0].words
    assert f"replace {serial(1)} with {serial(3)}" == step.offers[1].words
    assert ("replace", ("1001", aux(2, "spare").name)) == offered(step)[0]


def test_while_a_spare_stands_in_it_can_be_kept_for_good() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", BROKEN, leaf(2)))
    state = trouble_at(spared, replace(aux(2, "spare"), state="INUSE"), unused=1)

    step = the_repair(state, 1).step(REPLACE)

    assert ("detach", ("1001",)) == offered(step)[-1]
    assert f"keep the spare {serial(2)}: detach {serial(1)}" == step.offers[-1].words


def test_a_spare_that_is_not_full_yet_is_not_kept() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", BROKEN, leaf(2, is_resilvering=True)))
    state = trouble_at(spared, replace(aux(2, "spare"), state="INUSE"), unused=1, scan=RUNNING)

    step = the_repair(state, 1).step(REPLACE)

    assert RepairStepState.HELD is step.state
    assert [] == offered(step)
    assert f"a resilver onto the spare {serial(2)} is running, 41% done" in step.reason


def test_what_holds_it_is_told_with_what_to_do_instead() -> None:
    state = trouble_at(group("mirror-0", leaf(0), BROKEN), unused=1, checkpoint_bytes=4096)

    step = the_repair(state, 1).step(REPLACE)

    assert RepairStepState.HELD is step.state
    assert step.reason.endswith("discard the checkpoint if you do not need it: zpool checkpoint -d tank")


def in_spite_of(state: HostState) -> list[str]:
    """What the offers to replace the disk nevertheless say against it."""
    step = the_repair(state, 1).step(REPLACE)
    assert RepairStepState.HELD is step.state
    return [str(dict(each.options)["despite"]) for each in step.offers if each.action == "replace"]


def test_what_is_advice_alone_is_no_dead_end() -> None:
    cable = leaf(1, checksum_errors=Count(9))
    crc = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203)

    (why,) = in_spite_of(trouble_at(group("mirror-0", leaf(0), cable), unused=1, health={1: crc}))

    assert why.startswith("1203 CRC errors on the cable")
    assert why.endswith("another disk would fail in the same way")


def test_what_zfs_would_refuse_or_what_loses_data_cannot_be_overruled() -> None:
    assert [] == in_spite_of(trouble_at(group("mirror-0", leaf(0), BROKEN), unused=1, checkpoint_bytes=4096))
    crc = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203)
    both = trouble_at(
        group("mirror-0", leaf(0), leaf(1, checksum_errors=Count(9))), unused=1, health={1: crc},
        checkpoint_bytes=4096,
    )  # fmt: skip
    assert [] == in_spite_of(both)


WARNED = DiskHealth(protocol="ATA", is_passing=True, pending=24, reallocated=60)


def warned(before: DiskHealth | None, unused: int = 1, days_ago: float = 3) -> HostState:
    """A mirror whose disk 1 serves, and has pending sectors."""
    found = trouble_at(
        group("mirror-0", leaf(0), leaf(1)),
        unused=unused,
        health={1: WARNED},
        scan=scrubbed(days_ago=days_ago),
    )
    return found if before is None else grown(found, 1, before)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(DiskHealth(pending=2, reallocated=60), id="it grows"),
        pytest.param(None, id="first seen today"),
    ],
)
def test_a_disk_that_smart_warns_of_is_replaced_while_it_is_in(before: DiskHealth | None) -> None:
    repair = the_repair(warned(before), 1)

    assert (RepairTrouble.WARNED, RepairStepKind.REPLACE) == (repair.trouble, repair.current.kind)  # type: ignore[union-attr]
    assert ("replace", ("1001",)) == (
        repair.steps[4].offers[0].action,
        repair.steps[4].offers[0].arguments[:1],
    )
    take_out = repair.step(RepairStepKind.TAKE_OUT)
    assert (RepairStepState.NOT_NEEDED, True) == (take_out.state, "redundancy never drops" in take_out.reason)
    assert repair.steps[0].found[0].partition(": ")[2].startswith("SMART: 24 pending sectors")
    assert "it serves, and ZFS has counted no error of it" in repair.steps[0].found[0]


def test_how_sure_it_is_depends_on_growth() -> None:
    grows, new = the_repair(warned(DiskHealth(pending=2)), 1), the_repair(warned(None), 1)

    assert (Certainty.LIKELY, Certainty.UNCLEAR) == (grows.certainty, new.certainty)


def test_a_disk_whose_numbers_stand_still_is_not_replaced_yet_and_the_reason_is_told() -> None:
    repair = the_repair(warned(WARNED), 1)

    step = repair.step(REPLACE)
    assert (RepairStepState.HELD, step) == (step.state, repair.current)
    assert "have not grown in a week; scrub tank; replace the disk when a number grows" in step.reason
    assert ["scrub", "replace"] == [each.action for each in step.offers]


def test_a_disk_whose_numbers_stand_still_waits_for_no_new_disk() -> None:
    repair = the_repair(warned(WARNED, unused=0), 1)

    assert RepairStepKind.REPLACE is repair.current.kind  # type: ignore[union-attr]


def test_a_disk_that_gets_worse_waits_for_no_scrub() -> None:
    old = the_repair(warned(DiskHealth(pending=2), days_ago=90), 1)
    unknown = the_repair(warned(None, days_ago=90), 1)

    assert () == old.not_now
    assert "90d ago: do not wait for a scrub while its errors grow" in " ".join(old.steps[0].found)
    assert ["scrub-first"] == [each.id for each in unknown.not_now]


def test_the_resilver_tells_its_progress_and_the_new_disk_s_errors() -> None:
    filling = replace(
        FILLING,
        children=(leaf(0), group("replacing-1", BROKEN, leaf(2, is_resilvering=True, write_errors=Count(4)))),
    )
    state = trouble_at(
        filling, scan=replace(RUNNING, errors=2), slow=[slow_disk(2, "mirror-0")],
        health={2: DiskHealth(protocol="ATA", is_passing=True, pending=1)},
    )  # fmt: skip

    step = the_repair(state, 1).step(RESILVER)

    assert RepairStepState.NOW is step.state
    assert step.found[0].startswith("resilver 41%")
    assert step.found[0].endswith("2 errors")
    assert f"the new disk {serial(2)} has 4 write errors" in step.found[1]
    assert f"the new disk {serial(2)} is slow: 5.4x" in step.found[2]
    assert "1 pending sector" in step.found[3]
    assert [("detach", ("1002",))] == offered(step)


def test_a_deferred_resilver_waits_for_its_turn() -> None:
    waits = leaf(2, note="(awaiting resilver)")
    state = trouble_at(group("mirror-0", leaf(0), group("replacing-1", BROKEN, waits)), scan=RUNNING)

    assert "it waits for the running resilver" in the_repair(state, 1).step(RESILVER).found[0]


def test_a_new_disk_that_fails_is_given_up_and_one_offline_is_brought_back() -> None:
    def step(newcomer: str) -> RepairStep:
        top = group("mirror-0", leaf(0), group("replacing-1", BROKEN, leaf(2, newcomer)))
        return the_repair(trouble_at(top), 1).step(REPLACE)

    assert [("detach", ("1002",))] == offered(step("FAULTED"))
    assert [("online", ("1002",)), ("detach", ("1002",))] == offered(step("OFFLINE"))


def test_a_whole_disk_gets_its_place_back_and_the_spare_returns() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", leaf(1), leaf(2)))
    repair = the_repair(trouble_at(spared, replace(aux(2, "spare"), state="INUSE")), 1)

    assert repair.current is not None
    assert RepairStepKind.AFTER_CARE is repair.current.kind
    assert [("detach", ("1002",)), ("detach", ("1001",))] == offered(repair.current)
    assert [f"return the spare {serial(2)}"] == [each.words for each in repair.current.offers][:1]


def test_a_spare_that_fails_while_it_stands_in_is_detached_and_not_promised_back() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", BROKEN, leaf(2, "FAULTED")))
    state = trouble_at(
        spared, replace(aux(2, "spare"), state="INUSE"), health={2: DiskHealth(protocol="ATA", pending=24)}
    )

    repair = the_repair(state, 1)

    assert [serial(1)] == [label for label, _ in troubles(state)]
    assert f"the spare {serial(2)} that stood in is FAULTED too: it helps no longer" in repair.steps[0].found
    assert ("detach", ("1002",)) in offered(repair.step(REPLACE))
    assert "return of the spare" not in repair.step(RepairStepKind.AFTER_CARE).found[0]


def test_nobody_waits_for_the_resilver_of_a_suspended_pool() -> None:
    repair = the_repair(trouble_at(FILLING, scan=RUNNING, state="SUSPENDED"), 1)

    assert RepairStepState.NEXT is repair.step(RESILVER).state
    assert repair.current is repair.steps[0]
    assert "clear tank: its disks are there" == repair.steps[0].reason
    assert ["clear"] == [each.action for each in repair.steps[0].offers]

"""Replace and resilver: what is offered, what is held, what is told meanwhile."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import slow_disk, the_repair, trouble_at
from tests.doubles.shelves import aux, leaf, serial
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState

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
    assert f"let the spare {serial(2)} stand in for {serial(1)}" == step.offers[0].words
    assert f"replace {serial(1)} by {serial(3)}" == step.offers[1].words
    assert ("replace", ("1001", aux(2, "spare").name)) == offered(step)[0]


def test_while_a_spare_stands_in_it_can_be_kept_for_good() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", BROKEN, leaf(2)))
    state = trouble_at(spared, replace(aux(2, "spare"), state="INUSE"), unused=1)

    step = the_repair(state, 1).step(REPLACE)

    assert ("detach", ("1001",)) == offered(step)[-1]
    assert f"keep the spare {serial(2)} for good" == step.offers[-1].words


def test_a_spare_that_is_not_full_yet_is_not_kept() -> None:
    spared = group("mirror-0", leaf(0), group("spare-1", BROKEN, leaf(2, is_resilvering=True)))
    state = trouble_at(spared, replace(aux(2, "spare"), state="INUSE"), unused=1, scan=RUNNING)

    step = the_repair(state, 1).step(REPLACE)

    assert RepairStepState.HELD is step.state
    assert [] == offered(step)
    assert f"a resilver onto the spare {serial(2)} runs, 41% done" in step.reason


def test_what_holds_it_is_told_with_what_to_do_instead() -> None:
    state = trouble_at(group("mirror-0", leaf(0), BROKEN), unused=1, checkpoint_bytes=4096)

    step = the_repair(state, 1).step(REPLACE)

    assert RepairStepState.HELD is step.state
    assert step.reason.endswith("discard it if it is not needed: zpool checkpoint -d tank")


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

    assert "its turn comes after the resilver that runs now" in the_repair(state, 1).step(RESILVER).found[0]


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

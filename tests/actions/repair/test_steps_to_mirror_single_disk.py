"""From a single disk to a mirror: what is offered, while it is filled, and its end."""

from __future__ import annotations

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import TB, blank, leaf, serial
from zconsole.actions.repair.healthy_vdev_procedures import asked_repair
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import Procedure, ProcedureKind, Repair, RepairStepKind, RepairStepState

REPLACE, RESILVER, AFTER = RepairStepKind.REPLACE, RepairStepKind.RESILVER, RepairStepKind.AFTER_CARE
NOW_DUE = RepairStepState.NOW


def mirror(state: HostState, word: str = "1000") -> Repair:
    return asked_repair(state, (), NOW, Procedure(ProcedureKind.MIRROR, "tank", word))


def test_a_disk_that_fits_is_attached_to_the_lone_one() -> None:
    repair = mirror(trouble_at(leaf(0), disks=[blank(7, size_bytes=3 * TB)], unused=1))
    step = repair.step(REPLACE)

    assert ("attach", NOW_DUE) == (step.title, step.state)
    assert [("attach", "1000")] == [(each.action, each.arguments[0]) for each in step.offers]
    assert f"attach {serial(1)} to {serial(0)}" == step.offers[0].words
    assert "is a single disk: if it fails, tank is lost" in repair.step(RepairStepKind.TRIAGE).found[0]


def test_without_a_disk_it_says_how_large_one_has_to_be() -> None:
    step = mirror(trouble_at(leaf(0))).step(RepairStepKind.NEW_DISK)

    assert NOW_DUE is step.state
    assert "the new disk needs at least 4.00 TB (3.64 TiB)" in step.found[0]
    assert [True] == [each.wants_disk for each in step.offers]


def test_a_checkpoint_holds_it() -> None:
    repair = mirror(trouble_at(leaf(0), unused=1, checkpoint_bytes=1))

    assert ["checkpoint"] == [each.id for each in repair.not_now]
    assert RepairStepState.HELD is repair.step(REPLACE).state


def test_a_failing_disk_gets_its_second_copy_and_one_that_is_lost_cannot() -> None:
    failing = mirror(trouble_at(leaf(0, "DEGRADED"), unused=1))
    lost = mirror(trouble_at(leaf(0, "FAULTED"), unused=1))

    assert NOW_DUE is failing.step(REPLACE).state
    assert "vdev-lost" in [each.id for each in lost.not_now]


def test_while_it_is_filled_the_progress_is_told_and_it_can_be_taken_out_again() -> None:
    running = Scan("resilver", "scanning", percent=40.0)
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, is_resilvering=True)), scan=running)

    step = mirror(state).step(RESILVER)

    assert NOW_DUE is step.state
    assert ("resilver 40%", f"ZFS copies the data to {serial(1)}") == step.found[:2]
    assert [("detach", ("1001",))] == [(each.action, each.arguments) for each in step.offers]


def test_a_full_mirror_is_verified_by_a_scrub_and_then_done() -> None:
    top = group("mirror-0", leaf(0), leaf(1))
    copied = mirror(trouble_at(top, scan=Scan("resilver", "finished", end=int(NOW) - 60)))
    verified = mirror(trouble_at(top, scan=Scan("scrub", "finished", end=int(NOW) - 60)))

    assert ["scrub"] == [each.action for each in copied.step(AFTER).offers]
    assert verified.current is None

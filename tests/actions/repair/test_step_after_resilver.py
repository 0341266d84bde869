"""What follows a resilver: the spare goes back or stays, counters are cleared, a scrub."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState


def after_care(*tops: Vdev) -> RepairStep:
    """The last step of the repair of disk 1."""
    state: HostState = trouble_at(*tops, unused=1)
    return next(each for each in the_repair(state, 1).steps if each.kind is RepairStepKind.AFTER_CARE)


def with_spare(member: Vdev, spare: Vdev) -> Vdev:
    return group("mirror-0", leaf(0), group("spare-1", member, spare))


def test_a_dead_disk_leaves_a_scrub_and_a_report_to_be_done() -> None:
    step = after_care(group("mirror-0", leaf(0), leaf(1, "FAULTED")))

    assert (RepairStepState.NEXT, ("scrub, report",)) == (step.state, step.found)
    assert () == tuple(step.offers)


def test_counters_are_cleared_where_any_disk_of_the_vdev_has_errors() -> None:
    step = after_care(group("mirror-0", leaf(0, read_errors=Count(1)), leaf(1, "FAULTED")))

    assert ("clear, scrub, report",) == step.found


def test_a_spare_that_stands_in_returns_first() -> None:
    step = after_care(with_spare(leaf(1, "FAULTED"), leaf(9)))

    assert ("return of the spare SER0009, scrub, report",) == step.found


def test_once_the_disk_has_its_data_again_the_spare_is_returned_or_kept() -> None:
    step = after_care(with_spare(leaf(1), leaf(9)))

    assert RepairStepState.NOW is step.state
    assert ("SER0001 has all its data again: the spare SER0009 can be returned",) == step.found
    assert ["return the spare SER0009", "keep the spare SER0009: detach SER0001"] == [
        each.words for each in step.offers
    ]
    assert [("detach", "1009"), ("detach", "1001")] == [
        (each.action, *each.arguments) for each in step.offers
    ]


def test_a_distributed_spare_cannot_be_kept() -> None:
    step = after_care(with_spare(leaf(1), leaf(9, type="dspare")))

    assert 1 == len(step.offers)


@pytest.mark.parametrize(
    ("member", "scan"),
    [
        (leaf(1, is_resilvering=True), Scan("resilver", "scanning", percent=12.0)),
        (leaf(1), Scan("resilver", "scanning", percent=0.0)),
        (leaf(1), Scan("resilver", "finished", end=1, errors=12)),
        (leaf(1), Scan("resilver", "canceled", end=1)),
    ],
)
def test_a_spare_is_not_returned_before_its_device_is_known_to_be_complete(member: Vdev, scan: Scan) -> None:
    state = trouble_at(group("mirror-0", leaf(0), group("spare-1", member, leaf(2))), scan=scan)

    repair = the_repair(state, 1)
    step = repair.step(RepairStepKind.AFTER_CARE)

    assert RepairStepState.NEXT is step.state
    assert [] == [each for each in step.offers if each.action == "detach"]
    assert f"{serial(1)} is back, and may lack data" == repair.step(RepairStepKind.TRIAGE).found[0]

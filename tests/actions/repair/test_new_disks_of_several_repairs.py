"""One new disk is for one repair: the most urgent first, in one vdev, in two, and in two pools."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, group, scrubbed
from tests.doubles.repair_worlds import slow_disk, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairStepKind, RepairStepState
from zconsole.views.repair.due_step import due_in_words

REPLACE, NEW_DISK = RepairStepKind.REPLACE, RepairStepKind.NEW_DISK
DYING = DiskHealth(protocol="ATA", is_passing=True, pending=24, reallocated=60)
FAILED = leaf(1, "FAULTED")


def raidz2(*others: Vdev) -> Vdev:
    return group("raidz2-0", leaf(0), FAILED, *others)


def offered_disks(state: HostState) -> list[tuple[str, str]]:
    """The disk that each repair is to replace now, with the new one."""
    return [
        (each.device.label, offer.arguments[-1].rpartition("_")[2])
        for each in repairs(state, (), NOW)
        for step in each.steps
        if step is each.current and step.kind is REPLACE and step.state is RepairStepState.NOW
        for offer in step.offers[:1]
    ]


@pytest.mark.parametrize(
    "state",
    [
        trouble_at(raidz2(leaf(2, "FAULTED"), leaf(3)), unused=1),
        trouble_at(raidz2(leaf(2, "FAULTED"), leaf(3)), unused=2),
        trouble_at(raidz2(leaf(2), leaf(3)), unused=1, health={2: DYING}, scan=scrubbed(days_ago=3)),
        trouble_at(
            raidz2(leaf(2), leaf(3)), unused=1, slow=[slow_disk(2, "raidz2-0")], scan=scrubbed(days_ago=3)
        ),
        trouble_at(raidz2(leaf(2, "DEGRADED"), leaf(3)), unused=2),
        trouble_at(
            group("mirror-0", leaf(0), FAILED), group("mirror-1", leaf(2, "FAULTED"), leaf(3)), unused=1
        ),
    ],
)
def test_the_first_repair_alone_is_offered_the_new_disk(state: HostState) -> None:
    assert [serial(1)] == [old for old, _ in offered_disks(state)]


def test_two_repairs_of_two_vdevs_get_a_new_disk_each() -> None:
    tops = group("mirror-0", leaf(0), FAILED), group("mirror-1", leaf(2, "FAULTED"), leaf(3))

    assert [(serial(1), serial(4)), (serial(2), serial(5))] == offered_disks(trouble_at(*tops, unused=2))


def test_the_second_repair_of_a_vdev_says_which_comes_first_and_for_whom_the_disk_is() -> None:
    repair = the_repair(trouble_at(raidz2(leaf(2, "FAULTED"), leaf(3)), unused=1), 2)

    assert f"repair {serial(1)} first" == due_in_words(repair)
    assert f"{serial(1)} of the same raidz2-0 has failed: it comes first" in repair.step(REPLACE).reason
    assert f"{serial(4)} is kept for {serial(1)}" == repair.step(NEW_DISK).found[1]
    assert not [each for each in repair.steps if each.state is RepairStepState.NOW]


def test_a_disk_whose_cause_is_the_cable_keeps_no_new_disk_from_another() -> None:
    crc = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203)
    top = group("raidz2-0", leaf(0), leaf(1, "DEGRADED"), leaf(2), leaf(3))
    other = group("raidz2-1", leaf(4), leaf(5, "FAULTED"), leaf(6), leaf(7))

    assert [(serial(5), serial(8))] == offered_disks(trouble_at(top, other, unused=1, health={1: crc}))


def test_a_new_disk_that_smart_warns_of_is_not_the_one_to_take() -> None:
    top = group("mirror-0", leaf(0), FAILED)

    alone = the_repair(trouble_at(top, gone=[1], unused=1, health={2: DYING}), 1)
    beside = the_repair(trouble_at(top, gone=[1], unused=2, health={2: DYING}), 1)

    assert RepairStepState.NOW is alone.step(NEW_DISK).state
    assert f"{serial(2)} is no better: fits, 24 pending sectors (unreadable)" in alone.step(NEW_DISK).found
    assert due_in_words(alone).startswith("insert a new disk")
    (offer,) = alone.step(REPLACE).offers
    assert f"replace {serial(1)} with {serial(2)} anyway" == offer.words
    assert "24 pending sectors" in str(dict(offer.options)["despite"])
    assert f"replace {serial(1)} with {serial(3)}" == due_in_words(beside)

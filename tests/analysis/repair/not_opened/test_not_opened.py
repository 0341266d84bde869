"""Repairs of devices that are there and not in use, and of disks that are gone together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import caused, the_repair, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count
from zconsole.model.repair import Repair, RepairCause, RepairStepKind, RepairStepState
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies
from zconsole.views.repair.repair_and_step_lines import trouble_in_words

TWO_GONE = (
    group("mirror-0", leaf(0), leaf(1, "REMOVED")),
    group("mirror-1", leaf(2), leaf(3, "REMOVED")),
)


def half(state: str, note: str = "") -> HostState:
    """A mirror of which one disk is there, and ZFS does not use it."""
    return trouble_at(group("mirror-0", leaf(0, state, note=note), leaf(1)), unused=1, state="DEGRADED")


def offered(repair: Repair) -> list[tuple[str, str]]:
    """Action and first word of all that it offers."""
    return [(offer.action, offer.arguments[0]) for step in repair.steps for offer in step.offers]


def said(state: HostState) -> set[str]:
    """What is to be done about the vdev, the pool and the device."""
    remedy = remedies(state, NOW)
    about = {"vdev-no-redundancy", "pool-degraded", "device-faulted"}
    return {
        remedy(each).split(". ")[0].rstrip(".")
        for each in findings(state, NOW, Thresholds())
        if each.id in about
    }


def test_a_disk_that_could_not_be_opened_is_brought_online_before_it_is_replaced() -> None:
    repair = the_repair(half("UNAVAIL", "cannot open"), 0)

    assert due_in_words(repair).startswith("bring SER0000 online; if ZFS still cannot open it, see")
    assert RepairStepState.HELD is repair.step(RepairStepKind.REPLACE).state
    assert ("online", "1000") == offered(repair)[0]
    assert {f"Now: {due_in_words(repair)}"} == said(half("UNAVAIL", "cannot open"))


@pytest.mark.parametrize(("state", "note"), [("UNAVAIL", "invalid label"), ("FAULTED", "corrupted data")])
def test_a_disk_with_another_label_is_replaced_and_neither_brought_online_nor_cleared(
    state: str, note: str
) -> None:
    repair = the_repair(half(state, note), 0)

    assert () == repair.not_now
    assert RepairStepState.NOW is repair.step(RepairStepKind.REPLACE).state
    assert {"replace"} == {action for action, _ in offered(repair)} - {"locate", "offline"}


def test_where_zfs_prints_the_old_path_its_message_tells_of_the_label() -> None:
    """As OpenZFS 2.4.4 prints it after both ends of a partition were overwritten while it was exported."""
    was = group("mirror-0", leaf(0, "UNAVAIL", note="was /dev/sdb1"), leaf(1))
    see = "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-4J"

    labelled = trouble_at(was, unused=1, see=see)
    missing = trouble_at(was, unused=1, see=see.replace("4J", "2Q"))

    assert "its label is not there (ZFS-8000-4J)" in caused(labelled, 0).words
    assert RepairStepState.NOW is the_repair(labelled, 0).step(RepairStepKind.REPLACE).state
    assert due_in_words(the_repair(missing, 0)).startswith(
        "bring SER0000 online; if ZFS still cannot open it"
    )


def test_a_disk_that_was_split_off_has_not_failed_and_is_not_pulled() -> None:
    state = half("SPLIT", "split into new pool")
    repair = the_repair(state, 0)
    due = due_in_words(repair)

    assert "was split off" == trouble_in_words(repair)
    assert "detach SER0000 from tank and leave it in; then attach another disk to mirror-0" == due
    assert RepairStepState.NOT_NEEDED is repair.step(RepairStepKind.TAKE_OUT).state
    assert ("detach", "1000") == offered(repair)[0]
    assert "replace" not in {action for action, _ in offered(repair)}
    assert {f"Now: {due_in_words(repair)}"} == said(state)


def test_several_that_could_not_be_opened_were_away_together() -> None:
    state = trouble_at(*(group(f"mirror-{at}", leaf(2 * at), leaf(2 * at + 1, "UNAVAIL")) for at in range(2)))

    found = caused(state, 1)

    assert RepairCause.CABLE is found.cause
    assert "could not open 2 disks" in found.words


def test_disks_that_left_together_without_an_error_come_back_before_one_is_replaced() -> None:
    state = trouble_at(*TWO_GONE, gone=[1, 3], unused=1)
    first, second = the_repair(state, 1), the_repair(state, 3)

    due = {due_in_words(first), due_in_words(second)}
    assert 1 == len(due)
    assert due.pop().startswith("put SER0001 and SER0003 back, or reconnect them, before one is replaced: ")
    assert RepairStepState.HELD is first.step(RepairStepKind.REPLACE).state
    assert "despite" in dict(first.step(RepairStepKind.REPLACE).offers[0].options)


def test_of_disks_with_errors_before_they_left_each_has_a_cause_of_its_own() -> None:
    failed = replace(leaf(3, "REMOVED"), read_errors=Count(4))
    alone = trouble_at(TWO_GONE[0], group("mirror-1", leaf(2), failed), gone=[1, 3], unused=1)

    assert ["gone"] == [each.id for each in the_repair(alone, 1).not_now]
    assert due_in_words(the_repair(alone, 1)).startswith("put SER0001 back, or reconnect it")


@pytest.mark.parametrize("state", ["REMOVED", "UNAVAIL"])
def test_one_that_is_gone_without_an_error_is_put_back_whatever_zfs_calls_it(state: str) -> None:
    """A disk that is missing at an import is UNAVAIL, and never REMOVED."""
    top = group("raidz1-0", leaf(0), leaf(1, state), leaf(2), vdev_type="raidz1")
    repair = the_repair(trouble_at(top, gone=[1], unused=1), 1)

    assert due_in_words(repair).startswith("put SER0001 back, or reconnect it (slot, cable, power; parts")
    assert "despite" in dict(repair.step(RepairStepKind.REPLACE).offers[0].options)

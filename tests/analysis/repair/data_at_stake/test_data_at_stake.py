"""Repairs of pools whose data depends on what is replaced, pulled or cleared next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group, in_class
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf, mirror
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import remedies

ROTTEN = leaf(1, checksum_errors=Count(6))
HALF = group("mirror-0", leaf(0, "FAULTED"), ROTTEN)
ENDED = Scan("resilver", "finished", start=int(NOW) - 900, end=int(NOW) - 300, percent=100.0, errors=12)
RUNS = Scan("resilver", "scanning", start=int(NOW) - 900, percent=20.0)


def damaged(**of_pool: object) -> HostState:
    """As it was made in the lab: a half faulted by hand, the other one with damaged blocks."""
    return trouble_at(HALF, unused=1, **of_pool)


def steps(of: Repair) -> dict[RepairStepKind, RepairStepState]:
    return {each.kind: each.state for each in of.steps}


@pytest.mark.parametrize(
    "of_pool", [{"error_count": 3}, {"error_count": None, "error_files": ("/tank/a", "/tank/b", "/tank/c")}]
)
def test_the_failed_half_that_may_have_damaged_blocks_whole_comes_back_first(
    of_pool: dict[str, object],
) -> None:
    state = damaged(**of_pool)
    faulted, rotten = the_repair(state, 0), the_repair(state, 1)

    for each in (faulted, rotten):
        assert due_in_words(each).startswith("bring SER0000 back"), each.not_now
        assert "3 permanent data errors: with SER0000 back ZFS may read these blocks again" in each.safety
        assert "backup" not in each.safety
    assert RepairStepState.HELD is steps(faulted)[RepairStepKind.TAKE_OUT]
    assert RepairStepState.HELD is steps(faulted)[RepairStepKind.REPLACE]
    offered = [offer.action for each in rotten.steps for offer in each.offers]
    assert "clear" not in offered
    assert "scrub" not in offered


def test_findings_of_it_say_the_same() -> None:
    found = findings(damaged(error_count=3), NOW, Thresholds())
    about = [each for each in found if each.id in {"data-errors", "vdev-no-redundancy", "device-faulted"}]

    assert 3 == len(about)
    assert [] == [each.id for each in about if "back where that can be done" not in what_to_do(each)]


def test_with_every_device_there_what_a_scrub_does_not_repair_comes_from_a_backup() -> None:
    state = trouble_at(group("mirror-0", leaf(0), ROTTEN), error_count=1)

    safety = the_repair(state, 1).safety

    assert "1 permanent data error: what a scrub does not repair has to come from a backup" == safety


def test_after_a_resilver_with_errors_nothing_is_complete_and_nothing_is_pulled() -> None:
    serving = replace(leaf(1), state="DEGRADED", checksum_errors=Count(120))
    top = group("raidz1-0", leaf(0), group("spare-1", serving, leaf(9)), leaf(2), vdev_type="raidz1")
    state = trouble_at(top, scan=ENDED, unused=1)
    told = [
        words
        for each in repairs(state, (), NOW)
        for step in each.steps
        for words in (*step.found, step.reason, step.act, each.safety)
    ]

    assert [] == [words for words in told if "complete" in words or "has all the data" in words]
    assert [] == [words for words in told if "offline and pull" in words]
    assert any("the last resilver ended with 12 errors" in words for words in told)


def test_errors_are_not_cleared_and_no_scrub_is_asked_for_while_a_resilver_runs() -> None:
    replacing = group("replacing-0", leaf(0, "UNAVAIL"), leaf(9, is_resilvering=True))
    state = trouble_at(group("raidz1-0", replacing, ROTTEN, leaf(2), vdev_type="raidz1"), scan=RUNS)

    rotten = the_repair(state, 1)

    assert [] == [offer.action for each in rotten.steps for offer in each.offers if offer.action == "clear"]
    assert due_in_words(rotten).startswith(
        "leave the errors of SER0001 as they are until the redundancy is back"
    )


def test_a_pool_that_only_lacks_its_log_is_opened_and_gets_no_new_disk() -> None:
    state = trouble_at(mirror(0, 0, 2), in_class(leaf(1, "UNAVAIL"), "log"), unused=1)
    of = state.pools[0]
    assert of.pool.value is not None
    closed = replace(of, pool=replace(of.pool, value=replace(of.pool.value, state="FAULTED")))

    due = due_in_words(the_repair(replace(state, pools=(closed,)), 1))

    assert due.startswith("bring SER0001 back, or clear tank, which drops its log")


@pytest.mark.parametrize(
    ("old", "due"),
    [
        ("UNAVAIL", "start the resilver again (zpool resilver tank)"),
        ("OFFLINE", "bring SER0000 online: it may have what the others lack"),
    ],
)
@pytest.mark.parametrize(
    "scan", [ENDED, replace(ENDED, errors=0), replace(ENDED, state="canceled", errors=0)]
)
def test_nobody_is_told_to_wait_for_a_resilver_that_is_over(old: str, due: str, scan: Scan) -> None:
    top = group("mirror-0", group("replacing-0", leaf(0, old), leaf(2)), leaf(1))
    state = trouble_at(top, scan=scan)

    repair = the_repair(state, 0)

    assert due_in_words(repair).startswith(due)
    assert "wait" not in remedies(state, NOW)(
        next(each for each in findings(state, NOW, Thresholds()) if each.id == "vdev-no-redundancy")
    )


def test_an_offline_half_that_may_have_damaged_blocks_whole_is_not_said_to_be_for_replacement() -> None:
    state = trouble_at(group("mirror-0", leaf(0, "OFFLINE"), ROTTEN), unused=1, error_count=3)

    assert "bring SER0000 online: it may have the damaged blocks whole" == due_in_words(the_repair(state, 0))


def test_damaged_blocks_of_one_vdev_hold_up_no_replacement_in_another() -> None:
    """A block that the sound half of mirror-0 could not return would be counted there."""
    half = group("mirror-0", leaf(0), leaf(1, "FAULTED"))
    rotten = group("mirror-1", leaf(2, checksum_errors=Count(12)), leaf(3))
    state = trouble_at(half, rotten, unused=1, error_count=12)

    assert "replace SER0001 with SER0004" == due_in_words(the_repair(state, 1))

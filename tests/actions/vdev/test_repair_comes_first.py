"""A replacement that the repair calls unavailable is refused by its plan too, unless a reason is given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import aux, leaf, mirror, planned, raidz, rules, serial, world
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.model.repair import RepairStepKind, RepairStepState

GB = 10**9
RUN = Scan(
    "resilver", "scanning", start=int(NOW) - 4900, percent=98.0, issued_bytes=98 * GB, to_issue_bytes=100 * GB
)
FAILED = leaf(1, "FAULTED", write_errors=Count(50))
SPARED = group("spare-1", FAILED, leaf(2, is_resilvering=True), guid=600, configured_ashift=12)
IN_USE = replace(aux(2, "spare"), state="INUSE")
ON_SPARE = (group("mirror-0", leaf(0), SPARED, guid=500, configured_ashift=12), IN_USE)
ELSEWHERE = (
    group("mirror-0", leaf(0), FAILED, guid=500, configured_ashift=12),
    group("mirror-1", leaf(5), leaf(6, is_resilvering=True), guid=501, configured_ashift=12),
)
BEHIND = (group("mirror-0", leaf(0, is_resilvering=True), FAILED, guid=500, configured_ashift=12),)


@pytest.mark.parametrize(
    ("tops", "scan", "errors", "rule"),
    [
        (ON_SPARE, RUN, 0, "resilver-runs"),
        (ELSEWHERE, RUN, 0, "resilver-runs"),
        (BEHIND, RUN, 0, "vdev-incomplete"),
        (ELSEWHERE[:1], None, 12, "good-copies"),
        (ELSEWHERE[:1], replace(RUN, state="finished", end=int(NOW) - 900, errors=3), 0, "resilver-errors"),
        (ELSEWHERE[:1], replace(RUN, state="canceled", end=int(NOW) - 900), 0, "resilver-errors"),
    ],
)
def test_the_repair_and_the_plan_refuse_for_the_same_reason(
    tops: tuple[Vdev, ...], scan: Scan | None, errors: int, rule: str
) -> None:
    (repair, *_) = repairs(trouble_at(*tops, scan=scan, unused=2, error_count=errors), (), NOW)
    facts = world(*tops, pool={"scan": scan, "error_count": errors})

    made = planned(facts, "replace", "tank", "1001", serial(4))
    despite = planned(facts, "replace", "tank", "1001", serial(4), despite="it is dead for good")

    assert RepairStepState.HELD is repair.step(RepairStepKind.REPLACE).state
    assert [rule] == rules(made)
    assert ("zconsole", "repair", "tank") == made.refusals[0].command
    assert [] == rules(despite)
    assert "despite: it is dead for good" == despite.warnings[0]


def test_what_is_to_be_waited_for_is_told_with_its_progress() -> None:
    made = planned(world(*ON_SPARE, pool={"scan": RUN}), "replace", "tank", "1001", serial(4))

    assert (
        "a resilver is running: a replacement now would restart it or wait for it" == made.refusals[0].reason
    )
    assert made.refusals[0].instead.startswith(
        "wait until it ends (98%, about 2m left); the repair has the steps"
    )


def test_too_early_for_an_estimate_only_the_percentage_is_told() -> None:
    young = replace(RUN, start=int(NOW) - 5, percent=1.0, issued_bytes=GB)

    made = planned(world(*ON_SPARE, pool={"scan": young}), "replace", "tank", "1001", serial(4))

    assert made.refusals[0].instead.startswith("wait until it ends (1%); ")


@pytest.mark.parametrize(
    ("top", "scan"),
    [
        (group("mirror-0", leaf(0), FAILED, guid=500, configured_ashift=12), None),
        (group("mirror-0", leaf(0), FAILED, guid=500, configured_ashift=12), Scan("scrub", "scanning")),
        (replace(raidz(0, 2, 0, 1, 2, 3), configured_ashift=12), replace(RUN, state="finished", errors=0)),
    ],
)
def test_nothing_else_needs_a_reason(top: Vdev, scan: Scan | None) -> None:
    made = planned(world(top, pool={"scan": scan}), "replace", "tank", "1001", serial(4))

    assert [] == rules(made)


def test_the_new_disk_of_a_replacement_that_runs_is_replaced_without_one() -> None:
    """The resilver is for it: another one in its place begins again in any case."""
    new = group("replacing-1", FAILED, leaf(6, is_resilvering=True), guid=601, configured_ashift=12)
    top = group("mirror-0", leaf(0), new, guid=500, configured_ashift=12)

    made = planned(world(top, pool={"scan": RUN}), "replace", "tank", "1006", serial(4))

    assert "resilver-runs" not in rules(made)


def test_a_pool_of_one_healthy_mirror_waits_for_its_resilver_too() -> None:
    made = planned(world(mirror(0, 0, 1, 2), pool={"scan": RUN}), "replace", "tank", "1001", serial(4))

    assert ["resilver-runs"] == rules(made)

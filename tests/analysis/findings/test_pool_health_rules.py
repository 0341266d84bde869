"""Whether a pool and its vdevs still stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, in_class, mirror, pool
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.pool_health_rules import (
    RULES,
    pool_is_dead,
    pool_is_degraded,
    pool_is_suspended,
    pool_state_is_unknown,
    vdev_is_incomplete,
    vdev_is_lost,
    vdev_is_weaker,
    vdev_survives_nothing,
)
from zconsole.model.finding import Severity
from zconsole.model.pools.pool import Scan


def test_of_a_healthy_pool_no_rule_speaks() -> None:
    assert [] == [found for rule in RULES for found in rule(given())]


def test_a_suspension_counts_wherever_it_is_told() -> None:
    assert ["pool-suspended"] == [each for each, _ in said(pool_is_suspended, kstat_state="SUSPENDED")]
    assert ["pool-suspended"] == [each for each, _ in said(pool_is_suspended, pool(state="SUSPENDED"))]


@pytest.mark.parametrize(("expected", "state"), [("pool-faulted", "FAULTED"), ("pool-unavail", "UNAVAIL")])
def test_a_dead_pool_is_told_by_its_state(expected: str, state: str) -> None:
    assert [(expected, f"{state}: the pool cannot be used")] == said(pool_is_dead, pool(state=state))


def test_a_state_that_is_not_known_is_told_as_it_is() -> None:
    assert [("pool-state-unknown", "in state SPLIT, which is not known here")] == said(
        pool_state_is_unknown, pool(state="SPLIT")
    )


def test_a_mirror_without_any_disk_is_lost() -> None:
    assert ["vdev-lost"] == [each for each, _ in said(vdev_is_lost, pool(mirror("FAULTED", "UNAVAIL")))]
    assert [] == said(vdev_is_lost, pool(mirror("ONLINE", "UNAVAIL")))


def test_a_vdev_that_only_catches_up_is_a_warning_and_information_where_a_device_was_attached() -> None:
    failed = list(vdev_survives_nothing(given(pool(mirror("ONLINE", "FAULTED")))))
    late = group("mirror-0", disk("a"), disk("b", is_resilvering=True))
    catching_up = list(vdev_survives_nothing(given(pool(late))))

    assert [Severity.CRITICAL] == [each.severity for each in failed]
    assert [Severity.WARNING] == [each.severity for each in catching_up]
    assert catching_up[0].summary.endswith("until it is resilvered")

    new = group("mirror-0", disk("a", guid=1), disk("b", guid=2, is_resilvering=True))
    attached = replace(given(pool(new)), attached=frozenset({2}))
    rebuilt = given(pool(late, scan=Scan("resilver", "scanning", vdev="mirror-0")))
    assert [Severity.INFO] == [each.severity for each in vdev_survives_nothing(attached)]
    assert [Severity.INFO] == [each.severity for each in vdev_survives_nothing(rebuilt)]


def test_where_a_complete_spare_cannot_be_told_from_one_being_filled_it_is_a_warning() -> None:
    """It is critical only where it is proved, and never silent."""
    inside = group("spare-1", group("replacing-0", disk("b", "FAULTED"), disk("n")), disk("s"))
    begun = given(pool(group("mirror-1", disk("a"), inside), scan=Scan("resilver", "scanning", percent=0.0)))

    (found,) = vdev_survives_nothing(begun)

    assert (Severity.WARNING, ("spare-1",)) == (found.severity, found.evidence["in_doubt"])


def test_a_vdev_that_lacks_more_than_it_can_make_up_for_is_critical_and_not_only_without_redundancy() -> None:
    behind = group("raidz1-0", disk("a"), disk("b", "FAULTED"), disk("c", is_resilvering=True))
    facts = given(pool(behind, scan=Scan("resilver", "scanning", percent=12.0)))

    (found,) = vdev_is_incomplete(facts)

    assert (Severity.CRITICAL, ("b", "c")) == (found.severity, found.evidence["failed"])
    assert [] == [*vdev_is_lost(facts), *vdev_survives_nothing(facts)]


def test_a_degraded_pool_says_since_when_and_names_some_causes() -> None:
    disks = [disk(f"d{at}", "FAULTED" if at < 5 else "OFFLINE") for at in range(6)]
    of = pool(*(group(f"mirror-{at}", disk(f"x{at}"), each) for at, each in enumerate(disks)))

    ((_, words),) = said(pool_is_degraded, of, degraded_since=NOW - 3600)

    assert words.startswith("DEGRADED for 1h: d0 FAULTED, d1 FAULTED, d2 FAULTED, d3 FAULTED and 2 more")
    assert [] == said(pool_is_degraded, replace(of, state="ONLINE"))


def test_a_lone_disk_beside_mirrors_is_a_trap_and_a_thinner_mirror_is_told() -> None:
    trap = pool(mirror("ONLINE", "ONLINE"), in_class(disk("s"), "special"))
    thin = pool(mirror("ONLINE", "ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))

    assert [
        ("vdev-without-redundancy", "s (special) has no redundancy: losing it loses the whole pool")
    ] == said(vdev_is_weaker, trap)
    assert [("redundancy-uneven", "mirror-1 survives 1 by design, the strongest of the pool 2")] == said(
        vdev_is_weaker, thin
    )

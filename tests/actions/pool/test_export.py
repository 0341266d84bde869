"""Export: what runs on the pool blocks it, and nothing is ever forced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank
from tests.analysis.build import in_class
from tests.doubles.plan_worlds import guid_of, host
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.pool import PoolActivity, Scan

MOUNT = OutsideUse("tank/home", "mount", "/tank/home")


def test_it_is_caution_and_undone_by_an_import() -> None:
    made = planned(host(pools=(tank(),), uses=(MOUNT,)), "export")

    assert Risk.CAUTION is made.risk
    assert "zpool export tank" == argv(made)
    assert f"zpool import {guid_of('tank')}" == made.undo
    assert (Dependent("mount", "/tank/home", "tank/home"),) == made.dependents
    assert (Condition(ConditionKind.POOL_GONE, str(guid_of("tank"))),) == made.steps[0].settled_by


@pytest.mark.parametrize(
    "use",
    [
        OutsideUse("tank/home", "process", "bash[812]", "/tank/home/ann"),
        OutsideUse("tank/vm1", "guest", "web1"),
        OutsideUse("tank/swap", "swap", "/dev/zd0"),
        OutsideUse("tank/vm1", "holder", "/dev/loop0"),
        OutsideUse("/dev/zvol/tank/vm1", "holder", "/dev/dm-3"),
        OutsideUse("tank/vm1", "mount", "/mnt", "ext4"),
    ],
)
def test_what_runs_on_it_blocks(use: OutsideUse) -> None:
    made = planned(host(pools=(tank(),), uses=(MOUNT, use)), "export")

    assert {"in-use"} == rules(made)
    assert use.name in made.refusals[0].reason
    assert {use.name, "/tank/home"} == {each.name for each in made.dependents}


def test_what_runs_on_other_pools_does_not() -> None:
    others = (
        OutsideUse("tanker/vm", "guest", "web1"),
        OutsideUse("bulk", "process", "bash[1]"),
        OutsideUse("/dev/sda", "holder", "md0"),
    )

    made = planned(host(pools=(tank(),), uses=others), "export")

    assert not made.is_refused
    assert () == made.dependents


def test_many_are_counted_and_all_of_them_dependents() -> None:
    many = tuple(OutsideUse("tank/home", "process", f"bash[{number}]") for number in range(20))

    made = planned(host(pools=(tank(),), uses=many), "export")

    assert "and 15 more" in made.refusals[0].reason
    assert 20 == len(made.dependents)


def test_the_running_system_stays() -> None:
    assert {"boot-pool"} == rules(planned(host(pools=(tank(),), boot_pools=frozenset({"tank"})), "export"))


def test_where_uses_were_not_read_it_says_so() -> None:
    assert "it is not known what uses tank" in planned(host(pools=(tank(),), uses=None), "export").warnings[0]


def test_a_spare_that_serves_here_and_belongs_to_another_pool_as_well() -> None:
    spare = replace(in_class(leaf("s"), "spare"), state="INUSE")
    spared = tank(of("mirror-0", leaf("a"), leaf("b")), spare)
    other = replace(tank(mirror("ONLINE", "ONLINE"), replace(spare, state="AVAIL")), name="bulk")

    assert {"shared-spare"} == rules(planned(host(pools=(spared, other)), "export"))
    assert not planned(host(pools=(spared,)), "export").is_refused


def test_what_is_under_way_goes_on_after_the_import() -> None:
    busy = tank(
        scan=Scan("resilver", "scanning"), activities=(PoolActivity("raidz_expand", "raidz1-0", "active"),)
    )

    made = planned(busy, "export")

    assert (
        "the resilver goes on once it is imported",
        "raidz expand goes on once it is imported",
    ) == made.notes


def test_a_suspended_pool_is_not_exported() -> None:
    assert {"suspended"} == rules(planned(tank(state="SUSPENDED"), "export"))


def test_a_plan_is_stale_once_somebody_works_there() -> None:
    before = planned(host(pools=(tank(),), uses=(MOUNT,)), "export")
    after = planned(
        host(pools=(tank(),), uses=(MOUNT, OutsideUse("tank/home", "process", "vi[9]"))), "export"
    )

    assert before.fingerprint != after.fingerprint

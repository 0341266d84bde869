"""Rollback: what is newer is named, and nothing runs on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import bookmark, filesystem, host, images, linked, snapshot, volume
from zconsole.actions.intent import Intent
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import Hold, HostPolicy, OutsideUse

FACTS = host(images())


def test_to_the_newest_snapshot_nothing_else_goes() -> None:
    made = planned(FACTS, "rollback", "tank/home@daily-2")

    assert ["zfs rollback tank/home@daily-2"] == commands(made)
    assert Risk.DESTRUCTIVE is made.risk
    assert () == made.destroys
    assert (
        "all that was written to tank/home since @daily-2: 1.00 MiB, as far as ZFS has counted it",
    ) == made.loses
    assert ConditionKind.HISTORY is made.steps[0].settled_by[0].kind


def test_newer_snapshots_are_named_and_go_only_when_asked() -> None:
    assert ["newer"] == rules(planned(FACTS, "rollback", "tank/home@daily-1"))
    made = planned(FACTS, "rollback", "tank/home@daily-1", recursive=True)

    assert ["zfs rollback -r tank/home@daily-1"] == commands(made)
    assert ("tank/home@daily-2",) == made.destroys
    assert "storage1:tank/home@daily-1" == made.confirm


def test_newer_bookmarks_go_too() -> None:
    facts = host((filesystem("tank"), snapshot("tank@a", 20), bookmark("tank#b", 30)))

    assert ("tank#b",) == planned(facts, "rollback", "tank@a", recursive=True).destroys


def test_clones_of_newer_snapshots_go_only_with_clones() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), snapshot("tank/a@2", 2),
        filesystem("tank/c", origin="tank/a@2"), snapshot("tank/c@x", 3),
    ))  # fmt: skip

    assert ["clones"] == rules(planned(host(datasets), "rollback", "tank/a@1", recursive=True))
    made = planned(host(datasets), "rollback", "tank/a@1", with_clones=True)

    assert ["zfs rollback -R tank/a@1"] == commands(made)
    assert "storage1:tank/a@1 3" == made.confirm
    assert ("tank/a@2", "tank/c", "tank/c@x") == made.destroys


def test_a_clone_and_a_safety_snapshot_are_offered() -> None:
    offered = [each for _, each in planned(FACTS, "rollback", "tank/home@daily-1").alternatives]

    assert Intent("clone", "tank/home@daily-1", ("tank/home-daily-1",)) in offered
    assert Intent("snapshot", "tank/home@before-rollback") in offered


@pytest.mark.parametrize("kind", ["guest", "process", "holder", "swap"])
def test_it_is_refused_while_something_runs_on_it(kind: str) -> None:
    facts = host((*images(), snapshot("tank/vm2@a", 50)), uses=(OutsideUse("tank/vm2", kind, "web1"),))

    assert ["in-use"] == rules(planned(facts, "rollback", "tank/vm2@a"))


def test_a_newer_snapshot_that_is_held_refuses() -> None:
    facts = replace(FACTS, holds=(Hold("tank/home@daily-2", "backup"),))

    assert ["held"] == rules(planned(facts, "rollback", "tank/home@daily-1", recursive=True))


def test_a_protected_dataset_is_not_rolled_back() -> None:
    facts = replace(FACTS, policy=HostPolicy(protected=("tank/home",)))

    assert ["protected"] == rules(planned(facts, "rollback", "tank/home@daily-2"))


@pytest.mark.parametrize("target", ["tank/home", "tank/home#daily-1", "tank/home@none"])
def test_only_to_snapshots(target: str) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "rollback", target)


@pytest.mark.parametrize("with_clones", [False, True])
def test_guests_on_clones_are_named_only_where_the_clones_are_destroyed(with_clones: bool) -> None:
    tree = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 21), snapshot("tank/a@2", 22),
        volume("tank/web01", origin="tank/a@2", createtxg=23),
    ))  # fmt: skip
    facts = host(tree, uses=(OutsideUse("tank/web01", "guest", "web01", "/dev/zvol/tank/web01"),))

    made = planned(facts, "rollback", "tank/a@1", with_clones=with_clones)

    assert (["in-use"] if with_clones else ["newer", "clones"]) == rules(made)
    assert with_clones is any(each.kind == "guest" for each in made.dependents)

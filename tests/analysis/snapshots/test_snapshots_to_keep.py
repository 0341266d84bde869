"""Which snapshots may not go, with the first reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW
from tests.doubles.plan_worlds import images
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.snapshots.snapshots_to_keep import RetentionRules, chains, kept
from zconsole.model.host.plan_facts import Hold, HostPolicy

HUNG = build_graph(images())
NAME = "tank/home@daily-1"


def why(keeping: RetentionRules, *holds: Hold, name: str = NAME) -> tuple[str, str] | None:
    for chain in chains(HUNG, "tank", below=True):
        for place, found in kept(chain, HUNG, holds, keeping, NOW).items():
            if chain.snapshots[place].name == name:
                return found.reason, found.detail
    return None


@pytest.mark.parametrize(
    ("expected", "keeping"),
    [
        (None, RetentionRules()),
        (("replication", "vault/home"), RetentionRules(replication={NAME: "vault/home"})),
        (("protected", "tank/home@* stays"), RetentionRules(policy=HostPolicy(protected=("tank/home@*",)))),
        (("newest", "one of the newest 2 of its dataset"), RetentionRules(newest=2)),
        (("young", "younger than 1h"), RetentionRules(younger_than_s=3600)),
        (None, RetentionRules(younger_than_s=60)),
    ],
)
def test_what_is_asked_to_stay_stays(expected: tuple[str, str] | None, keeping: RetentionRules) -> None:
    assert expected == why(keeping)


def test_zfs_insists_on_holds_and_clones_first() -> None:
    both = RetentionRules(newest=9, policy=HostPolicy(protected=("*",)))

    assert ("held", "held by a, b") == why(both, Hold(NAME, "b"), Hold(NAME, "a"))
    assert ("cloned", "origin of tank/vm1, tank/vm2") == why(both, name="tank/images@gold")


def test_a_snapshot_of_unknown_age_is_taken_for_young() -> None:
    graph = build_graph([replace(each, creation=None) if each.name == NAME else each for each in images()])
    (chain,) = chains(graph, "tank/home", below=False)

    assert "young" == kept(chain, graph, (), RetentionRules(younger_than_s=60), NOW)[0].reason


def test_datasets_without_snapshots_have_no_chain() -> None:
    assert ["tank/home", "tank/home/ann", "tank/images", "tank/vm1"] == [
        chain.dataset.name for chain in chains(HUNG, "tank", below=True)
    ]

"""Holds and releases: one snapshot, trees of snapshots, tags."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, images, snapshot
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import Hold

FACTS = host(images())
HELD = replace(FACTS, holds=(Hold("tank/home/ann@daily-2", "keep"),))


def test_a_hold_of_one() -> None:
    made = planned(FACTS, "hold", "tank/home@daily-1", "keep")

    assert ["zfs hold keep tank/home@daily-1"] == commands(made)
    assert Risk.ROUTINE is made.risk
    assert "zfs release keep tank/home@daily-1" == made.undo


def test_a_recursive_hold_rests_on_all_that_it_holds() -> None:
    made = planned(FACTS, "hold", "tank/home@daily-2", "keep", recursive=True)

    assert ["zfs hold -r keep tank/home@daily-2"] == commands(made)
    assert {"tank/home@daily-2", "tank/home/ann@daily-2"} == {
        each.object for each in made.steps[0].settled_by
    }
    more = host((*images(), filesystem("tank/home/bob"), snapshot("tank/home/bob@daily-2", 22)))
    assert made.fingerprint != planned(more, "hold", "tank/home@daily-2", "keep", recursive=True).fingerprint


def test_a_tag_that_is_taken_below_refuses_all() -> None:
    """ZFS holds all or none."""
    assert ["held"] == rules(planned(HELD, "hold", "tank/home@daily-2", "keep", recursive=True))
    assert [] == rules(planned(HELD, "hold", "tank/home@daily-2", "keep"))


def test_a_release() -> None:
    made = planned(HELD, "release", "tank/home/ann@daily-2", "keep")

    assert ["zfs release keep tank/home/ann@daily-2"] == commands(made)
    assert "tank/home/ann@daily-2" == made.confirm
    assert "zfs hold keep tank/home/ann@daily-2" == made.undo


def test_a_recursive_release_lets_go_of_those_that_have_the_tag() -> None:
    made = planned(HELD, "release", "tank/home@daily-2", "keep", recursive=True)

    assert ["zfs release -r keep tank/home@daily-2"] == commands(made)
    assert ["tank/home/ann@daily-2"] == [each.object for each in made.steps[0].settled_by]


def test_what_is_not_held_is_not_released() -> None:
    made = planned(HELD, "release", "tank/home/ann@daily-2", "other")

    assert ["not-held"] == rules(made)
    assert "keep" in made.refusals[0].instead


def test_a_release_that_lets_zfs_destroy_the_snapshot_says_so() -> None:
    datasets = [
        replace(each, is_destroy_deferred=True, holds=1) if each.name == "tank/home@daily-1" else each
        for each in images()
    ]
    facts = host(datasets, holds=(Hold("tank/home@daily-1", "keep"),))

    made = planned(facts, "release", "tank/home@daily-1", "keep")

    assert Risk.DESTRUCTIVE is made.risk
    assert ("tank/home@daily-1",) == made.destroys
    assert [ConditionKind.DATASET_GONE] == [each.kind for each in made.steps[0].settled_by]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("hold", ["tank/home", "keep"]), ("hold", ["tank/home@daily-1"]),
        ("hold", ["tank/home@daily-1", "-r"]),
        ("release", ["tank/home@daily-1"]), ("release", ["tank/home", "keep"]),
        ("bookmark", ["tank/home"]), ("bookmark", ["tank/home@daily-1", "tank/images#a"]),
        ("hold", ["tank/home@daily-1", "keep", "tank/home@daily-2"]),
    ],
)  # fmt: skip
def test_words_that_make_no_sense(action: str, words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, action, *words)

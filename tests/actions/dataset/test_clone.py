"""Clones of snapshots."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, images, snapshot, volume
from zconsole.base.errors import UsageError

FACTS = host(images())


def test_a_clone_and_what_it_will_pin() -> None:
    made = planned(FACTS, "clone", "tank/home@daily-1", "tank/lab", "readonly=on")

    assert ["zfs clone -o readonly=on tank/home@daily-1 tank/lab"] == commands(made)
    assert any("neither tank/home@daily-1 nor tank/home can be destroyed" in each for each in made.notes)


def test_a_clone_of_a_volume_has_the_properties_of_volumes() -> None:
    facts = host((filesystem("tank"), volume("tank/v"), snapshot("tank/v@a")))

    assert ["zfs clone -o volmode=dev tank/v@a tank/w"] == commands(
        planned(facts, "clone", "tank/v@a", "tank/w", "volmode=dev")
    )
    with pytest.raises(UsageError):
        planned(facts, "clone", "tank/v@a", "tank/w", "recordsize=1M")


@pytest.mark.parametrize(
    "words", [["tank/home@daily-1"], ["tank/home@daily-1", "vault/x"], ["tank/home", "tank/x"]]
)
def test_a_clone_is_of_a_snapshot_in_its_pool_with_a_name(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "clone", *words)


def test_a_clone_needs_a_place_too() -> None:
    assert ["exists"] == rules(planned(FACTS, "clone", "tank/home@daily-1", "tank/vm1"))

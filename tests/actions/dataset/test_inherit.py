"""Inheriting properties: what the value will be, and what cannot be inherited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import host, images
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts

FACTS = host(images())


def known(*rows: tuple[str, str, str, str], facts: PlanFacts = FACTS) -> PlanFacts:
    """The host with these properties read: object, property, value, source."""
    return replace(facts, properties=rows)


COMPRESSION = known(
    ("tank", "compression", "lz4", "local"),
    ("tank/home", "compression", "lz4", "inherited from tank"),
    ("tank/home/ann", "compression", "lz4", "inherited from tank"),
    ("tank/images", "compression", "off", "local"),
    ("tank/vm1", "compression", "lz4", "inherited from tank"),
)


def test_inheriting_tells_what_it_will_be_and_how_to_undo_it() -> None:
    made = planned(COMPRESSION, "inherit", "tank/images", "compression")

    assert ["zfs inherit compression tank/images"] == commands(made)
    assert "zfs set compression=off tank/images" == made.undo
    assert any("it will be lz4, as on tank" in each for each in made.notes)


def test_an_inherited_mountpoint_is_a_place_below_that_of_the_parent() -> None:
    facts = known(("tank", "mountpoint", "/tank", "local"), ("tank/home", "mountpoint", "/srv/x", "local"))

    made = planned(facts, "inherit", "tank/home", "mountpoint")

    assert "it will be /tank/home, below that of tank" in made.notes


def test_what_is_not_set_is_not_taken_away() -> None:
    assert ["unchanged"] == rules(planned(COMPRESSION, "inherit", "tank/home", "compression"))


def test_recursively_all_values_below_go_and_are_named() -> None:
    made = planned(COMPRESSION, "inherit", "tank", "compression", recursive=True)

    assert ["zfs inherit -r compression tank"] == commands(made)
    assert "zfs set compression=lz4 tank; zfs set compression=off tank/images" == made.undo
    assert ("tank/images", "loses its own compression, off") in {
        (each.name, each.detail) for each in made.dependents
    }


def test_what_is_not_inherited_cannot_be() -> None:
    facts = known(("tank", "quota", "0", "default"), ("tank/home", "quota", "1024", "local"))

    made = planned(facts, "inherit", "tank/home", "quota")

    assert ["not-inherited"] == rules(made)
    assert not [each for each in made.notes if "it will be" in each]
    assert () == made.dependents


@pytest.mark.parametrize("words", [[], ["used"], ["nosuch"], ["encryption"]])
def test_inheriting_nothing_makes_no_sense(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "inherit", "tank/home", *words)

"""Sharing and unsharing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import host, images
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError

FACTS = host(images())


def test_sharing_as_the_properties_say() -> None:
    facts = replace(
        FACTS,
        properties=(
            ("tank/home", "sharenfs", "rw=@10.0.0.0/8", "local"),
            ("tank/home", "sharesmb", "off", "default"),
        ),
    )

    made = planned(facts, "unshare", "tank/home")

    assert ["zfs unshare tank/home"] == commands(made)
    assert [("share", "nfs")] == [(each.kind, each.name) for each in made.dependents]
    assert ["zfs share tank/home"] == commands(planned(facts, "share", "tank/home"))
    assert Risk.CAUTION is made.risk


def test_what_is_not_to_be_shared_is_not() -> None:
    assert ["not-shared"] == rules(planned(FACTS, "share", "tank/home"))


@pytest.mark.parametrize(
    ("action", "target"),
    [
        ("mount", "tank/vm1"),
        ("unmount", "tank/home@daily-1"),
        ("load-key", "tank/home@daily-1"),
        ("share", "tank/vm1"),
    ],
)
def test_only_what_can_be(action: str, target: str) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, action, target)

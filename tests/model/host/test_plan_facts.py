"""Facts of a plan: permissions, protection, and what was read of what."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import host, images
from tests.doubles.shelves import link, mirror, world
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.host.plan_facts import (
    Delegation,
    HostPolicy,
    OutsideUse,
    PlanFacts,
    PrivilegeMode,
    Privileges,
    SendingSide,
)


@pytest.mark.parametrize(
    ("expected", "delegation", "name"),
    [
        (True, Delegation("tank/a", frozenset()), "tank/a"),
        (True, Delegation("tank/a", frozenset()), "tank/a/b"),
        (True, Delegation("tank/a", frozenset()), "tank/a@1"),
        (True, Delegation("tank/a", frozenset(), below=False), "tank/a#1"),
        (False, Delegation("tank/a", frozenset()), "tank/ab"),
        (False, Delegation("tank/a", frozenset(), below=False), "tank/a@1"),
        (False, Delegation("tank/a", frozenset(), here=False), "tank/a"),
    ],
)
def test_a_delegation_reaches_what_it_says(
    expected: bool,
    delegation: Delegation,
    name: str,
) -> None:
    assert expected is delegation.reaches(name)


def test_root_may_all_and_a_user_what_is_delegated() -> None:
    ann = Privileges("ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank/a", frozenset({"mount"})),))

    assert ann.may("mount", "tank/a/b")
    assert not ann.may("destroy", "tank/a/b")
    assert not ann.may("mount", "tank/b")
    assert Privileges("ann", 1000, PrivilegeMode.SUDO).may("destroy", "tank")
    assert not ann.is_root


def test_a_policy_protects_names_now_and_under_another_name() -> None:
    policy = HostPolicy(protected=("tank/vm*", "bulk"))

    assert "tank/vm*" == policy.protects("tank/vm1@a")
    assert policy.protects("tank/home") is None
    assert "tank/vm*" == policy.loses("tank/vm1", "tank/old")
    assert policy.loses("tank/vm1", "tank/vm2") is None
    assert "tank/vm*" == policy.loses_in("tank", "bank")
    assert "bulk" == policy.protects_in("bulk")
    assert policy.protects_in("other") is None


def test_what_was_not_read_of_those_that_are_there() -> None:
    facts = host(
        images(), scope=SnapshotScope(whole=frozenset({"tank/home"}), named=frozenset({"tank/vm1@patched"}))
    )

    assert ("tank/images", "tank/images@gold") == facts.unread(
        ["tank/home", "tank/home@daily-1", "tank/vm1@patched", "tank/images", "tank/images@gold"]
    )
    assert () == host(images()).unread(["tank/images"])


def test_objects_properties_and_uses_are_found_by_name() -> None:
    use = OutsideUse("tank/home", "mount", "/home")
    facts = host(images(), uses=(use,), properties=(("tank", "compression", "lz4", "local"),))

    assert "tank/home#daily-1" == getattr(facts.dataset("tank/home#daily-1"), "name", "")
    assert facts.dataset("tank/nothing") is None
    assert (use,) == facts.uses_of("tank/home")
    assert "lz4" == facts.property("tank", "compression")
    assert facts.property("tank", "quota") is None
    assert "tank" == getattr(facts.pool("tank"), "name", "")


def test_a_disk_is_found_by_any_path_of_it_and_so_is_a_partition() -> None:
    facts = world(mirror(0, 0, 1))

    assert "sda" == getattr(facts.disk(link(0)), "name", "")
    assert "sda1" == getattr(facts.disk(f"{link(0)}-part1"), "name", "")
    assert facts.disk("/dev/nothing") is None
    assert host().disk(link(0)) is None
    assert 2 == len(list(facts.leaves()))


def test_an_altroot_that_is_none_is_the_root() -> None:
    facts = host(altroots=(("tank", "/mnt"),))

    assert ["/mnt", ""] == [facts.altroot("tank"), facts.altroot("bulk")]


def test_a_sender_knows_its_own_datasets() -> None:
    facts: PlanFacts = host(images())
    sending = SendingSide(facts.identity, datasets=facts.datasets)

    assert "tank/vm1" == getattr(sending.dataset("tank/vm1"), "name", "")
    assert sending.dataset("vault/vm1") is None

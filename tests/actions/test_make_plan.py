"""What holds for every plan, whatever its action."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from tests.doubles.plan_worlds import filesystem, host, linked, pool, snapshot
from tests.doubles.troubled_pools import troubled_hosts
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import changes, plan
from zconsole.actions.plan import Plan, PlanBasis, Risk
from zconsole.analysis.vdevs.redundancy import in_words, pool_redundancy
from zconsole.base.errors import UsageError
from zconsole.model.host.host_state import HostState
from zconsole.model.host.plan_facts import Delegation, HostPolicy, PlanFacts, PrivilegeMode, Privileges

HOME = linked((filesystem("tank"), filesystem("tank/home"), snapshot("tank/home@a"), snapshot("tank/home@b")))


def scrub(facts: PlanFacts) -> Plan:
    return plan(intent("scrub", "tank"), facts)


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


def test_a_host_that_is_only_looked_at_refuses_everything() -> None:
    made = scrub(host(policy=HostPolicy("storage1 is read-only in the configuration", "remove it there")))

    assert made.risk is Risk.REFUSED
    assert [("read-only", "remove it there")] == [(each.rule, each.instead) for each in made.refusals]
    assert made.confirm is None


def test_a_pattern_that_protects_many_refuses_once_and_counts_them() -> None:
    facts = host(HOME, policy=HostPolicy(protected=("tank/home*",)))

    made = plan(intent("destroy", "tank/home", options={"recursive": True}), facts)

    protected = [each.reason for each in made.refusals if each.rule == "protected"]
    assert 1 == len(protected)
    assert "tank/home and 2 more are protected" in protected[0]


def test_a_suspended_pool_takes_no_command_that_would_hang() -> None:
    assert "suspended" in rules(scrub(host(pools=(pool(state="SUSPENDED"),))))


def test_who_may_not_is_told_what_would_let_him() -> None:
    made = scrub(host(privileges=Privileges("bob", 1000, PrivilegeMode.PLAIN)))

    assert ["permission"] == rules(made)
    assert "bob is not root" in made.refusals[0].reason
    assert "sudoers" in made.refusals[0].instead


def test_a_delegation_is_enough_for_what_it_names() -> None:
    bob = Privileges("bob", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"hold"})),))
    facts = host(HOME, privileges=bob, holds=())

    assert not plan(intent("hold", "tank/home@a", "keep"), facts).is_refused
    assert "permission" in rules(plan(intent("destroy", "tank/home@a"), facts))


def test_an_action_that_there_is_not_names_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        plan(intent("scrubb", "tank"), host())

    assert caught.value.hint.startswith("Did you mean scrub")


def test_every_plan_rests_on_the_machine_and_the_pool() -> None:
    facts = host()
    elsewhere = replace(facts, identity=replace(facts.identity, machine_id="another"))

    differences = scrub(facts).basis.differences(scrub(elsewhere).basis)

    assert 1 == len(differences)
    assert differences[0].startswith("machine-id was")
    assert scrub(facts).fingerprint != scrub(elsewhere).fingerprint
    assert scrub(facts).fingerprint == scrub(facts).fingerprint


def test_differences_name_what_changed_what_went_and_what_is_new() -> None:
    before = PlanBasis((("a", "1"), ("b", "2"), ("same", "x")))
    after = PlanBasis((("a", "3"), ("c", "4"), ("same", "x")))

    assert ("a was 1, is 3", "b is gone (was 2)", "c is new (4)") == before.differences(after)
    assert () == before.differences(before)


@given(troubled_hosts())
def test_a_plan_hedges_what_a_vdev_survives_as_the_status_does(state: HostState) -> None:
    pool_now = state.pools[0].pool.value
    assert pool_now is not None

    told = {each.vdev: each.told[0] for each in changes(pool_now, None, pool_now)}

    for each in pool_redundancy(pool_now):
        left, (before, behind) = told[each.vdev]
        assert each.left == left
        assert ("at most" in in_words(each)) is bool(before)
        assert not behind or each.is_lost or behind in in_words(each)
        assert ("perhaps none" in in_words(each)) is (behind == "perhaps none")

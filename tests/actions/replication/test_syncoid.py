"""Plans of syncoid: what it would run, and where it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.actions.replication.ends import A_THERE, COPY, SOURCE, cut, fed, received, world
from tests.doubles.plan_worlds import MIB, guid_of
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import Target, TargetKind, intent
from zconsole.actions.plan import ConditionKind, Plan, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode, Privileges

NEXT = world(COPY, A_THERE, properties=cut(from_guid=guid_of("tank/home@a")))


def by_syncoid(facts: PlanFacts, source: str = "tank/home") -> Plan:
    return planned(replace(facts, missing_tools=frozenset()), "syncoid", "vault/home", source)


def test_syncoid_neither_rolls_back_nor_takes_snapshots() -> None:
    first, then = by_syncoid(world()), by_syncoid(world(COPY, A_THERE))

    always = "syncoid --no-sync-snap --no-rollback --pv-options=-n -b"
    assert [f"{always} --recvoptions=u o readonly=on tank/home vault/home"] == commands(first)
    assert [f"{always} --recvoptions=u tank/home vault/home"] == commands(then)
    assert (Risk.ROUTINE, Risk.CAUTION) == (first.risk, then.risk)
    (told,) = then.steps[0].settled_by
    assert (ConditionKind.RECEIVED, "c", str(guid_of("tank/home@c"))) == (told.kind, told.key, told.value)
    assert then.steps[0].is_followed


def test_what_syncoid_would_have_to_overwrite_is_refused_too() -> None:
    assert ["changed"] == rules(by_syncoid(world(replace(COPY, written_bytes=MIB), A_THERE)))
    assert ["no-common"] == rules(by_syncoid(world(COPY)))
    assert ["partial"] == rules(by_syncoid(NEXT))


def test_who_may_not_become_root_is_told_that_syncoid_takes_that_and_receive_does_not() -> None:
    facts = replace(world(), privileges=Privileges("ann", 1000, PrivilegeMode.PLAIN))

    (refused,) = by_syncoid(facts).refusals
    ((_, instead),) = by_syncoid(facts).alternatives

    assert "ann is not root, and syncoid cannot be delegated" == refused.reason
    assert refused.instead.startswith("zconsole sudoers has no rule for syncoid")
    assert intent("receive", "vault/home", "tank/home", options={"intermediates": True}) == instead
    assert not by_syncoid(world()).alternatives
    assert "zfs send -L -e -c tank/home@c" == fed(received(world(), "tank/home", intermediates=True))


def test_syncoid_sends_what_is_encrypted_as_it_is() -> None:
    sent = tuple(
        replace(each, encryption="aes-256-gcm") if each.name == "tank/home" else each for each in SOURCE
    )

    assert "--sendoptions=w" in commands(by_syncoid(world(source=sent)))[0]


def test_without_syncoid_it_is_refused_and_greyed() -> None:
    facts = replace(world(), missing_tools=frozenset({"syncoid"}))

    assert ["no-syncoid"] == rules(planned(facts, "syncoid", "vault/home", "tank/home"))
    assert spec("syncoid").why_not(Target(TargetKind.FILESYSTEM, "tank", "tank/home"), facts)
    assert ("syncoid",) == spec("syncoid").needs(intent("syncoid", "vault/home", "tank/home")).tools


@pytest.mark.parametrize("source", ["", "tank/home@a", "root@nas1:tank/home"])
def test_syncoid_sends_datasets_of_this_host(source: str) -> None:
    with pytest.raises(UsageError, match="syncoid sends a dataset of this host"):
        planned(world(), "syncoid", "vault/home", *([source] if source else []))


def test_to_run_syncoid_takes_root() -> None:
    facts = replace(world(), privileges=Privileges("bob", 1000), missing_tools=frozenset())

    assert "permission" in rules(planned(facts, "syncoid", "vault/home", "tank/home"))

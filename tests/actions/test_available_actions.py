"""What a menu greys for want of privileges is what the plan would refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles import plan_worlds
from tests.ui import states
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.available_actions import offers, still_to_ask
from zconsole.actions.intent import Target, TargetKind, intent
from zconsole.actions.make_plan import plan
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.plan_facts import Delegation, Hold, HostPolicy, PrivilegeMode, Privileges

HOME, MONDAY = "tank/home", "tank/home@monday"
WORLD = plan_worlds.host(
    [plan_worlds.filesystem("tank"), plan_worlds.filesystem(HOME), plan_worlds.snapshot(MONDAY)]
)
TARGETS = {
    kind: Target(kind, "tank", name)
    for kind, name in (
        (TargetKind.POOL, "tank"),
        (TargetKind.FILESYSTEM, HOME),
        (TargetKind.SNAPSHOT, MONDAY),
    )
}
WORDS = {  # of the actions that take some
    "hold": ("keep",), "release": ("keep",), "clone": ("tank/copy",), "rename": (f"{HOME}2",), "bookmark": (),
}  # fmt: skip
TRIED = (
    (TargetKind.POOL, "scrub"), (TargetKind.POOL, "export"), (TargetKind.POOL, "destroy"),
    (TargetKind.FILESYSTEM, "destroy"),
    (TargetKind.FILESYSTEM, "rename"), (TargetKind.SNAPSHOT, "destroy"), (TargetKind.SNAPSHOT, "hold"),
    (TargetKind.SNAPSHOT, "clone"), (TargetKind.SNAPSHOT, "rollback"), (TargetKind.SNAPSHOT, "bookmark"),
)  # fmt: skip


def ann(*permissions: str) -> Privileges:
    """A user whom nothing lets become root."""
    given = (Delegation(HOME, frozenset(permissions)),) if permissions else ()
    return Privileges("ann", 1000, PrivilegeMode.PLAIN, given)


def why_not(action: str, kind: TargetKind, privileges: Privileges | None) -> str:
    """What the menu says against an action."""
    means = None if privileges is None else HostCapabilities(privileges)
    offered = offers(TARGETS[kind], states.healthy(), WORLD, means)
    return next(offer.why_not for offer in offered if offer.spec.id == action)


@pytest.mark.parametrize(("kind", "action"), TRIED)
def test_who_may_nothing_is_offered_nothing_and_would_be_refused(kind: TargetKind, action: str) -> None:
    wanted = intent(action, TARGETS[kind].name, *WORDS.get(action, ()))
    refused = plan(wanted, plan_worlds.replace(WORLD, privileges=ann())).refusals

    assert why_not(action, kind, ann()).startswith(("ann is not root", f"ann lacks the permission {action}"))
    assert "permission" in {refusal.rule for refusal in refused}


@pytest.mark.parametrize(
    ("kind", "action"), [each for each in TRIED if each[0] is not TargetKind.POOL and each[1] != "rename"]
)
def test_what_is_delegated_is_offered(kind: TargetKind, action: str) -> None:
    assert not why_not(action, kind, ann(action))
    assert why_not("rename" if action != "rename" else "destroy", kind, ann(action))


@pytest.mark.parametrize(
    "privileges", [None, plan_worlds.ROOT, Privileges("ann", 1000, PrivilegeMode.SUDO_PASSWORD)]
)
@pytest.mark.parametrize(("kind", "action"), TRIED)
def test_root_and_who_is_not_known_lack_nothing(
    kind: TargetKind, action: str, privileges: Privileges | None
) -> None:
    assert not why_not(action, kind, privileges)


def test_no_pool_can_be_destroyed_by_whom_its_datasets_are_delegated_to() -> None:
    assert "not root" in why_not("destroy", TargetKind.POOL, ann("destroy", "mount"))


@pytest.mark.parametrize("action", ["resume-receive", "abort-receive"])
@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((), ""),
        (((HOME, "receive_resume_token", "1-abc", "-"),), ""),
        (
            ((HOME, "receive_resume_token", "-", "-"),),
            f"no receive into {HOME} was interrupted, or one is in progress",
        ),
        ((("tank", "receive_resume_token", "-", "-"),), ""),
    ],
)
def test_a_receive_is_gone_on_with_unless_none_is_known_to_have_been_cut(
    action: str, told: tuple[tuple[str, str, str, str], ...], expected: str
) -> None:
    """What the plan would refuse for the same reason; what was not asked is offered."""
    offered = offers(
        TARGETS[TargetKind.FILESYSTEM],
        states.healthy(),
        WORLD,
        HostCapabilities(plan_worlds.ROOT, properties=told),
    )
    refused = plan(intent(action, HOME), plan_worlds.replace(WORLD, properties=told)).refusals

    assert expected == next(each.why_not for each in offered if each.spec.id == action)
    assert not expected or expected in {each.reason for each in refused}


def test_what_is_greyed_already_is_not_asked_about() -> None:
    target = TARGETS[TargetKind.FILESYSTEM]
    locked = plan_worlds.replace(WORLD, policy=HostPolicy("it is only looked at"))

    assert ("receive_resume_token",) == still_to_ask(tuple(offers(target, states.healthy(), WORLD)))
    assert () == still_to_ask(tuple(offers(target, states.healthy(), locked)))
    assert () == still_to_ask(tuple(offers(TARGETS[TargetKind.POOL], states.healthy(), WORLD)))


def test_whether_a_property_may_be_set_is_known_with_the_property() -> None:
    assert not why_not("set", TargetKind.FILESYSTEM, ann())


def test_what_takes_root_for_a_target_is_an_action_of_that_target() -> None:
    assert all(spec.root_for <= spec.targets for spec in SPECS)


def test_a_held_snapshot_names_who_holds_it() -> None:
    state = states.healthy()
    facts = replace(WORLD, holds=(Hold(MONDAY, "keep-2026"), Hold(MONDAY, "audit"), Hold(HOME, "other")))

    (offer,) = (
        each for each in offers(TARGETS[TargetKind.SNAPSHOT], state, facts) if each.spec.id == "destroy"
    )
    assert "held by audit, keep-2026" == offer.why_not

"""When the host is read again behind the shutdown of guests."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.plan_worlds import HOST
from zconsole.actions.guest.guest_steps import shutdown_step, start_step
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk, Step
from zconsole.execution.outcomes.recheck_plan_after_guest_shutdown import is_due
from zconsole.model.guests.guest import Guest, GuestDefinition, GuestState, GuestStatus


def guest(name: str) -> Guest:
    return Guest(
        GuestDefinition(f"8f14e45f-ceea-467f-a0e0-00000000000{len(name)}", name),
        GuestStatus(name, GuestState.RUNNING),
    )


WEB, DB = guest("web"), guest("db")
STEPS = (shutdown_step(WEB), shutdown_step(DB), Step(("zfs", "rollback", "t@a"), "go back"), start_step(WEB))
PLAN = Plan(
    intent("rollback", "t@a", options={"shut-down-guests": True}),
    "go back",
    "t@a",
    HOST,
    Risk.CATASTROPHIC,
    0.0,
    STEPS,
)


def test_it_is_due_once_before_the_first_step_on_storage() -> None:
    assert not is_due(replace(PLAN, intent=intent("guest-move", "web")), 2)
    assert [False, False, True, False] == [is_due(PLAN, number) for number in range(4)]

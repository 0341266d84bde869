"""Check between the shutdown of guests and the steps on their storage: the host, read and planned again."""

from __future__ import annotations

from dataclasses import replace

from zconsole.actions.guest.shut_down_guests_first import (
    SHUT_DOWN_GUESTS,
    basis_without_guests,
    without_guest_options,
)
from zconsole.actions.plan import ConditionKind, Plan, Step
from zconsole.base.errors import UsageError
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.guest_steps_without_root import is_of_libvirt
from zconsole.execution.plan_diff import other_doing
from zconsole.execution.prepare_plan import plan_or_refuse, read_whole

_NAMED = 5


def is_due(plan: Plan, number: int) -> bool:
    """Whether a step is the first one behind the shutdown of guests that were in the way."""
    return (
        plan.intent.flag(SHUT_DOWN_GUESTS.name)
        and 0 < number < len(plan.steps)
        and (is_of_libvirt(plan.steps[number - 1]) and not is_of_libvirt(plan.steps[number]))
    )


async def what_differs(reader: Reader, plan: Plan) -> str:
    """Why the steps behind the guests may not follow, or "". Raises HostError and ParseError."""
    wanted = without_guest_options(plan.intent)
    try:
        now = plan_or_refuse(wanted, await read_whole(reader, wanted))
    except UsageError as error:
        return error.message
    if now.is_refused:
        return "; ".join(each.reason for each in now.refusals)
    was = replace(
        plan,
        basis=basis_without_guests(plan.basis),
        steps=tuple(step for step in plan.steps if not _is_of_power(step)),
    )
    now = replace(
        now,
        basis=basis_without_guests(now.basis),
        risk=min(now.risk, was.risk, key=lambda risk: risk.rank),
        target=was.target,
    )
    return "; ".join((*was.basis.differences(now.basis), *_other(was, now)))


def _is_of_power(step: Step) -> bool:
    """Whether it shuts a guest down, which is gone then if it is transient, or starts it."""
    return any(each.kind is ConditionKind.GUEST_STATE for each in step.settled_by) or _is_forgotten(step)


def _is_forgotten(step: Step) -> bool:
    """Whether it shuts a transient guest down."""
    return bool(step.waits_s) and any(each.kind is ConditionKind.GUEST_GONE for each in step.settled_by)


def _other(was: Plan, now: Plan) -> tuple[str, ...]:
    """Other commands or objects; the risk without its guests is lower, and confirmed by other words."""
    return other_doing(replace(was, risk=now.risk), now)

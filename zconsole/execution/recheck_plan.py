"""Checks of a confirmed plan before its first step: the order, other commands, and the host read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.actions.plan import OF_HISTORY, ConditionKind, Plan
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.collect.readings.facts_for_plans import read_history
from zconsole.execution.earlier_commands_still_running import still_under_way
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.outcomes.evaluate_step_condition import telling
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.execution.plan_diff import other_doing
from zconsole.execution.prepare_plan import plan_or_refuse, read_whole
from zconsole.execution.run_context import RunContext
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import RunState
from zconsole.zfs.listing.history import HistoryRecord

CLOCK_BACK_S: Final = 5.0  # a larger difference means that the clock was set
NOT_AS_PLANNED: Final = "the host has changed since the plan"


@dataclass(frozen=True, slots=True)
class Order:
    """Confirmed plan: typed text, secrets, and maximum age (None: any; the host is read again anyway)."""

    plan: Plan
    typed: str = ""
    secrets: Mapping[str, Secret] = field(default_factory=dict, repr=False)
    lasts_s: float | None = None


class RunStopped(Exception):
    """The run has ended; the message says how."""

    def __init__(self, state: RunState, words: str, differences: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.state = state
        self.words = words
        self.differences = differences


@dataclass(frozen=True, slots=True)
class CheckedHost:
    """Host that is as the plan had it: facts, conditions of each step, monotonic seconds."""

    facts: PlanFacts
    conditions: tuple[tuple[ConditionCheck, ...], ...]
    read_at: float  # start of the reading
    checked_at: float


def check_order(order: Order, reader: Reader) -> None:
    """Checks that need no host. Raises RunStopped."""
    plan = order.plan
    age = reader.clock.now() - plan.made_at
    if plan.is_refused:
        raise RunStopped(RunState.REFUSED, "; ".join(each.reason for each in plan.refusals))
    if reader.policy.read_only:
        raise RunStopped(RunState.REFUSED, reader.policy.read_only)
    if plan.identity.label != reader.host.label:
        raise RunStopped(RunState.REFUSED, f"the plan was made for {plan.identity.label}")
    if order.lasts_s is not None and age > order.lasts_s:
        words = (
            f"the plan is {age:.0f} s old, and such a plan is good for {order.lasts_s:.0f} s: make it again"
        )
        raise RunStopped(RunState.REFUSED, words)
    if age < -CLOCK_BACK_S:
        raise RunStopped(RunState.REFUSED, "the clock was set back since the plan was made: make it again")
    if plan.confirm is not None and order.typed != plan.confirm:
        raise RunStopped(RunState.REFUSED, f"it was not confirmed: {plan.confirm!r} must be typed")
    for name in plan.secrets:
        if name not in order.secrets:
            raise RunStopped(RunState.REFUSED, f"it needs the {name}")


async def check_nothing_runs(reader: Reader, context: RunContext, plan: Plan, run_id: str) -> None:
    """Check that no command of an earlier run is active, which would change the facts. Raises RunStopped."""
    words = await still_under_way(reader, context, plan, run_id)
    if words:
        raise RunStopped(RunState.REFUSED, words)


async def check_host(reader: Reader, plan: Plan) -> CheckedHost:
    """Read the host again, plan again, and compare. Raises RunStopped."""
    read_at = reader.clock.monotonic()
    try:
        facts = await read_whole(reader, plan.intent)
        now = plan_or_refuse(plan.intent, facts)
    except UsageError as error:
        raise RunStopped(RunState.STALE, NOT_AS_PLANNED, (error.message,)) from None
    differences = plan.basis.differences(now.basis)
    if differences:
        raise RunStopped(RunState.STALE, NOT_AS_PLANNED, differences)
    if now.is_refused:
        raise RunStopped(RunState.REFUSED, "; ".join(each.reason for each in now.refusals))
    others = other_doing(plan, now)
    if others:
        raise RunStopped(RunState.STALE, NOT_AS_PLANNED, others)
    checked_at = reader.clock.monotonic()
    history = await _history(reader, plan, facts)
    return CheckedHost(facts, _conditions(plan, facts, history), read_at, checked_at)


def _conditions(
    plan: Plan, facts: PlanFacts, history: Sequence[HistoryRecord] | None
) -> tuple[tuple[ConditionCheck, ...], ...]:
    """What decides on each step: what does not hold before it; an earlier step may change what holds now."""
    changed: set[tuple[str, ConditionKind, str, str]] = set()
    found: list[tuple[ConditionCheck, ...]] = []
    for step in plan.steps:
        at = facts.other if step.on and facts.other is not None else facts
        told = telling(step.settled_by, at, history if at is facts else None)
        known = {each.condition for each in told}
        again = tuple(
            ConditionCheck(each)
            for each in step.settled_by
            if each not in known and (step.on, each.kind, each.object, each.key) in changed
        )
        found.append((*told, *again, *telling(step.leads_to, at, is_aim=True)))
        changed |= {(step.on, each.kind, each.object, each.key) for each in step.settled_by}
    return tuple(found)


async def _history(reader: Reader, plan: Plan, facts: PlanFacts) -> Sequence[HistoryRecord] | None:
    """The pool's present history if a step needs it to be settled; empty for a suspended pool."""
    pool = facts.pool(plan.intent.pool)
    asked = any(each.kind in OF_HISTORY for step in plan.steps for each in step.settled_by)
    if not asked or pool is None or pool.is_suspended:
        return None
    return await read_history(reader.asker, reader.privilege, pool.name)

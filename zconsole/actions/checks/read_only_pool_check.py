"""Refusal of actions on pools that are imported read-only."""

from __future__ import annotations

from functools import wraps

from zconsole.actions.action_spec import Draft, Planner
from zconsole.actions.checks.new_device_checks import refuse_read_only
from zconsole.actions.intent import Intent
from zconsole.model.host.plan_facts import PlanFacts


def on_writable(planner: Planner) -> Planner:
    """A planner that refuses for a read-only pool."""

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        draft = planner(intent, facts)
        pool = facts.pool(intent.pool)
        if pool is not None:
            refuse_read_only(pool, facts, draft)
        return draft

    return plan

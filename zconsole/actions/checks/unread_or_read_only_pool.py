"""Refusal of plans for a pool whose datasets were not read, or that is imported read-only."""

from __future__ import annotations

from functools import wraps

from zconsole.actions.action_spec import MOST_REFUSALS, Draft, Planner
from zconsole.actions.intent import Intent
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Risk
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool


def on_writable_datasets(planner: Planner) -> Planner:
    """A planner that refuses when the pool's datasets were not read, or the pool is read-only."""
    reading = on_listed_datasets(planner)

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        draft = reading(intent, facts)
        refuse_read_only(the_pool(intent.pool, facts), facts, draft)
        return draft

    return plan


def on_listed_datasets(planner: Planner) -> Planner:
    """A planner that refuses when the pool's datasets were not read; it does not write to the pool."""

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        the_pool(intent.pool, facts)
        if intent.pool not in facts.listed:
            draft = Draft(f"{intent.action} {intent.target}", intent.target, Risk.ROUTINE)
            draft.refuse("unread", f"the datasets of {intent.pool} could not be read",
                         "a plan is made from all of them: read them first")  # fmt: skip
            return draft
        draft = planner(intent, facts)
        for name in facts.unread(draft.destroys)[:MOST_REFUSALS]:
            draft.refuse("unread", f"the contents and dependents of {name} were not read", "plan it again")
        return draft

    return plan


def on_writable_pool(planner: Planner) -> Planner:
    """A planner that refuses for a read-only pool."""

    @wraps(planner)
    def plan(intent: Intent, facts: PlanFacts) -> Draft:
        draft = planner(intent, facts)
        pool = facts.pool(intent.pool)
        if pool is not None:
            refuse_read_only(pool, facts, draft)
        return draft

    return plan


def refuse_read_only(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """Refuse a read-only pool."""
    if pool.name in facts.read_only_pools:
        draft.refuse("pool-read-only", f"{pool.name} is imported read-only",
                     "export it, and import it without readonly=on")  # fmt: skip

"""Scrub: start, go on, pause, stop."""

from __future__ import annotations

from typing import Final

from zconsole.actions.intent import Intent, Kind, Target
from zconsole.actions.lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.spec import ActionSpec, Draft, Option
from zconsole.model.facts import Facts
from zconsole.model.pool import Pool
from zconsole.zfs.change_pool import pause_scrub, start_scrub, stop_scrub


def plan_scrub(intent: Intent, facts: Facts) -> Draft:
    """Routine: it reads everything, repairs what it can, and destroys nothing."""
    pool = the_pool(intent.target, facts)
    if intent.flag("stop"):
        verb, argv, states = "stop the scrub of", stop_scrub(pool.name), "canceled|finished"
    elif intent.flag("pause"):
        verb, argv, states = "pause the scrub of", pause_scrub(pool.name), "paused"
    else:
        verb = "resume the scrub of" if _scrub_state(pool) == "paused" else "scrub"
        argv, states = start_scrub(pool.name), "scanning|finished"
    draft = Draft(f"{verb} {pool.name}", pool.name, Risk.ROUTINE, is_reversible=True)
    settled = Condition(ConditionKind.SCAN_IS, str(pool.guid or pool.name), pool.name, "scrub", states)
    draft.steps.append(Step(argv, f"{verb} {pool.name}", settled_by=(settled,)))
    draft.saw(f"scan of {pool.name}", f"{_scan_function(pool)} {_scrub_state(pool)}".strip() or "none")
    _refuse(intent, pool, draft)
    if intent.flag("stop"):
        draft.undo = "a new scrub starts from the beginning"
        draft.is_reversible = False
    else:
        draft.undo = f"zpool scrub {'' if intent.flag('pause') else '-s '}{pool.name}"
    return draft


def _refuse(intent: Intent, pool: Pool, draft: Draft) -> None:
    scan = pool.scan
    is_scrub = scan is not None and scan.function == "scrub"
    state = _scrub_state(pool)
    if scan is not None and scan.function == "resilver" and scan.is_running:
        draft.refuse("resilvering", f"{pool.name} is resilvering, and ZFS does one scan at a time",
                     "wait for the resilver; it checks what it reads")  # fmt: skip
    elif intent.flag("pause") and not (is_scrub and state == "scanning"):
        draft.refuse("no-scrub", f"no scrub of {pool.name} is running")
    elif intent.flag("stop") and not (is_scrub and state in {"scanning", "paused"}):
        draft.refuse("no-scrub", f"there is no scrub of {pool.name} to stop")
    elif not intent.flag("pause") and not intent.flag("stop") and is_scrub and state == "scanning":
        draft.refuse("scrubbing", f"a scrub of {pool.name} is running already")


def _scrub_state(pool: Pool) -> str:
    return pool.scan.state if pool.scan is not None else ""


def _scan_function(pool: Pool) -> str:
    return pool.scan.function if pool.scan is not None else ""


def _why_not(target: Target, facts: Facts) -> str:
    pool = facts.pool(target.pool)
    scan = pool.scan if pool is not None else None
    if scan is not None and scan.function == "resilver" and scan.is_running:
        return "a resilver is running"
    return ""


SPECS: Final = (
    ActionSpec(
        "scrub", "Scrub",
        "Read everything in the pool and repair what redundancy can; pause, resume, or stop that.",
        frozenset({Kind.POOL}), plan_scrub,
        options=(Option("pause", "pause the running scrub"), Option("stop", "stop it for good")),
        key="S", why_not=_why_not, intent_for=lambda target: Intent("scrub", target.pool),
    ),
)  # fmt: skip

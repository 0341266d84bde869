"""Scrub: start, resume, pause, stop."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Option
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import POOL, CommandForm
from zconsole.zfs.change.pool_argv import pause_scrub, start_scrub, stop_scrub


@on_writable_pool
def plan_scrub(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: it reads everything and repairs what it can."""
    if intent.flag("pause") and intent.flag("stop"):
        raise UsageError("a scrub is either paused or stopped", hint="Give one of --pause, --stop.")
    pool = the_pool(intent.target, facts)
    state = _scrub_state(pool)
    if intent.flag("stop"):
        draft = _draft(pool, "stop the scrub of", stop_scrub(pool.name), "canceled|finished")
        draft.undo = "cannot be undone: the next scrub starts from the beginning"
        draft.is_reversible = False
    elif intent.flag("pause"):
        draft = _draft(pool, "pause the scrub of", pause_scrub(pool.name), "paused")
        draft.undo = f"zpool scrub {quote(pool.name)}"
    elif state == "paused":
        draft = _draft(pool, "resume the scrub of", start_scrub(pool.name), "scanning|finished")
        draft.undo = f"zpool scrub -p {quote(pool.name)}"
    else:
        draft = _draft(pool, "scrub", start_scrub(pool.name), "scanning|finished")
        draft.undo = f"zpool scrub -s {quote(pool.name)}"
        _tell(pool, draft)
    _refuse(intent, pool, draft)
    return draft


def _draft(pool: Pool, verb: str, argv: tuple[str, ...], states: str) -> Draft:
    draft = Draft(f"{verb} {pool.name}", pool.name, Risk.ROUTINE, is_reversible=True)
    settled = Condition(ConditionKind.SCAN_IS, str(pool.guid or pool.name), pool.name, "scrub", states)
    draft.steps.append(Step(argv, f"{verb} {pool.name}", settled_by=(settled,)))
    scan = pool.scan
    draft.saw(f"scan of {pool.name}", f"{scan.function} {scan.state}" if scan is not None else "none")
    return draft


def _tell(pool: Pool, draft: Draft) -> None:
    if pool.has_checkpoint:
        draft.notes.append("data held only by the checkpoint is not repaired")
    away = [
        leaf.name for leaf in pool.walk() if leaf.is_leaf and leaf.state in {"OFFLINE", "UNAVAIL", "REMOVED"}
    ]
    used_up = [each.vdev for each in pool_redundancy(pool) if each.is_used_up]
    if used_up:
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(
            f"no redundancy left in {joined_by_and(used_up)}: a scrub reads all of its disks, and what "
            "cannot be read there has nothing to be repaired from; bring the redundancy back first"
        )
    if away:
        draft.notes.append(f"not read, since not there: {', '.join(away)}")


def _refuse(intent: Intent, pool: Pool, draft: Draft) -> None:
    if pool.is_resilvering:
        is_rebuild = pool.scan is not None and pool.scan.vdev is not None
        checks = "it checks what it reads"
        if is_rebuild:
            checks = "a sequential one checks nothing, and ZFS scrubs after it"
        draft.refuse("resilvering", f"{pool.name} is resilvering, and ZFS does one scan at a time",
                     f"wait for the resilver; {checks}")  # fmt: skip
    elif intent.flag("pause"):
        if why := _why_no_pause(pool):
            draft.refuse("no-scrub", why)
    elif intent.flag("stop"):
        if why := _why_no_stop(pool):
            draft.refuse("no-scrub", why)
    elif _scrub_state(pool) == "scanning":
        draft.refuse("scrubbing", f"a scrub of {pool.name} is running already")


def _why_no_pause(pool: Pool) -> str:
    return "" if _scrub_state(pool) == "scanning" else f"no scrub of {pool.name} is running"


def _why_no_stop(pool: Pool) -> str:
    is_there = _scrub_state(pool) in {"scanning", "paused"}
    return "" if is_there else f"there is no scrub of {pool.name} to stop"


def _asked_of(judge: Callable[[Pool], str]) -> Callable[[Intent, PlanFacts], str]:
    def why_not(intent: Intent, facts: PlanFacts) -> str:
        pool = facts.pool(intent.target)
        return judge(pool) if pool is not None else ""

    return why_not


def _scrub_state(pool: Pool) -> str:
    """The state of its last scan, if it is a scrub."""
    return pool.scan.state if pool.scan is not None and pool.scan.function == "scrub" else ""


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    return "a resilver is running" if pool is not None and pool.is_resilvering else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "scrub", "Scrub",
        "Read everything in the pool and repair what redundancy can; pause, resume or stop it.",
        frozenset({TargetKind.POOL}), plan_scrub,
        options=(
            Option("pause", "pause the running scrub", why_not=_asked_of(_why_no_pause)),
            Option("stop", "stop it, without resuming", why_not=_asked_of(_why_no_stop)),
        ),
        key="S", why_not=_why_not, intent_for=lambda target: Intent("scrub", target.pool),
        commands=tuple(CommandForm(each, (POOL,)) for each in (start_scrub, pause_scrub, stop_scrub)),
    ),
)  # fmt: skip

"""Checkpoint of a pool: take or discard it, and restrictions meanwhile."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option
from zconsole.actions.byte_count_tolerance import FigureMeasure
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_pool
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.analysis.vdevs.resilver_targets import AWAITS_RESILVER
from zconsole.analysis.vdevs.scan_eta import percent_of, unfinished
from zconsole.analysis.vdevs.topology_after_change import AUXILIARY_CLASSES
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import POOL, CommandForm
from zconsole.zfs.change.pool_argv import checkpoint, discard_checkpoint

FORBIDS: Final = (
    "while it exists ZFS refuses to remove, attach, detach, replace and split devices and to widen a raidz, "
    "a scrub does not repair what only the checkpoint has, and what is deleted or overwritten frees no space"
)
FEATURE: Final = "feature@zpool_checkpoint"
PINS_TOO_MUCH_PERCENT: Final = 90.0  # used: deletions under a checkpoint free no space
BUSY: Final = frozenset({"removal", "raidz_expand"})  # activities that prevent a checkpoint


@on_writable_pool
def plan_checkpoint(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine to take, caution while the pool is to be repaired; destructive to discard."""
    pool = the_pool(intent.target, facts)
    draft = _discard(pool) if intent.flag("discard") else _take(pool, facts)
    draft.saw(f"checkpoint of {pool.name}", pool.checkpoint_created if pool.has_checkpoint else "none")
    return draft


def _take(pool: Pool, facts: PlanFacts) -> Draft:
    draft = Draft(f"take a checkpoint of {pool.name}", pool.name, Risk.ROUTINE, is_reversible=True)
    settled = Condition(ConditionKind.CHECKPOINT_THERE, str(pool.guid or pool.name), pool.name)
    draft.steps.append(
        Step(checkpoint(pool.name), "record the present state of the whole pool", settled_by=(settled,))
    )
    draft.undo = f"zpool checkpoint -d {quote(pool.name)}"
    draft.notes.append(FORBIDS)
    draft.notes.append("to undo: export the pool and import it with --rewind-to-checkpoint, by hand")
    under_way = next(
        (each.kind for each in pool.activities if each.kind in BUSY and each.state == "active"), None
    )
    if pool.has_checkpoint:
        draft.refuse("checkpoint", f"{pool.name} has a checkpoint already", "discard it first")
        draft.alternatives.append(("discard the one there is", discard_intent(pool.name)))
    elif pool.is_discarding_checkpoint:
        draft.refuse(
            "discarding", f"the last checkpoint of {pool.name} is being discarded", "wait until it is gone"
        )
    elif under_way is not None:
        draft.refuse(
            "busy", f"ZFS takes no checkpoint during a {under_way.replace('_', ' ')}", "wait until it is done"
        )
    elif facts.property(pool.name, FEATURE) == "disabled":
        draft.refuse("feature", f"the feature zpool_checkpoint of {pool.name} is not enabled")
    _refuse_a_full_pool(pool, draft)
    _warn_of_work_that_waits(pool, draft)
    return draft


def _warn_of_work_that_waits(pool: Pool, draft: Draft) -> None:
    """A resilver that ends under a checkpoint leaves its devices marked as lacking (`dsl_scan_done`)."""
    awaiting = any(AWAITS_RESILVER in each.note for each in pool.walk())
    draft.saw(f"resilver of {pool.name}", "yes" if pool.is_resilvering or awaiting else "none")
    if pool.is_resilvering or awaiting:
        percent = percent_of(pool.scan) if pool.scan is not None and pool.is_resilvering else None
        at = f" ({unfinished(percent)})" if percent is not None else ""
        verb = f"is running{at}" if pool.is_resilvering else "is to begin"
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(
            f"a resilver of {pool.name} {verb}: if it ends while the checkpoint exists it gives no "
            "redundancy back, what it replaces stays in the pool, and it runs again once the checkpoint is "
            "discarded; wait for its end first"
        )
    leaves = (leaf for top in pool.vdevs if top.vdev_class not in AUXILIARY_CLASSES for leaf in top.leaves())
    failed = [f"{leaf.name} ({leaf.state})" for leaf in leaves if leaf.state and leaf.state != "ONLINE"]
    draft.saw(f"failed devices of {pool.name}", ", ".join(failed) or "none")
    if failed:
        draft.raise_risk(Risk.CAUTION)
        draft.warnings.append(
            f"{joined_by_and(failed)}: while the checkpoint exists no failed device can be replaced, and no "
            "hot spare comes in; repair the pool first"
        )


def _refuse_a_full_pool(pool: Pool, draft: Draft) -> None:
    full = fill(pool)
    if full is None or full.percent < PINS_TOO_MUCH_PERCENT:
        return
    draft.saw(f"{pool.name} is nearly full", "yes")
    draft.refuse(
        "full", f"{pool.name} is {used_percent(full.percent)} full: nothing that is deleted would give space "
        "back while the checkpoint exists, until nothing can be written or deleted any more",
        "free space first",
    )  # fmt: skip


def _discard(pool: Pool) -> Draft:
    draft = Draft(f"discard the checkpoint of {pool.name}", pool.name, Risk.DESTRUCTIVE)
    settled = Condition(ConditionKind.CHECKPOINT_GONE, str(pool.guid or pool.name), pool.name)
    draft.steps.append(
        Step(
            discard_checkpoint(pool.name),
            "discard the checkpoint and free its space",
            settled_by=(settled,),
        )
    )
    if pool.has_checkpoint:
        draft.destroys.append(f"checkpoint of {pool.name}")
        draft.frees_bytes = pool.checkpoint_bytes
        draft.counted(f"kept by the checkpoint of {pool.name}", FigureMeasure.SPACE, pool.checkpoint_bytes)
    elif pool.is_discarding_checkpoint:
        draft.refuse("discarding", f"the checkpoint of {pool.name} is being discarded already")
    else:
        draft.refuse("no-checkpoint", f"{pool.name} has no checkpoint")
    if pool.checkpoint_bytes:
        draft.notes.append(f"{size(pool.checkpoint_bytes)} are freed gradually, in the background")
    return draft


def discard_intent(pool: str) -> Intent:
    """The intent that discards it."""
    return Intent("checkpoint", pool, options=(("discard", True),))


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    return "it is being discarded" if pool is not None and pool.is_discarding_checkpoint else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "checkpoint", "Checkpoint", "Record the present state of the whole pool, or discard that record.",
        frozenset({TargetKind.POOL}), plan_checkpoint,
        options=(Option("discard", "discard the existing checkpoint"),),
        needs=lambda intent: Needs(properties=((intent.target, FEATURE),)), why_not=_why_not,
        commands=(CommandForm(checkpoint, (POOL,)), CommandForm(discard_checkpoint, (POOL,))),
    ),
)  # fmt: skip

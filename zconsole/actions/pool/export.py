"""Export a pool, so that this or another host can import it."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.pool_in_use_checks import refuse_while_in_use
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import POOL, CommandForm
from zconsole.zfs.change.pool_argv import export

EXPORT_TIMEOUT_S: Final = 600.0  # it writes everything in memory and unmounts all file systems


def plan_export(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: its file systems are unmounted; refused while in use."""
    pool = the_pool(intent.target, facts)
    draft = Draft(f"export {pool.name}", pool.name, Risk.CAUTION, is_reversible=True)
    gone = Condition(ConditionKind.POOL_GONE, str(pool.guid or pool.name))
    draft.steps.append(
        Step(
            export(pool.name),
            "unmount its file systems and release its devices",
            timeout_s=EXPORT_TIMEOUT_S,
            settled_by=(gone,),
        )
    )
    draft.undo = f"zpool import {quote(str(pool.guid or pool.name))}"
    refuse_while_in_use(pool, facts, draft)
    _refuse_a_shared_spare(pool, facts, draft)
    if pool.scan is not None and pool.scan.is_running:
        draft.notes.append(f"the {pool.scan.function} goes on once it is imported")
    for activity in pool.activities:
        if activity.state == "active":
            draft.notes.append(f"{activity.kind.replace('_', ' ')} goes on once it is imported")
    return draft


def _refuse_a_shared_spare(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """A shared spare in use here must not be taken by the other pool."""
    others = {
        vdev.guid: other.name
        for other in facts.pools
        if other is not pool
        for vdev in other.of_class("spare")
        if vdev.guid is not None
    }
    for spare in pool.of_class("spare"):
        if spare.state == "INUSE" and spare.guid in others:
            also = others[spare.guid]
            draft.refuse("shared-spare", f"the hot spare {spare.name} serves here, and is in {also} as well",
                         "detach it, once the device that it stands in for is replaced")  # fmt: skip


def _why_not(target: Target, facts: PlanFacts) -> str:
    return "the running system stands on it" if target.pool in facts.boot_pools else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "export", "Export", "Unmount everything in the pool and release its devices.",
        frozenset({TargetKind.POOL}), plan_export,
        options=FIRST, why_no_start=lambda intent: f"the disks are away until {intent.target} is imported",
        needs=lambda _intent: Needs(uses=True, boot=True), why_not=_why_not,
        commands=(CommandForm(export, (POOL,)),),
    ),
)  # fmt: skip

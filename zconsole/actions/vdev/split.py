"""Split a pool: a new pool of one device per mirror."""

from __future__ import annotations

from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    may_be_wrong,
    refuse_before_scrub,
    refuse_checkpoint,
    saw_tops,
    saw_vdev,
    vital_tops,
    what_is_lost,
)
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool
from zconsole.actions.plan import Condition, ConditionKind, Rehearsal, Risk, Step
from zconsole.actions.pool.create import refuse_name
from zconsole.analysis.vdevs.redundancy import has_all_data
from zconsole.analysis.vdevs.topology_after_change import split_off
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.argv_template import POOL, CommandForm
from zconsole.zfs.change.topology_argv import split


def plan_split(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution while redundancy remains, destructive when none will."""
    pool = the_pool(intent.target, facts)
    name = intent.argument(0)
    if not name:
        raise UsageError("split needs the name of the new pool", hint="zconsole plan split POOL NEWNAME")
    draft = Draft(f"split {name} off {pool.name}", pool.name, Risk.CAUTION)
    refuse_name(name, facts, draft)
    refuse_checkpoint(pool, draft, "split it")
    refuse_read_only(pool, facts, draft)
    saw_tops(pool, draft)
    leaving = _leaving(pool, draft)
    if len(leaving) < len(vital_tops(pool)) or not leaving:
        return draft
    rest, _new = split_off(pool, name, leaving)
    draft.before, draft.after = pool, rest
    what_is_lost(pool, rest, draft)
    names = joined_by_and([leaf.name for leaf in leaving])
    draft.notes.append(f"{name} gets {names}: the last device of each mirror, with all data and snapshots")
    draft.notes.append(f"{name} is left exported, and has no redundancy; logs, caches and spares stay here")
    draft.rehearsals.append(Rehearsal(split(pool.name, name, is_rehearsal=True)))
    draft.steps.append(
        Step(
            split(pool.name, name),
            f"make {name} of {names}, which leave {pool.name}",
            settled_by=tuple(
                Condition(ConditionKind.VDEV_GONE, str(leaf.guid), pool.name) for leaf in leaving if leaf.guid
            ),
        )
    )
    draft.is_reversible = True
    draft.undo = (
        f"destroy {name}, then attach each of its devices to its mirror again: a full resilver; "
        f"what was written to {name} meanwhile is lost"
    )
    return draft


def _leaving(pool: Pool, draft: Draft) -> list[Vdev]:
    """The device of each mirror that ZFS takes, the last; refuses what ZFS cannot split."""
    leaving = []
    for top in vital_tops(pool):
        saw_vdev(top, draft)
        if top.type != "mirror":
            instead = f"attach a disk to {top.name} first" if top.is_leaf else "send the data to another pool"
            draft.refuse(
                "not-mirrored", f"{top.name} is not a mirror: ZFS splits only pools of mirrors", instead
            )
            continue
        last = top.children[-1]
        if any(child.children for child in top.children):
            draft.refuse(
                "replacing", f"a device of {top.name} is being replaced or spared", "wait until it is done"
            )
        elif not all(has_all_data(child) for child in (last, *top.children[:1])):
            draft.refuse("not-whole", f"{top.name} is not whole: {last.name} is {last.state}",
                         "detach or replace what fails, and wait for the resilver")  # fmt: skip
        else:
            leaving.append(last)
            wrong = may_be_wrong(top)
            draft.warnings += [
                f"{each.name} counts errors: ZFS heals from fewer copies then; scrub first" for each in wrong
            ]
            if wrong:
                draft.raise_risk(Risk.DESTRUCTIVE)
                halves = joined_by_and([each.name for each in top.leaves()])
                draft.loses.append(
                    f"not known: blocks that only one of {halves} has whole, for the other pool"
                )
                refuse_before_scrub(pool, wrong, draft)
    if pool.running_removal is not None:
        draft.refuse("removing", f"a removal from {pool.name} is running", "wait until it is done")
    if pool.is_resilvering:
        draft.refuse("resilvering", f"{pool.name} is resilvering", "wait until it is done")
    return leaving


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    if pool is None:
        return ""
    if any(top.type != "mirror" for top in vital_tops(pool)):
        return "only pools of mirrors can be split"
    return "the pool has a checkpoint" if pool.has_checkpoint else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "split", "Split off a pool",
        "Make a new pool of one device of each mirror, with all data as it is now.",
        frozenset({TargetKind.POOL}), plan_split,
        arguments=(Argument("NEWNAME", "name", "the name of the new pool"),),
        needs=lambda _: Needs(importable=True), why_not=_why_not,
        commands=(
            CommandForm(partial(split, is_rehearsal=True), (POOL, POOL), only_reads=True),
            CommandForm(split, (POOL, POOL)),
        ),
    ),
)  # fmt: skip

"""Rollback of a dataset to a snapshot, losing everything newer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user, with_guests
from zconsole.actions.checks.destroy_impact import add_losses
from zconsole.actions.checks.hold_checks import refuse_held
from zconsole.actions.checks.replication_impact import check_replicas
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import (
    PROGRAM_FORMS,
    core_for,
    destroy_in_programs,
    destroy_step,
)
from zconsole.actions.dataset_facts_needed import needs_datasets_and_uses
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.guest.shut_down_guests_first import AND_AFTER
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import count_data, saw_datasets
from zconsole.actions.step_subject import StepSubject, of_datasets, within
from zconsole.analysis.dependencies.affected_objects import Closure, Graph, build_graph, with_rollback
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, SNAPSHOT, Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import argv_template
from zconsole.zfs.change.argv_template import DESTROYED, CommandForm
from zconsole.zfs.change.dataset_argv import HOW_FAR, destroy_bookmark, destroy_dataset, rollback
from zconsole.zfs.change.libzfs_core_argv import DESTROY, ROLLBACK, rollback_to

_HINT: Final = "zconsole plan rollback POOL/DATASET@SNAPSHOT"
_NAMED: Final = 8


@on_writable_datasets
def plan_rollback(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive; catastrophic when live clones of newer snapshots are destroyed as well."""
    refuse_surplus_arguments(intent, 0)
    snapshot = dataset_of_type(intent.target, SNAPSHOT, facts, hint=_HINT)
    base = dataset_of_type(dataset_of(snapshot.name), FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    with_clones = intent.flag("with-clones")
    recursive = intent.flag("recursive") or with_clones
    graph = build_graph(facts.datasets)
    closure = with_rollback(graph, snapshot.name)
    every = listed_datasets(closure.objects, facts)
    draft = Draft(f"roll {base.name} back to {snapshot.name}", snapshot.name, Risk.DESTRUCTIVE)
    draft.destroys.extend(closure.objects if with_clones else closure.below)
    saw_datasets(draft, (base, snapshot, *every))
    draft.saw(f"written to {base.name} since its last snapshot", _is_written(base))
    goes = every if with_clones else listed_datasets(closure.below, facts) if recursive else ()
    refuse_held(draft, goes, facts)
    undone = "a rollback changes what it has open, and corrupts it"
    check_uses(draft, (base, *goes), facts, undone=undone, changes_data=True)
    refuse_unmounting_as_user(draft, goes, facts)
    add_losses(draft, graph, closure, facts)
    check_replicas(draft, goes, facts)
    draft.frees_bytes = None
    _refuse_what_is_in_the_way(draft, closure, snapshot, intent, facts)
    _refuse_protected(draft, base, facts)
    _tell_changes(draft, graph, base, snapshot, closure)
    _offer(draft, graph, base, snapshot)
    count_data(draft, (base, *every), facts)
    is_recursive = recursive and bool(closure.objects)
    _take_newer_away(
        draft, graph, base, every if with_clones else listed_datasets(closure.below, facts), facts
    )
    is_exact = bool(draft.steps) or not is_recursive
    exact = _exactly(draft, base, snapshot, facts) if is_exact and not draft.refusals else None
    draft.steps.append(
        exact
        or Step(
            rollback(
                snapshot.name,
                recursive=is_recursive and not draft.steps,
                with_clones=with_clones and bool(closure.elsewhere) and not draft.steps,
            ),
            f"return {base.name} to {snapshot.name}" + (", if nothing is newer" if draft.steps else ""),
            timeout_s=LONG_STEP_TIMEOUT_S,
            settled_by=_settled(snapshot, () if draft.steps else every),
            permissions=(
                *permissions_on("rollback", base.name),
                *permissions_on("destroy,mount", *closure.objects[:1]),
            ),
            subjects=_subjects(draft, base, snapshot, every),
        )
    )
    return draft


def _take_newer_away(
    draft: Draft, graph: Graph, base: Dataset, newer: Sequence[Dataset], facts: PlanFacts
) -> None:
    """Steps that destroy the listed newer snapshots only; empty when `zfs rollback -r` is needed.

    A snapshot taken in the meantime then stops the rollback, where `zfs rollback -r` would destroy it.
    """
    if draft.refusals or not newer:
        return
    marks = [each for each in newer if each.type == "bookmark"]
    others = [each for each in newer if each.type != "bookmark"]
    _take_others_away(draft, graph, base, others, facts)
    if draft.steps or not others:
        draft.steps += [_without(mark) for mark in marks]


def _without(mark: Dataset) -> Step:
    """Destroy a bookmark by command: neither programs nor calls can."""
    return Step(
        destroy_bookmark(mark.name),
        "destroy the newer bookmark",
        settled_by=datasets_gone((mark,)),
        permissions=permissions_on("destroy", dataset_of(mark.name)),
        subjects=of_datasets((mark,)),
    )


def _take_others_away(
    draft: Draft, graph: Graph, base: Dataset, others: Sequence[Dataset], facts: PlanFacts
) -> None:
    if others and all(each.type == "snapshot" for each in others) and base.type == "filesystem":
        step = destroy_step(base.pool, others, facts)
        if step is not None:
            draft.steps.append(step)
            return
    if others:
        destroy_in_programs(draft, graph, others, facts)


def _subjects(
    draft: Draft, base: Dataset, snapshot: Dataset, newer: Sequence[Dataset] = ()
) -> tuple[StepSubject, ...]:
    """Subjects of a rollback; without the newer snapshots more counts as written."""
    if draft.steps:
        found = within(of_datasets((base, snapshot)), draft.figures)
        return tuple(replace(each, most_written=None) for each in found)
    return tuple(
        replace(each, newest_txg=snapshot.createtxg) if each.name == base.name else each
        for each in within(of_datasets((base, snapshot, *newer)), draft.figures)
    )


def _exactly(draft: Draft, base: Dataset, snapshot: Dataset, facts: PlanFacts) -> Step | None:
    """Return to the newest snapshot, if it is this one; a volume may need another reservation too."""
    core = core_for(facts, 1)
    if core is None or base.type != "filesystem":
        return None
    call = rollback_to(core, snapshot.name)
    return Step(
        call.argv,
        f"return {base.name} to {snapshot.name}, if nothing is newer",
        stdin=call.stdin,
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=(Condition(ConditionKind.ROLLED_BACK, snapshot.pool, snapshot.pool, value=snapshot.name),),
        permissions=permissions_on("rollback", base.name),
        subjects=_subjects(draft, base, snapshot),
    )


def _settled(snapshot: Dataset, every: tuple[Dataset, ...]) -> tuple[Condition, ...]:
    """Conditions: newer snapshots are gone; without any, the pool's history decides."""
    if every:
        return datasets_gone(every)
    return (
        Condition(ConditionKind.HISTORY, snapshot.pool, snapshot.pool, value=f"zfs rollback {snapshot.name}"),
    )


def _is_written(base: Dataset) -> str:
    if base.written_bytes is None:
        return "unknown"
    return "something" if base.written_bytes else "nothing"


def _refuse_what_is_in_the_way(
    draft: Draft, closure: Closure, snapshot: Dataset, intent: Intent, facts: PlanFacts
) -> None:
    with_clones = intent.flag("with-clones")
    if closure.below and not (with_clones or intent.flag("recursive")):
        named = shortened(closure.below, _NAMED)
        draft.refuse(
            "newer", f"newer than {snapshot.name}, and lost with a rollback: {named}",
            "a clone of the snapshot, or copies of its files, destroy nothing",
            PlanAgain("recursive", "destroy what is newer"),
        )  # fmt: skip
    if closure.elsewhere and not with_clones:
        clones = shortened(with_guests(closure.clones, facts), _NAMED)
        draft.refuse(
            "clones", f"what is newer has clones: {clones}", "promote them to keep them",
            PlanAgain("with-clones", f"destroy {clones} too"),
        )  # fmt: skip


def _refuse_protected(draft: Draft, base: Dataset, facts: PlanFacts) -> None:
    pattern = facts.policy.protects(base.name)
    if pattern is not None:
        draft.refuse("protected", f"{base.name} is protected by the pattern {pattern!r} of the configuration",
                     "remove it from `protected` there")  # fmt: skip


def _tell_changes(draft: Draft, graph: Graph, base: Dataset, snapshot: Dataset, closure: Closure) -> None:
    """Data that is lost: written to the dataset, and held by newer snapshots."""
    newer = [graph.datasets[name] for name in closure.below if "@" in name]
    written = [each.written_bytes for each in (base, *newer)]
    what = f"all that was written to {base.name} since @{short_of(snapshot.name)}"
    if None in written:
        draft.loses.append(f"{what}; how much is not known")
    else:
        total = sum(each for each in written if each is not None)
        draft.loses.append(f"{what}: {size(total)}, as far as ZFS has counted it")


def _offer(draft: Draft, graph: Graph, base: Dataset, snapshot: Dataset) -> None:
    """Alternatives without loss."""
    short = short_of(snapshot.name)
    copy = f"{base.name}-{short}"
    if "/" in copy and copy not in graph.datasets:
        draft.alternatives.append(
            (f"clone it as {copy} and take from there what is wanted: nothing is lost",
             Intent("clone", snapshot.name, (copy,)))
        )  # fmt: skip
    if base.type == "filesystem":
        draft.alternatives.append(
            ("copy back only the files and folders that are wanted: nothing is lost",
             Intent("restore", snapshot.name))
        )  # fmt: skip
    safety = f"{base.name}@before-rollback"
    if safety not in graph.datasets and base.written_bytes != 0:
        words = (
            f"keep a copy of it: snapshot it as {safety}, and copy that to another pool or host by zconsole "
            f"plan receive DATASET {safety} (a clone of it would be in the way of the rollback)"
        )
        draft.alternatives.append((words, Intent("snapshot", safety)))


def _needs(intent: Intent) -> Needs:
    return replace(
        needs_datasets_and_uses(intent),
        snapshots=(SnapshotSelector(dataset_of(intent.target), clones=True),),
        holds=True,
        copies=True,
        programs=intent.flag("recursive") or intent.flag("with-clones"),
        core=(ROLLBACK, DESTROY),
    )


def _why_not(target: Target, facts: PlanFacts) -> str:
    base = dataset_of(target.name)
    return next((f"{use.kind} {use.name} is on {base}" for use in facts.uses_of(base) if use.is_running), "")


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "rollback", "Roll back", "Return a dataset to a snapshot; whatever came after it is lost.",
        frozenset({TargetKind.SNAPSHOT}), plan_rollback,
        options=(
            Option(
                "recursive", "destroy the snapshots and bookmarks that are newer", letter="r",
                takes_more=True,
            ),
            Option(
                "with-clones", "destroy clones of those too", letter="R", implies=("recursive",),
                takes_more=True,
            ),
            *AND_AFTER,
        ),
        needs=_needs, why_not=_why_not,
        permission="rollback",
        commands=(
            *PROGRAM_FORMS,
            CommandForm(destroy_dataset, (DESTROYED,)),
            *(
                CommandForm(partial(rollback, recursive=below, with_clones=clones), (argv_template.SNAPSHOT,))
                for below, clones in HOW_FAR
            ),
        ),
    ),
)  # fmt: skip

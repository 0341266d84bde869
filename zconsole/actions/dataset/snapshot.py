"""Snapshot of one or many datasets at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import MOST_REFUSALS, ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.name_rules import check_snapshot
from zconsole.actions.checks.new_dataset_checks import refuse_full
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import core_for
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.dataset_there_or_gone_conditions import dataset_there
from zconsole.actions.guest.freeze_guests_for_snapshot import FORMS as FREEZE_FORMS
from zconsole.actions.guest.freeze_guests_for_snapshot import (
    FREEZE_GUESTS,
    OPTIONS,
    agents_to_ask,
    freeze_during,
)
from zconsole.actions.guest.space_taken_from_guests import guests_of_pool, tell_space_of_snapshots
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Risk, Step, WayOut, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_absence, saw_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.space_to_take_snapshot import snapshot_need
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import dataset_of, pool_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import libzfs_core_argv
from zconsole.zfs.change.argv_template import SNAPSHOTS, CommandForm
from zconsole.zfs.change.dataset_argv import snapshot
from zconsole.zfs.change.libzfs_core_argv import SNAPSHOT, CoreCall

_WHOLE: Final = "zconsole plan snapshot POOL/DATASET@SNAPSHOT"


@on_writable_datasets
def plan_snapshot(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: nothing is lost."""
    names = [check_snapshot(word) for word in (intent.target, *intent.arguments)]
    recursive = intent.flag("recursive")
    if len({pool_of(name) for name in names}) > 1:
        raise UsageError(
            "these are in several pools", hint="One instant is of one pool: snapshot each pool separately."
        )
    bases = [dataset_of_type(dataset_of(name), FILESYSTEMS_AND_VOLUMES, facts, hint=_WHOLE) for name in names]
    title = f"snapshot {names[0]}" if len(names) == 1 else f"take {len(names)} snapshots at once"
    draft = Draft(title + (" and of all below it" if recursive else ""), names[0], Risk.ROUTINE)
    made = _made(names, facts, recursive=recursive)
    call = _call(names, made, facts, recursive=recursive)
    draft.steps.append(
        Step(
            call.argv,
            "record their present data, in one txg" if len(made) > 1 else "record its present data",
            stdin=call.stdin,
            timeout_s=LONG_STEP_TIMEOUT_S,
            settled_by=(dataset_there(names[0]),),
            permissions=permissions_on("snapshot", *(each.name for each in bases)),
        )
    )
    draft.is_reversible = True
    draft.undo = "; ".join(f"zfs destroy {'-r ' if recursive else ''}{quote(name)}" for name in names)
    if len(made) > 1:
        draft.notes.append(f"{len(made)} snapshots, all of the same instant")
    _refuse(draft, made, bases, facts)
    freeze_during(draft, intent, facts, made, snapshot(names, recursive=recursive))
    return draft


def _call(names: Sequence[str], made: Sequence[str], facts: PlanFacts, *, recursive: bool) -> CoreCall:
    """By libzfs_core for several if possible; one by the command."""
    core = core_for(facts, len(made)) if len(made) > 1 else None
    if core is None:
        return CoreCall(snapshot(names, recursive=recursive))
    asked = set(names)
    return libzfs_core_argv.snapshot(core, names, [name for name in made if name not in asked])


def _needs(intent: Intent) -> Needs:
    is_several = bool(intent.arguments) or intent.flag("recursive")
    return Needs(
        datasets=(intent.pool,),
        snapshots=snapshot_selectors(intent.target, *intent.arguments, below=intent.flag("recursive")),
        core=(SNAPSHOT,) if is_several else (),
        guests=intent.flag(FREEZE_GUESTS.name),
    )


def _further(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs who writes to the pool where a snapshot takes space, and the agents of guests to freeze."""
    bases = [dataset_of(name) for name in (intent.target, *intent.arguments)]
    is_reserved = any(
        snapshot_need(each).needs_bytes
        for each in facts.datasets
        if each.type in FILESYSTEMS_AND_VOLUMES
        if any(each.name == base or each.name.startswith(f"{base}/") for base in bases)
    )
    return replace(agents_to_ask(intent, facts), uses=is_reserved or intent.flag(FREEZE_GUESTS.name))


def _made(names: Sequence[str], facts: PlanFacts, *, recursive: bool) -> list[str]:
    """All snapshots that will be created."""
    if not recursive:
        return list(names)
    graph = build_graph(facts.datasets)
    return [f"{each}@{short_of(name)}" for name in names for each in graph.tree(dataset_of(name))]


def _refuse(draft: Draft, made: Sequence[str], bases: Sequence[Dataset], facts: PlanFacts) -> None:
    twice = [name for name, times in Counter(map(dataset_of, made)).items() if times > 1]
    if twice:
        draft.refuse("twice", f"{twice[0]} would get two snapshots at the same instant", "snapshot it once")
    present = listed_datasets(made, facts)
    for each in present[:MOST_REFUSALS]:
        draft.refuse_answer(WayOut.NAME, "exists", f"{each.name} already exists", "choose another name")
    for name in made:
        check_snapshot(name)
    saw_datasets(draft, listed_datasets(dict.fromkeys(map(dataset_of, made)), facts))
    for name in made if len(made) <= MOST_REFUSALS else made[:1]:
        saw_absence(draft, name, facts)
    refuse_full(draft, facts.dataset(bases[0].pool), "a snapshot")  # its own quota does not matter
    _check_reservations(draft, listed_datasets(map(dataset_of, made), facts), facts)


def _check_reservations(draft: Draft, datasets: Sequence[Dataset], facts: PlanFacts) -> None:
    """A volume with a reservation must remain completely rewritable beside a snapshot."""
    needs = [(each, snapshot_need(each)) for each in datasets]
    for each, need in [(each, need) for each, need in needs if not need.is_possible][:MOST_REFUSALS]:
        draft.refuse(
            "full",
            f"{each.name} cannot be snapshotted: its refreservation of {size(each.refreservation_bytes)} "
            f"needs {size(need.needs_bytes)} more beside a snapshot, and {size(need.room_bytes)} are free",
            "free space, or make its refreservation smaller: a sparse volume has none",
        )
    total = sum(need.needs_bytes for _, need in needs)
    root = facts.dataset(datasets[0].pool) if datasets else None
    room = None if root is None else root.available_bytes
    if total and not draft.refusals:
        needed = {each.name: need.needs_bytes for each, need in needs if need.needs_bytes}
        tell_space_of_snapshots(draft, needed, datasets[0].pool, facts)
    if total:
        draft.notes.append(f"{size(total)} more are reserved then, for overwritten data")
    if room is not None and total > room and not draft.refusals:
        draft.warnings.append(
            f"together they reserve {size(total)}, and {size(room)} are free: nothing else can be written"
        )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "snapshot", "Snapshot", "Keep datasets as they are now; several in one command are of one instant.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.POOL}), plan_snapshot,
        arguments=(Argument("SNAPSHOT", "text", "further ones, each POOL/DATASET@SNAPSHOT",
                            is_optional=True, is_repeated=True),),
        options=(Option("recursive", "all datasets below it too", letter="r"), *OPTIONS),
        needs=_needs,
        further=_further,
        last=guests_of_pool,
        intent_for=lambda target: Intent("snapshot", f"{target.name}@"),
        permission="snapshot",
        commands=(CommandForm(snapshot, ((SNAPSHOTS,),), {"recursive": True}), *FREEZE_FORMS),
    ),
)  # fmt: skip

"""Hold and release of snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.name_rules import check_tag
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import core_for
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, WayOut, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import SNAPSHOT, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import libzfs_core_argv
from zconsole.zfs.change.argv_template import SNAPSHOTS, TAG, CommandForm
from zconsole.zfs.change.dataset_argv import hold, release
from zconsole.zfs.change.libzfs_core_argv import CoreCall


@on_writable_datasets
def plan_hold(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: it only adds protection."""
    snapshots, recursive = _snapshots(intent, facts)
    first, tag = snapshots[0], check_tag(intent.argument(0))
    draft = Draft(f"hold {_several(snapshots)} as {tag}", first.name, Risk.ROUTINE, is_reversible=True)
    flag = "-r " if recursive else ""
    draft.undo = f"zfs release {flag}{quote(tag)} {quote(first.name)}"
    core = core_for(facts, len(snapshots))
    call = (
        CoreCall(hold(tag, (first.name,), recursive=recursive))
        if core is None
        else libzfs_core_argv.hold(core, tag, [each.name for each in snapshots])
    )
    draft.steps.append(
        Step(
            call.argv,
            "keep it from being destroyed" if len(snapshots) == 1 else "keep them from being destroyed",
            settled_by=tuple(
                Condition(ConditionKind.HOLD_THERE, each.name, each.pool, value=tag) for each in snapshots
            ),
            stdin=call.stdin,
            permissions=permissions_on("hold", dataset_of(first.name)),
        )
    )
    for each in _seen(draft, snapshots, facts):
        if tag in _tags(each, facts):
            draft.refuse_answer(
                WayOut.NAME, "held", f"{each.name} is held as {tag} already", "choose another tag"
            )
    return draft


@on_writable_datasets
def plan_release(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: protection is removed. Destructive when a deferred destroy is pending."""
    snapshots, recursive = _snapshots(intent, facts)
    first, tag = snapshots[0], intent.argument(0)
    if not tag:
        raise UsageError("a release needs the tag of the hold", hint="zconsole plan release SNAPSHOT TAG")
    held = [each for each in snapshots if tag in _tags(each, facts)]
    draft = Draft(f"release {tag} from {_several(snapshots)}", first.name, Risk.CAUTION, is_reversible=True)
    flag = "-r " if recursive else ""
    draft.undo = f"zfs hold {flag}{quote(tag)} {quote(first.name)}"
    _seen(draft, snapshots, facts)
    leaving = [
        each for each in held if each.is_destroy_deferred and len(_tags(each, facts)) == 1 and not each.clones
    ]
    if leaving:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.destroys.extend(each.name for each in leaving)
        draft.is_reversible, draft.undo = False, None
        draft.warnings.append(
            "it is marked for deferred destroy: ZFS destroys it when its last hold is released"
        )
    core = core_for(facts, len(held))
    call = (
        CoreCall(release(tag, (first.name,), recursive=recursive))
        if core is None
        else libzfs_core_argv.release(core, tag, [each.name for each in held])
    )
    draft.steps.append(
        Step(
            call.argv,
            "release it" if len(snapshots) == 1 else "release them",
            settled_by=(
                *(Condition(ConditionKind.HOLD_GONE, each.name, each.pool, value=tag) for each in held
                  if each not in leaving),
                *datasets_gone(leaving),
            ),
            stdin=call.stdin,
            permissions=permissions_on("release", dataset_of(first.name)),
        )
    )  # fmt: skip
    if not held and facts.holds is not None:
        others = ", ".join(_tags(first, facts)) or "nothing"
        draft.refuse("not-held", f"{first.name} is not held as {tag}", f"it is held by {others}")
    return draft


def _snapshots(intent: Intent, facts: PlanFacts) -> tuple[tuple[Dataset, ...], bool]:
    """The target first, with --recursive also the snapshots of this name in descendants."""
    refuse_surplus_arguments(intent, 1)
    snapshot = dataset_of_type(intent.target, SNAPSHOT, facts, hint="Only snapshots can be held.")
    recursive = intent.flag("recursive")
    if not recursive:
        return (snapshot,), False
    return listed_datasets(build_graph(facts.datasets).same_named(snapshot.name), facts), True


def _seen(draft: Draft, snapshots: Sequence[Dataset], facts: PlanFacts) -> Sequence[Dataset]:
    saw_datasets(draft, snapshots)
    for each in snapshots:
        draft.saw(f"holds on {each.name}", ", ".join(_tags(each, facts)) or "none")
    return snapshots


def _tags(snapshot: Dataset, facts: PlanFacts) -> list[str]:
    return sorted(each.tag for each in facts.holds or () if each.snapshot == snapshot.name)


def _several(snapshots: Sequence[Dataset]) -> str:
    more = len(snapshots) - 1
    return snapshots[0].name + (f" and {more} below it" if more else "")


def _needs(intent: Intent) -> Needs:
    return Needs(
        datasets=(intent.pool,),
        snapshots=snapshot_selectors(intent.target, below=intent.flag("recursive")),
        holds=True,
        core=(intent.action,),
    )


def _why_not_release(target: Target, facts: PlanFacts) -> str:
    snapshot = facts.dataset(target.name)
    return "nothing holds it" if snapshot is not None and snapshot.holds == 0 else ""


_RECURSIVE: Final = Option("recursive", "the snapshots of the same name below it too", letter="r")
SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "hold", "Hold", "Keep a snapshot from being destroyed, under a tag.",
        frozenset({TargetKind.SNAPSHOT}), plan_hold,
        arguments=(Argument("TAG", "tag", "the name of the hold"),),
        options=(_RECURSIVE,), needs=_needs,
        permission="hold",
        commands=(CommandForm(hold, (TAG, (SNAPSHOTS,)), {"recursive": True}),),
    ),
    ActionSpec(
        "release", "Release", "Release a hold, so that the snapshot can be destroyed.",
        frozenset({TargetKind.SNAPSHOT}), plan_release,
        arguments=(Argument("TAG", "tag", "the name of the hold"),),
        options=(_RECURSIVE,), needs=_needs, why_not=_why_not_release,
        permission="release",
        commands=(CommandForm(release, (TAG, (SNAPSHOTS,)), {"recursive": True}),),
    ),
)  # fmt: skip

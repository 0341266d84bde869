"""Bookmark: keep the base of an incremental send without its snapshot."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft
from zconsole.actions.checks.name_rules import check_bookmark
from zconsole.actions.checks.new_dataset_checks import refuse_full
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import needs_datasets
from zconsole.actions.dataset_there_or_gone_conditions import dataset_there
from zconsole.actions.intent import Intent, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type
from zconsole.actions.plan import Risk, Step, WayOut, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_absence, saw_datasets
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import dataset_of, pool_of, short_of
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import BASE, BOOKMARK, CommandForm
from zconsole.zfs.change.dataset_argv import bookmark


@on_writable_datasets
def plan_bookmark(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine: it takes almost no space."""
    refuse_surplus_arguments(intent, 1)
    source = dataset_of_type(
        intent.target,
        frozenset({"snapshot", "bookmark"}),
        facts,
        hint="A bookmark is created from a snapshot.",
    )
    base = dataset_of(source.name)
    word = intent.argument(0) or short_of(source.name)
    name = check_bookmark(word if "#" in word.strip("#") else f"{base}#{word.removeprefix('#')}")
    if dataset_of(name) != base:
        raise UsageError(
            f"{name} is not in {base}", hint="A bookmark belongs to the dataset of its snapshot."
        )
    draft = Draft(f"bookmark {source.name} as {name}", source.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs destroy {quote(name)}"
    draft.steps.append(
        Step(
            bookmark(source.name, name),
            "keep a source for incremental sends",
            settled_by=(dataset_there(name),),
            permissions=permissions_on("bookmark", base),
        )
    )
    saw_datasets(draft, (source,))
    saw_absence(draft, name, facts)
    refuse_full(draft, facts.dataset(pool_of(base)), "a bookmark")
    if facts.dataset(name) is not None:
        draft.refuse_answer(WayOut.NAME, "exists", f"{name} already exists", "choose another name")
    return draft


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "bookmark", "Bookmark", "Keep what an incremental send needs of a snapshot, without its data.",
        frozenset({TargetKind.SNAPSHOT}), plan_bookmark,
        arguments=(Argument("NAME", "name", "the name after the #; the snapshot's name if none is given",
                            is_optional=True),),
        needs=needs_datasets,
        permission="bookmark",
        commands=(CommandForm(bookmark, (BASE, BOOKMARK)),),
    ),
)  # fmt: skip

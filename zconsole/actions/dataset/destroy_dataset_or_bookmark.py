"""Destruction of a file system, volume or bookmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.actions.action_spec import Draft, PlanAgain
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user, with_guests
from zconsole.actions.checks.destroy_impact import add_losses, add_reserved_space
from zconsole.actions.checks.hold_checks import refuse_held
from zconsole.actions.checks.replication_impact import check_replicas
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import destroy_in_programs
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.guest.shut_down_guests_first import GUESTS_WITHIN, SHUT_DOWN_GUESTS
from zconsole.actions.guest.start_shutdown_suspend_resume import is_transient_guest
from zconsole.actions.intent import Intent, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Rehearsal, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import count_data, saw_datasets
from zconsole.actions.step_subject import of_datasets, whole
from zconsole.analysis.dependencies.affected_objects import Closure, Graph, build_graph, with_dataset
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import rescue
from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset, type_in_words
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.zfs.change.dataset_argv import destroy_bookmark, destroy_dataset
from zconsole.zfs.listing.destroy_dry_run import rehearse_destroy_dataset

_OF_GUESTS: Final = frozenset({SHUT_DOWN_GUESTS.name, GUESTS_WITHIN.name})
_NAMED = 5  # objects listed in a refusal; the plan lists all


@on_writable_datasets
def plan_destroy_dataset(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive; catastrophic when live clones are destroyed as well."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(
        intent.target,
        FILESYSTEMS_AND_VOLUMES,
        facts,
        hint="Snapshots have an @, bookmarks a # in their names.",
    )
    name = dataset.name
    with_clones = intent.flag("with-clones")
    recursive = intent.flag("recursive") or with_clones
    graph = build_graph(facts.datasets)
    closure = with_dataset(graph, name)
    every = listed_datasets(closure.objects, facts)
    and_what = _and_what(closure, recursive=recursive, with_clones=with_clones)
    draft = Draft(f"destroy {type_in_words(dataset)} {name}{and_what}", name, Risk.DESTRUCTIVE)
    draft.destroys.extend(_destroyed(dataset, closure, recursive=recursive, with_clones=with_clones))
    goes = every if with_clones else listed_datasets(draft.destroys, facts)
    saw_datasets(draft, every)
    count_data(draft, (dataset, *(each for each in goes if each is not dataset)), facts)
    refuse_held(draft, goes, facts)
    check_uses(draft, goes, facts, undone="its data would be lost")
    refuse_unmounting_as_user(draft, goes, facts)
    add_losses(draft, graph, closure, facts)
    check_replicas(draft, goes, facts)
    _refuse_children(draft, dataset, closure, recursive=recursive)
    if not with_clones:
        _refuse_clones(draft, closure, facts)
    _offer_rescue(draft, graph, closure)
    _offer_rename(intent, draft, graph, dataset, facts)
    _tell_what_it_is(draft, graph, dataset)
    if not destroy_in_programs(draft, graph, goes, facts):
        draft.steps.append(
            Step(
                destroy_dataset(
                    name,
                    recursive=recursive and bool(closure.below or closure.elsewhere),
                    with_clones=with_clones,
                ),
                f"destroy the {type_in_words(dataset)}{and_what}",
                timeout_s=LONG_STEP_TIMEOUT_S,
                settled_by=datasets_gone(goes),
                permissions=permissions_on("destroy,mount", name),
                subjects=whole(goes, dataset, draft.figures),
            )
        )
    draft.rehearsals.append(
        Rehearsal(rehearse_destroy_dataset(name, recursive=recursive, with_clones=with_clones))
    )
    return draft


@on_writable_datasets
def plan_destroy_bookmark(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive: incremental sends from it become impossible."""
    refuse_surplus_arguments(intent, 0)
    bookmark = dataset_of_type(
        intent.target, frozenset({"bookmark"}), facts, hint="Bookmarks have a # in their names."
    )
    draft = Draft(f"destroy bookmark {bookmark.name}", bookmark.name, Risk.DESTRUCTIVE, frees_bytes=0)
    draft.destroys.append(bookmark.name)
    saw_datasets(draft, (bookmark,))
    check_replicas(draft, (bookmark,), facts)
    base = dataset_of(bookmark.name)
    twins = [
        each.name
        for each in facts.datasets
        if each.guid == bookmark.guid and each.name != bookmark.name and dataset_of(each.name) == base
    ]
    if twins:
        draft.notes.append(f"{twins[0]} is of the same instant, so incremental sends still work")
    else:
        draft.warnings.append("no incremental send can start from that instant any more")
    draft.steps.append(
        Step(
            destroy_bookmark(bookmark.name),
            "destroy the bookmark",
            settled_by=datasets_gone((bookmark,)),
            permissions=permissions_on("destroy", base),
            subjects=of_datasets((bookmark,)),
        )
    )
    return draft


def _destroyed(dataset: Dataset, closure: Closure, *, recursive: bool, with_clones: bool) -> tuple[str, ...]:
    """What these options destroy; without any its own bookmarks go with it."""
    if with_clones:
        return closure.objects
    if recursive:
        return (*closure.targets, *closure.below)
    return (*closure.targets, *(name for name in closure.below if name.startswith(f"{dataset.name}#")))


def _and_what(closure: Closure, *, recursive: bool, with_clones: bool) -> str:
    """What else these options destroy."""
    if with_clones and closure.elsewhere:
        return ", all in it and all clones of its snapshots"
    return " and all in it" if recursive and closure.below else ""


def _refuse_children(draft: Draft, dataset: Dataset, closure: Closure, *, recursive: bool) -> None:
    """Its own bookmarks are destroyed implicitly; snapshots and children only on request."""
    asked = [name for name in closure.below if not name.startswith(f"{dataset.name}#")]
    if asked and not recursive:
        draft.refuse(
            "children", f"{dataset.name} is not empty, it has {shortened(asked, _NAMED)}",
            "a snapshot alone is destroyed by its own name, with an @",
            PlanAgain("recursive", "destroy all that is in it too"),
        )  # fmt: skip


def _refuse_clones(draft: Draft, closure: Closure, facts: PlanFacts) -> None:
    if closure.elsewhere:
        outside = [name for name in closure.clones if name in set(closure.elsewhere)]
        named = shortened(with_guests(outside, facts), _NAMED)
        draft.refuse("clones", f"it has clones elsewhere: {named}",
                     "promote them to keep them",
                     PlanAgain("with-clones", f"destroy {named} too"))  # fmt: skip


def _offer_rescue(draft: Draft, graph: Graph, closure: Closure) -> None:
    """Offer what keeps the clones."""
    steps = rescue(graph, closure.targets[0]) if closure.elsewhere else ()
    if steps:
        then = "" if len(steps) == 1 else f", then {', then '.join(steps[1:])}"
        kept = sum(1 for name in closure.elsewhere if "@" not in name and "#" not in name)
        draft.alternatives.append(
            (
                f"promote {steps[0]}{then}: keeps {'it' if kept == 1 else f'all {kept} datasets elsewhere'}",
                Intent("promote", steps[0]),
            )
        )
    inside = [name for name in closure.clones if name not in set(closure.elsewhere)]
    if inside:
        draft.warnings.append(
            f"clones below it are destroyed too, which ZFS does not report: {shortened(inside, _NAMED)}"
        )


def _offer_rename(intent: Intent, draft: Draft, graph: Graph, dataset: Dataset, facts: PlanFacts) -> None:
    """Offer what keeps everything for a while, unless a running program would refuse the rename too."""
    aside = f"{dataset.name}-to-destroy"
    options = tuple(each for each in intent.options if each[0] in _OF_GUESTS)  # they keep it in use
    is_in_use = any(use.is_running for use in _uses_in(dataset, facts))
    is_transient = any(
        is_transient_guest(each, facts)
        and any(f"{place}/".startswith(f"{dataset.name}/") for place in each.all_places)
        for each in (facts.guests or () if options else ())
    )
    if aside not in graph.datasets and "/" in dataset.name and not (is_in_use or is_transient):
        guests = sorted({use.name for use in _uses_in(dataset, facts) if use.kind in OFF_GUESTS})
        words = f"rename it to {aside} now, and destroy it after a time in which nothing has needed it"
        if guests:
            words += (
                f" (in the definition of {shortened(guests, _NAMED)} its name is changed too, so that a "
                "start still works, and shows who needs it)"
            )
        draft.alternatives.append((words, Intent("rename", dataset.name, (aside,), options)))


def _uses_in(dataset: Dataset, facts: PlanFacts) -> Iterator[OutsideUse]:
    """Uses of a dataset and of what is below it."""
    below = f"{dataset.name}/"
    yield from (use for use in facts.uses or () if f"{dataset_of_object(use.object)}/".startswith(below))


def _tell_what_it_is(draft: Draft, graph: Graph, dataset: Dataset) -> None:
    snapshots = len(graph.snapshots.get(dataset.name, ()))
    if snapshots:
        with_them = "its snapshot" if snapshots == 1 else f"all its {snapshots} snapshots"
        draft.warnings.append(
            f"this is the {type_in_words(dataset)} itself with {with_them}, not a snapshot of it"
        )
    else:
        draft.warnings.append(f"{dataset.name} has no snapshots: nothing of it is kept")
    written = f", {size(dataset.written_bytes)} written since its last snapshot" if snapshots else ""
    draft.notes.append(f"it refers to {size(dataset.referenced_bytes)}{written}")
    add_reserved_space(draft, graph, dataset.name)

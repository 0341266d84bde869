"""Promote: a clone and its origin's dataset trade places."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.dataset_in_use_checks import tell_names_of_engines
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import may_program
from zconsole.actions.guest.guests_of_promoted_clone import tell_guests_of_promotion
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.guest.space_taken_from_guests import guests_of_pool, tell_space_of_promotion
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Dependent, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.step_subject import of_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import Promotion, promotion
from zconsole.analysis.dependencies.space_left_after_change import space_accounts
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import channel_program
from zconsole.zfs.change.argv_template import DATASET, POOL, SNAPSHOT, WHICH, CommandForm
from zconsole.zfs.change.dataset_argv import promote

MOST_NAMED: Final = 3  # clones


@on_writable_datasets
def plan_promote(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: nothing is lost, but snapshots change their names, which backups may use."""
    refuse_surplus_arguments(intent, 0)
    clone = dataset_of_type(
        intent.target, FILESYSTEMS_AND_VOLUMES, facts, hint="A clone is a file system or volume."
    )
    draft = Draft(f"promote {clone.name}", clone.name, Risk.CAUTION, is_reversible=True)
    saw_datasets(draft, (clone,))
    draft.saw(f"origin of {clone.name}", clone.origin or "none")
    found = promotion(build_graph(facts.datasets), clone.name)
    if found is None:
        draft.refuse("no-clone", f"{clone.name} is not a clone")
        return draft
    moving = (*found.moves, *found.bookmarks)
    draft.renames += moving
    saw_datasets(draft, listed_datasets([found.origin_dataset, *(old for old, _ in moving)], facts))
    saw_datasets(
        draft,
        (each for each in facts.datasets if each.type == "bookmark" and dataset_of(each.name) == clone.name),
    )
    for old, new in moving:
        draft.dependents.append(Dependent("bookmark" if "#" in old else "snapshot", old, f"becomes {new}"))
    for name in found.rebased:
        draft.dependents.append(Dependent("clone", name, f"will stand on {clone.name}"))
    origin = listed_datasets([found.origin_dataset], facts)[0]
    _tell_space(draft, clone, origin, found, facts)
    tell_guests_of_promotion(draft, found, facts)
    draft.not_binding.append("how much is charged, and what is left")
    draft.notes.append(f"{origin.name} becomes a clone of {clone.name}{_what_is_free(origin, found, facts)}")
    draft.undo = f"zfs promote {quote(origin.name)}"
    kept = tell_names_of_engines(draft, (clone, origin), facts)
    if kept:
        draft.warnings.append(
            f"{', '.join(kept)}: an engine of containers that keeps these destroys them in the order of its "
            "own records, and fails on what depends on another after this"
        )
    if found.conflicts:
        draft.refuse(
            "conflict", f"{clone.name} has snapshots of the same names: {', '.join(found.conflicts)}",
            f"rename those first, for example {clone.name}@{found.conflicts[0]}",
        )  # fmt: skip
    if found.bookmark_conflicts:
        draft.refuse(
            "bookmark-conflict",
            f"{clone.name} and {origin.name} have bookmarks of the same names: "
            f"{', '.join(found.bookmark_conflicts)}; ZFS does not check this, and its kernel module panics",
            f"bookmark {clone.name}#{found.bookmark_conflicts[0]} under another name, and destroy it",
        )  # fmt: skip
    draft.steps.append(_step(clone, origin, found, facts))
    return draft


def _what_is_free(origin: Dataset, found: Promotion, facts: PlanFacts) -> str:
    """Whether the origin's dataset can be destroyed then: not while snapshots that stay have clones."""
    moved = {old for old, _ in found.moves}
    others = sorted(
        each.name
        for each in facts.datasets
        if each.origin is not None and dataset_of(each.origin) == origin.name and each.origin not in moved
    )
    if not others:
        return ", and can then be destroyed without it"
    return (
        f"; it still cannot be destroyed without {shortened(others, MOST_NAMED)}, clones of what stays there"
    )


def _step(clone: Dataset, origin: Dataset, found: Promotion, facts: PlanFacts) -> Step:
    """In the txg that checks both objects, if a channel program can be used."""
    snapshot = listed_datasets([found.origin], facts)[0]
    settled = (
        Condition(ConditionKind.ORIGIN_IS, origin.name, origin.pool, value=dict(found.moves)[found.origin]),
    )
    ids = [
        (each.name, each.guid, each.createtxg)
        for each in (clone, snapshot)
        if each.guid is not None and each.createtxg is not None
    ]
    if may_program(facts) and len(ids) == 2:
        return Step(
            channel_program.promote(clone.pool, *ids),
            f"check which they are, and make {origin.name} a clone of {clone.name}, in one txg",
            stdin=channel_program.PROMOTE,
            settled_by=settled,
        )
    return Step(
        promote(clone.name),
        f"make {origin.name} a clone of {clone.name}",
        settled_by=settled,
        permissions=(*permissions_on("promote,mount", clone.name), *permissions_on("promote", found.origin)),
        subjects=of_datasets((clone, snapshot)),
    )


def _tell_space(draft: Draft, clone: Dataset, origin: Dataset, found: Promotion, facts: PlanFacts) -> None:
    """Where the space of the snapshots that move is charged, and what is left; refused beyond a quota."""
    moved = found.moved_bytes
    accounts = space_accounts(clone.pool, facts.datasets)
    if moved is None or accounts is None:
        draft.warnings.append(f"how much of {origin.name} will be charged to {clone.name} is not known")
        return
    used, then = accounts.used(), accounts.promoted(clone.name, origin.name, moved).used()
    draft.notes.append(
        f"the snapshots that move hold {size(moved)}, which are charged to {clone.name} then "
        f"({size(used[clone.name])} used become {size(then[clone.name])}), and no longer to {origin.name} "
        f"({size(used[origin.name])} become {size(then[origin.name])})"
    )
    room = accounts.room_for_promotion(clone.name, origin.name, moved)
    if moved > room:
        draft.refuse(
            "space", f"{clone.name} has {size(room)} left for the {size(moved)} of the snapshots that move",
            f"raise the quota above {clone.name}, or destroy snapshots of {origin.name} that are older than "
            f"{found.origin}",
        )  # fmt: skip
        return
    now = size(accounts.available()[clone.name])
    left = size(accounts.promoted(clone.name, origin.name, moved).available()[clone.name])
    draft.notes.append(
        f"{left} are left for {clone.name} then, " + ("as now" if left == now else f"{now} now")
    )
    tell_space_of_promotion(draft, clone.name, origin.name, moved, facts)


def _needs(intent: Intent) -> Needs:
    """Needs both names, what each snapshot that moves holds, and the guests on them."""
    return Needs(
        datasets=(intent.pool,),
        snapshots=(SnapshotSelector(intent.target, origin=True),),
        programs=True,
        uses=True,
        shared=(),
    )


def _why_not(target: Target, facts: PlanFacts) -> str:
    dataset = facts.dataset(target.name)
    return "it is not a clone" if dataset is not None and dataset.origin is None else ""


_PROGRAM: Final = CommandForm(lambda: ("zfs", "program", "-j", POOL, "-", DATASET, WHICH, SNAPSHOT, WHICH))
SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "promote", "Promote", "Make a clone independent: the snapshots up to its origin move to it.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_promote, options=FIRST, needs=_needs,
        further=guests_of_pool, why_not=_why_not, permission="promote",
        commands=(CommandForm(promote, (DATASET,)), _PROGRAM),
    ),
)  # fmt: skip

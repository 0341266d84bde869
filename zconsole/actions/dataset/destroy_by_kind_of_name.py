"""Destroy: one command for four types of objects, distinguished by name.

A name with @ means snapshots, with # a bookmark, with / a file system or volume; otherwise a pool.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.dataset.all_or_none_steps import PROGRAM_FORMS
from zconsole.actions.dataset.destroy_dataset_or_bookmark import plan_destroy_bookmark, plan_destroy_dataset
from zconsole.actions.dataset.destroy_snapshots import plan_destroy_snapshots
from zconsole.actions.dataset.unmount_before_destroy import MOUNTPOINT
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.pool.destroy import plan_destroy_pool
from zconsole.base.errors import UsageError
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import DESTROYED, POOL, CommandForm
from zconsole.zfs.change.dataset_argv import HOW_FAR, destroy_dataset
from zconsole.zfs.change.libzfs_core_argv import DESTROY, SPACE
from zconsole.zfs.change.pool_argv import destroy_pool
from zconsole.zfs.listing.destroy_dry_run import rehearse_destroy_dataset


def plan_destroy(intent: Intent, facts: PlanFacts) -> Draft:
    """Plan by the target's type. Raises UsageError for mixed types."""
    _check_words(intent)
    if "@" in intent.target:
        return plan_destroy_snapshots(intent, facts)
    if "#" in intent.target:
        return plan_destroy_bookmark(intent, facts)
    if "/" in intent.target:
        return plan_destroy_dataset(intent, facts)
    return plan_destroy_pool(intent, facts)


def _check_words(intent: Intent) -> None:
    """What no host needs to be read for. Raises UsageError."""
    words = (intent.target, *intent.arguments)
    marks = {next((mark for mark in "@#" if mark in word), "") for word in words}
    if len(marks) > 1 or (len(words) > 1 and marks != {"@"}):
        raise UsageError(
            "only snapshots can be destroyed several at once",
            hint="Give each name with its @; destroy file systems, volumes and pools one by one.",
        )
    if marks != {""} or "/" in intent.target:
        return
    refuse_surplus_arguments(intent, 0)
    if intent.flag("recursive") or intent.flag("with-clones"):
        raise UsageError(
            f"{intent.target!r} is a pool, which is destroyed whole",
            hint="Without options; or name a dataset below it, or a snapshot with its @.",
        )


def _concerns(intent: Intent) -> tuple[SnapshotSelector, ...]:
    """All that is destroyed, and neighbours in the same datasets."""
    if "#" in intent.target:
        # whether another bookmark or snapshot remains
        return (SnapshotSelector(dataset_of(intent.target), is_bare=True),)
    if "@" not in intent.target:
        return (SnapshotSelector(intent.target, below=True, clones=True),)
    below = intent.flag("recursive") or intent.flag("with-clones")
    return tuple(
        SnapshotSelector(word, below=below, clones=True) for word in (intent.target, *intent.arguments)
    )


def _needs(intent: Intent) -> Needs:
    _check_words(intent)
    is_snapshots = "@" in intent.target
    is_system = "/" in intent.target and not is_snapshots and "#" not in intent.target
    own = (intent.target,) if is_system else ()  # snapshots and bookmarks are not shared, clones are
    return Needs(
        datasets=(intent.pool,),
        snapshots=_concerns(intent),
        holds=True,
        uses=True,
        shared=None if intent.flag("with-clones") or "/" not in intent.target else own,
        copies=True,
        programs=is_snapshots or is_system,
        properties_below=((intent.target, MOUNTPOINT),) if is_system else (),
        core=(DESTROY, SPACE) if is_snapshots else (),
    )


def _why_not(target: Target, facts: PlanFacts) -> str:
    match target.kind:
        case TargetKind.SNAPSHOT:
            snapshot = facts.dataset(target.name)
            tags = sorted(hold.tag for hold in facts.holds or () if hold.snapshot == target.name)
            if tags:
                return f"held by {', '.join(tags)}"
            return "held" if snapshot is not None and snapshot.holds else ""
        case TargetKind.FILESYSTEM if "/" not in target.name:
            return "it can be destroyed only with its pool"
        case TargetKind.FILESYSTEM | TargetKind.VOLUME:
            return next(
                (
                    f"{use.kind} {use.name} is on {use.object}"
                    for use in facts.uses or ()
                    if use.is_running and f"{dataset_of(use.object)}/".startswith(f"{target.name}/")
                ),
                "",
            )
        case _:
            return ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "destroy", "Destroy",
        "Destroy snapshots, a bookmark, a file system or volume, or a pool; everything destroyed is listed.",
        frozenset({
            TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT, TargetKind.BOOKMARK,
            TargetKind.POOL,
        }), plan_destroy,
        arguments=(
            Argument("SNAPSHOT", "snapshot", "further snapshots", is_optional=True, is_repeated=True),
        ),
        options=(
            Option(
                "recursive", "everything in and below it; of a snapshot, those of the same name below",
                letter="r",
            ),
            Option(
                "with-clones", "also its clones anywhere in the pool, with everything in them",
                letter="R", implies=("recursive",), takes_more=True,
            ),
            *FIRST,
        ),
        why_no_start=lambda intent: (
            "" if "@" in intent.target or "#" in intent.target else "the disks are destroyed"
        ),
        key="delete", needs=_needs, why_not=_why_not,
        permission="destroy", root_for=frozenset({TargetKind.POOL}),
        commands=(
            CommandForm(destroy_pool, (POOL,)),
            *PROGRAM_FORMS,
            *(
                CommandForm(
                    partial(build, recursive=below, with_clones=clones), (DESTROYED,),
                    only_reads=build is rehearse_destroy_dataset,
                )
                for build in (rehearse_destroy_dataset, destroy_dataset)
                for below, clones in HOW_FAR
            ),
        ),
    ),
)  # fmt: skip

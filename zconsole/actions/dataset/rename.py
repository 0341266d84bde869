"""Rename a dataset with its descendants, or a snapshot, optionally in all descendants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import MOST_REFUSALS, ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.dataset_in_use_checks import (
    OF_LIBVIRT,
    check_uses,
    refuse_unmounting_as_user,
)
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import (
    MOUNTPOINT,
    OVERLAY,
    Placement,
    of_rename,
    targets,
)
from zconsole.actions.checks.name_rules import MOST_BYTES, check_dataset, check_snapshot
from zconsole.actions.checks.new_dataset_checks import refuse_place
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.guest.define_disks_of_renamed_dataset import (
    PathChange,
    define_disks,
    has_guests,
    needs_of_guests,
    path_change,
    tell_way_back,
)
from zconsole.actions.guest.shut_down_guests_first import AND_AFTER
from zconsole.actions.guest.space_taken_from_guests import sizes_of_volumes, tell_space_of_rename
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import (
    LONG_STEP_TIMEOUT_S,
    Condition,
    ConditionKind,
    Risk,
    Step,
    WayOut,
    permissions_on,
)
from zconsole.actions.plan_basis_of_datasets import saw_absence, saw_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph, with_rename
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER, CONTAINER_DATA
from zconsole.analysis.dependencies.uses_by_guests import GUEST
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, parent_of, pool_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, SNAPSHOT, Dataset, type_in_words
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.stored_definition import update_disk
from zconsole.zfs.change.argv_template import DEFINE, EITHER, GUEST_UUID, CommandForm
from zconsole.zfs.change.dataset_argv import rename

_NAMED: Final = 5
_HINT: Final = "zconsole plan rename POOL/OLD POOL/NEW"


@on_writable_datasets
def plan_rename(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: users of the old name, such as backups and guests, no longer find it."""
    refuse_surplus_arguments(intent, 1)
    old = dataset_of_type(
        intent.target, FILESYSTEMS_AND_VOLUMES | SNAPSHOT, facts, hint="Bookmarks cannot be renamed."
    )
    if not intent.argument(0):
        raise UsageError("the new name is missing", hint=_HINT)
    return _snapshot(intent, old, facts) if old.type == "snapshot" else _dataset(intent, old, facts)


def _snapshot(intent: Intent, old: Dataset, facts: PlanFacts) -> Draft:
    recursive = intent.flag("recursive")
    new = check_snapshot(_new_name(intent))
    if dataset_of(new) != dataset_of(old.name):
        raise UsageError(
            f"{new} is of another dataset", hint="A snapshot stays with its dataset; clone it instead."
        )
    graph = build_graph(facts.datasets)
    names = graph.same_named(old.name) if recursive else (old.name,)
    pairs = [(name, f"{dataset_of(name)}@{short_of(new)}") for name in names]
    more = f" and {len(pairs) - 1} below it" if len(pairs) > 1 else ""
    draft = _draft(f"rename snapshot {old.name}{more} to {new}", old, new, recursive=recursive)
    saw_datasets(draft, listed_datasets(names, facts))
    draft.renames += pairs
    for _, after in pairs:
        check_snapshot(after)
    for taken in listed_datasets([after for _, after in pairs], facts)[:MOST_REFUSALS]:
        draft.refuse_answer(WayOut.NAME, "exists", f"{taken.name} already exists", "choose another name")
    saw_absence(draft, new, facts)
    draft.notes.append("backups that look for the old name do not find it")
    draft.steps.append(_step(old, new, rename(old.name, new, recursive=recursive)))
    return draft


def _new_name(intent: Intent) -> str:
    """The full name of a snapshot."""
    word = intent.argument(0)
    return word if "@" in word.strip("@") else f"{dataset_of(intent.target)}@{word.removeprefix('@')}"


def _dataset(intent: Intent, old: Dataset, facts: PlanFacts) -> Draft:
    new = check_dataset(intent.argument(0))
    if "/" not in old.name:
        raise UsageError(
            f"{old.name} is a pool", hint="Pools are renamed by export, and import with a new name."
        )
    if intent.flag("recursive"):
        raise UsageError("a dataset is renamed with all below it anyway", hint="Without --recursive.")
    if pool_of(new) != old.pool:
        raise UsageError(f"{new} is in another pool", hint="A dataset stays in its pool; send copies it.")
    graph = build_graph(facts.datasets)
    pairs = with_rename(graph, old.name, new)
    draft = _draft(f"rename {type_in_words(old)} {old.name} to {new}", old, new)
    every = listed_datasets([name for name, _ in pairs], facts)
    saw_datasets(draft, every)
    draft.renames += pairs
    parents = intent.flag("parents")
    if f"{new}/".startswith(f"{old.name}/"):
        draft.refuse_answer(WayOut.NAME, "inside", f"{new} would be inside itself", "choose another place")
    else:
        refuse_place(draft, new, facts, parents=parents)
    longest = max((each for _, each in pairs), key=len)
    if len(longest) > MOST_BYTES:
        draft.refuse_answer(
            WayOut.NAME,
            "name",
            f"{longest} would have {len(longest)} characters; the maximum is {MOST_BYTES}",
            "choose a shorter name",
        )
    systems = [each for each in every if each.type in FILESYSTEMS_AND_VOLUMES]
    placements = of_rename(old, new, facts)
    is_mounted = any(each.is_mounted for each in systems)
    stays = is_mounted and _stays_mounted(old, placements, parents=parents)
    taken = [each for each in systems if each.type == "volume"] if stays or _is_left_alone(old) else systems
    known_by_name = {use.object for use in facts.uses or () if use.kind in {CONTAINER, CONTAINER_DATA}}
    used = [each for each in systems if each in taken or each.name in known_by_name]
    check_uses(draft, used, facts, undone=_what_is_undone(taken))
    refuse_unmounting_as_user(draft, taken, facts)
    check_placements(draft, placements, facts, moving=[each.name for each in taken])
    _tell(draft, old, new, systems)
    _tell_mounts(draft, systems, taken, facts)
    if parent_of(new) != parent_of(old.name) and not draft.refusals:
        tell_space_of_rename(draft, old.name, new, facts)
    if stays:
        draft.undo = f"zfs rename -u {quote(new)} {quote(old.name)}"
    draft.steps.append(_step(old, new, rename(old.name, new, parents=parents, stays_mounted=stays)))
    defining = define_disks(draft, path_change(pairs, placements, facts), facts)
    if defining:
        draft.steps += defining
        tell_way_back(draft, old.name, new)
    return draft


def _what_is_undone(systems: Sequence[Dataset]) -> str:
    """What a rename does to who uses these: an open volume goes on, but its device has another path."""
    volume = "the device of a volume gets another path: what has it open goes on, and would not start again"
    if all(each.type == "volume" for each in systems):
        return volume
    unmounts = "a rename unmounts the file system"
    return f"{unmounts}; {volume}" if any(each.type == "volume" for each in systems) else unmounts


def _is_left_alone(old: Dataset) -> bool:
    """Whether ZFS leaves all mounts in it alone by itself (zfs-rename(8), -u): it has no mountpoint."""
    return old.mountpoint in {"none", "legacy"}


def _stays_mounted(old: Dataset, placements: Sequence[Placement], *, parents: bool) -> bool:
    """Whether to rename with -u, as every mounted file system keeps its place; -p excludes -u."""
    is_moved = any(each.is_mounted for each in placements)
    return old.type == "filesystem" and not is_moved and not parents and not _is_left_alone(old)


def _draft(title: str, old: Dataset, new: str, *, recursive: bool = False) -> Draft:
    draft = Draft(title, old.name, Risk.CAUTION, is_reversible=True)
    draft.undo = f"zfs rename {'-r ' if recursive else ''}{quote(new)} {quote(old.name)}"
    return draft


def _step(old: Dataset, new: str, argv: tuple[str, ...]) -> Step:
    above = parent_of(new) if old.type in FILESYSTEMS_AND_VOLUMES else dataset_of(new)
    named = Condition(ConditionKind.NAME_IS, str(old.guid), old.pool, str(old.createtxg), new)
    return Step(
        argv,
        f"rename it to {new}",
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=(named,),
        permissions=(*permissions_on("rename,mount", old.name), *permissions_on("create,mount", above)),
    )


def _tell(draft: Draft, old: Dataset, new: str, systems: list[Dataset]) -> None:
    engines = {each.name: None for each in draft.dependents if each.kind in {CONTAINER, CONTAINER_DATA}}
    if engines:
        draft.warnings.append(
            f"the configuration of containers that names it ({shortened(tuple(engines), _NAMED)}) keeps the "
            "old name: its engine does not find the dataset until that is changed"
        )
    if len(systems) > 1:
        draft.notes.append(f"{len(systems) - 1} datasets below it change their names with it")
    if any(each.type == "volume" for each in systems):
        draft.notes.append(f"devices move from /dev/zvol/{old.name} to /dev/zvol/{new}")
    if parent_of(new) != parent_of(old.name):
        draft.notes.append(f"what it inherits comes from {parent_of(new)} from then on")


def _tell_mounts(
    draft: Draft, systems: Sequence[Dataset], taken: Sequence[Dataset], facts: PlanFacts
) -> None:
    """What becomes of mounts, and the guests for which nothing changes."""
    mounted = [each for each in systems if each.is_mounted]
    if not mounted:
        return
    if any(each in taken for each in mounted):
        draft.notes.append(
            "what is mounted is unmounted and mounted again where its mountpoint follows the name"
        )
        return
    draft.notes.append("what is mounted stays mounted where it is")
    names = {each.name for each in mounted}
    uses = [use for use in facts.uses or () if use.object in names and use.kind in OF_LIBVIRT]
    running = {use.name for use in uses if use.kind == GUEST}
    off = {use.name for use in uses} - running
    if running:
        guests = shortened(sorted(running), _NAMED)
        draft.notes.append(f"guests with images there keep them open, and their paths stay right: {guests}")
    if off:
        guests = shortened(sorted(off), _NAMED)
        draft.notes.append(f"guests that are off find their images at the same paths: {guests}")
    if uses:
        draft.saw("guests on what stays mounted", ", ".join(sorted({use.name for use in uses})))


def _needs(intent: Intent) -> Needs:
    if "@" not in intent.target:
        names = (SnapshotSelector(intent.target, below=True, is_bare=True),)
        return Needs(
            datasets=(intent.pool,),
            snapshots=names,
            uses=True,
            properties=((intent.target, OVERLAY),),
            properties_below=((intent.target, MOUNTPOINT),),
        )
    both = snapshot_selectors(intent.target, _new_name(intent), below=intent.flag("recursive"))
    return Needs(datasets=(intent.pool,), snapshots=both)


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    old = facts.dataset(intent.target)
    if old is None or not intent.argument(0):
        return Needs()
    placed = targets(of_rename(old, intent.argument(0), facts))
    change = _path_change(old, intent, facts)
    return replace(placed, guests=change is not None and has_guests(change, facts))


def _definitions(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the definitions of the guests on it."""
    old = facts.dataset(intent.target)
    change = None if old is None else _path_change(old, intent, facts)
    sizes = sizes_of_volumes(intent, facts)
    return sizes if change is None else replace(needs_of_guests(change, facts), properties=sizes.properties)


def _path_change(old: Dataset, intent: Intent, facts: PlanFacts) -> PathChange | None:
    """Paths that change; None for a snapshot."""
    if old.type not in FILESYSTEMS_AND_VOLUMES or not intent.argument(0):
        return None
    new = intent.argument(0)
    return path_change(
        with_rename(build_graph(facts.datasets), old.name, new), of_rename(old, new, facts), facts
    )


def _root_dataset(target: Target, _facts: PlanFacts) -> str:
    """Disabled for a pool's root dataset."""
    return "" if "/" in target.name or "@" in target.name else "it has the name of its pool"


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "rename", "Rename", "Give a snapshot another name, or a dataset another name or parent in its pool.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME, TargetKind.SNAPSHOT}), plan_rename,
        arguments=(Argument("NAME", "name", "the full new name, or for a snapshot the part after the @"),),
        options=(
            Option("recursive", "for a snapshot: those of the same name below it too", letter="r"),
            Option("parents", "create missing parents of the new name", letter="p"),
            *AND_AFTER,
        ),
        needs=_needs, further=_targets, last=_definitions, why_not=_root_dataset,
        permission="rename",
        commands=(
            CommandForm(
                rename, (EITHER, EITHER), {"parents": True, "recursive": True, "stays_mounted": True}
            ),
            CommandForm(update_disk, (GUEST_UUID,), grant=DEFINE),
        ),
    ),
)  # fmt: skip

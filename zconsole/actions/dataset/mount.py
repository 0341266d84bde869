"""Mount and unmount of file systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user
from zconsole.actions.checks.mount_checks import check_placements, why_not
from zconsole.actions.checks.mount_points_after_change import ON, OVERLAY, Placement, as_it_is, targets
from zconsole.actions.checks.new_dataset_checks import LOCKED
from zconsole.actions.checks.unread_or_read_only_pool import on_listed_datasets
from zconsole.actions.dataset_facts_needed import needs_datasets, needs_datasets_and_uses
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph, with_unmount
from zconsole.analysis.dependencies.mount_safety import normal
from zconsole.base.escape_control_characters import visible
from zconsole.model.datasets.dataset import FILESYSTEM, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import DATASET, CommandForm
from zconsole.zfs.change.dataset_argv import mount, unmount

LEGACY: Final = "legacy"
BELOW: Final = "below"
_HINT: Final = "Only file systems are mounted."


@on_listed_datasets
def plan_mount(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine; caution when it hides files, refused over the running system."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEM, facts, hint=_HINT)
    if intent.flag(BELOW):
        return _plan_mount_below(dataset, facts)
    draft = Draft(f"mount {dataset.name}", dataset.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs unmount {quote(dataset.name)}"
    saw_datasets(draft, (dataset,))
    _saw_mounts(draft, (dataset,))
    _refuse_mount(draft, dataset, facts)
    if dataset.mountpoint is not None:
        draft.notes.append(f"it is mounted at {visible(dataset.mountpoint)}")
    check_placements(draft, _at_once(as_it_is(dataset, facts)), facts)
    draft.steps.append(_mounting(dataset))
    return draft


def _plan_mount_below(top: Dataset, facts: PlanFacts) -> Draft:
    """Mount all that an import would mount, each checked; unsafe ones are left out with the reason."""
    draft = Draft(f"mount {top.name} and all below it", top.name, Risk.ROUTINE, is_reversible=True)
    every = [each for each in facts.datasets if f"{each.name}/".startswith(f"{top.name}/")]
    systems = [each for each in every if each.type == "filesystem"]
    saw_datasets(draft, systems)
    _saw_mounts(draft, tuple(systems))
    _refuse_as_user(draft, facts)
    mounted: list[Placement] = []
    for each in sorted(systems, key=lambda each: (each.mountpoint or "", each.name)):
        left_out = "" if each.is_mounted or each.canmount == "off" else _why_left_out(each, facts)
        if left_out:
            draft.warnings.append(f"{each.name} stays unmounted: {left_out}")
            continue
        for placed in as_it_is(each, facts):
            mounted.append(placed)
            draft.notes.append(f"{each.name} is mounted at {visible(placed.path)}")
            draft.steps.append(_mounting(each))
    check_placements(draft, _at_once(mounted), facts)
    _warn_of_one_place(draft, mounted)
    if not mounted:
        draft.refuse("nothing", f"there is nothing at or below {top.name} that can be mounted now")
    draft.undo = "; ".join(f"zfs unmount {each.dataset}" for each in reversed(mounted)) or None
    return draft


def _why_left_out(dataset: Dataset, facts: PlanFacts) -> str:
    """Why an unmounted file system is left out; empty if it is not."""
    if dataset.canmount == "noauto":
        return "its canmount is noauto"
    if dataset.mountpoint is None or not dataset.mountpoint.startswith("/"):
        return f"its mountpoint is {dataset.mountpoint or 'none'}"
    if dataset.keystatus == LOCKED:
        return "its key is not loaded"
    objection = why_not(dataset.mountpoint, facts)
    if objection is not None:
        return f"its mountpoint is {visible(dataset.mountpoint)}: {objection.why}"
    target = facts.mounting.target(dataset.mountpoint)
    if target is not None and target.entries and facts.property(dataset.name, OVERLAY) == "off":
        return f"its overlay is off, and {visible(dataset.mountpoint)} is not empty"
    return ""


def _warn_of_one_place(draft: Draft, placements: Sequence[Placement]) -> None:
    """Of two at one path the later one hides the earlier."""
    first: dict[str, str] = {}
    for each in placements:
        other = first.setdefault(normal(each.path), each.dataset)
        if other != each.dataset:
            draft.raise_risk(Risk.CAUTION)
            draft.warnings.append(f"{each.dataset} hides {other}: both have {visible(each.path)}")


def _at_once(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """The same as mounted by the action, whatever their canmount."""
    return tuple(replace(each, canmount=ON) for each in placements)


def _mounting(dataset: Dataset) -> Step:
    return Step(
        mount(dataset.name),
        "mount it",
        settled_by=(_mounted(dataset, "yes"),),
        permissions=permissions_on("mount", dataset.name),
    )


@on_listed_datasets
def plan_unmount(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: programs lose their files; refused while files are open."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEM, facts, hint=_HINT)
    draft = Draft(f"unmount {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    taken = with_unmount(build_graph(facts.datasets), dataset.name)
    going = listed_datasets(taken.goes, facts)
    saw_datasets(draft, going)
    _saw_mounts(draft, going)
    if dataset.is_mounted is False:
        draft.refuse("unmounted", f"{dataset.name} is not mounted")
    elif dataset.mountpoint == LEGACY:
        draft.refuse("legacy", f"{dataset.name} has a legacy mountpoint", "umount(8) unmounts it")
    for name in taken.blocks:
        draft.refuse("mounted-below", f"{name} is mounted below it, at its own mountpoint",
                     f"unmount {name} first")  # fmt: skip
    check_uses(draft, going, facts, undone="ZFS cannot unmount what is open")
    refuse_unmounting_as_user(draft, going, facts)
    if len(going) > 1:
        draft.notes.append(f"{len(going) - 1} file systems below it are unmounted with it")
    draft.undo = "; ".join(f"zfs mount {quote(each.name)}" for each in going)
    draft.steps.append(
        Step(
            unmount(dataset.name),
            "unmount it",
            settled_by=(_mounted(dataset, "no"),),
            permissions=permissions_on("mount", dataset.name),
        )
    )
    return draft


def _refuse_mount(draft: Draft, dataset: Dataset, facts: PlanFacts) -> None:
    if dataset.is_mounted:
        draft.refuse("mounted", f"{dataset.name} is mounted already")
    elif dataset.canmount == "off":
        draft.refuse("canmount", f"canmount of {dataset.name} is off", f"set {dataset.name} canmount=noauto")
    elif dataset.mountpoint in {None, "none"}:
        draft.refuse("no-mountpoint", f"{dataset.name} has no mountpoint", "set one")
    elif dataset.mountpoint == LEGACY:
        draft.refuse("legacy", f"{dataset.name} has a legacy mountpoint", "mount(8) mounts it")
    if dataset.keystatus == LOCKED:
        draft.refuse("locked", f"the key of {dataset.name} is not loaded", f"load-key {dataset.name} first")
    target = facts.mounting.target(dataset.mountpoint or "")
    if target is not None and target.entries and facts.property(dataset.name, OVERLAY) == "off":
        draft.refuse("not-empty", f"overlay of {dataset.name} is off, and {target.path} is not empty",
                     f"empty it, or set {dataset.name} overlay=on")  # fmt: skip
    _refuse_as_user(draft, facts)


def _refuse_as_user(draft: Draft, facts: PlanFacts) -> None:
    if not facts.privileges.is_root:
        draft.refuse("mount-permission", "on Linux only root can mount",
                     "zconsole sudoers prints what sudo needs")  # fmt: skip


def _mounted(dataset: Dataset, value: str) -> Condition:
    return Condition(ConditionKind.PROPERTY_IS, dataset.name, dataset.pool, "mounted", value)


def _saw_mounts(draft: Draft, datasets: tuple[Dataset, ...]) -> None:
    for each in datasets:
        draft.saw(f"mount of {each.name}", f"{each.is_mounted} at {each.mountpoint}")


def _needs_to_mount(intent: Intent) -> Needs:
    overlay = ((intent.target, OVERLAY),)
    return replace(
        needs_datasets(intent),
        properties=() if intent.flag(BELOW) else overlay,
        properties_below=overlay if intent.flag(BELOW) else (),
    )


def _targets(intent: Intent, facts: PlanFacts) -> Needs:
    top = intent.target
    chosen = [
        each
        for each in facts.datasets
        if each.name == top or (intent.flag(BELOW) and each.name.startswith(f"{top}/"))
    ]
    return targets(placed for each in chosen if each.type == "filesystem" for placed in as_it_is(each, facts))


def _why_not_mount(target: Target, facts: PlanFacts) -> str:
    dataset = facts.dataset(target.name)
    if dataset is None:
        return ""
    if dataset.is_mounted:
        return "mounted already"
    return "the key is not loaded" if dataset.keystatus == LOCKED else ""


def _why_not_unmount(target: Target, facts: PlanFacts) -> str:
    dataset = facts.dataset(target.name)
    return "not mounted" if dataset is not None and dataset.is_mounted is False else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "mount", "Mount", "Mount a file system at its mountpoint.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.POOL}), plan_mount,
        options=(Option(BELOW, "all below it too that an import mounts: those with canmount=on"),),
        needs=_needs_to_mount, further=_targets, why_not=_why_not_mount,
        commands=(CommandForm(mount, (DATASET,)),),
    ),
    ActionSpec(
        "unmount", "Unmount", "Unmount a file system, and those below it that follow its mountpoint.",
        frozenset({TargetKind.FILESYSTEM}), plan_unmount,
        options=FIRST, why_no_start=lambda intent: f"the images are away until {intent.target} is mounted",
        needs=needs_datasets_and_uses, why_not=_why_not_unmount,
        commands=(CommandForm(unmount, (DATASET,)),),
    ),
)  # fmt: skip

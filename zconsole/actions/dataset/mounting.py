"""Mount and unmount file systems."""

from __future__ import annotations

from typing import Final

from zconsole.actions.dataset.ground import (
    FILESYSTEM,
    datasets_and_uses,
    datasets_only,
    heed_uses,
    known_in,
    needed,
    no_further_words,
    on_datasets,
    refuse_unmounting_as_user,
    remember,
    the,
)
from zconsole.actions.dataset.making import LOCKED
from zconsole.actions.intent import Intent, Kind, Target
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.actions.spec import ActionSpec, Draft
from zconsole.analysis.closure import graph, with_unmount
from zconsole.model.dataset import Dataset
from zconsole.model.facts import Facts
from zconsole.zfs.change_dataset import mount, unmount

LEGACY: Final = "legacy"
_HINT: Final = "Only file systems are mounted."


@on_datasets
def plan_mount(intent: Intent, facts: Facts) -> Draft:
    """Routine."""
    no_further_words(intent, 0)
    dataset = the(intent.target, FILESYSTEM, facts, hint=_HINT)
    draft = Draft(f"mount {dataset.name}", dataset.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs unmount {dataset.name}"
    remember(draft, (dataset,))
    _saw_mounts(draft, (dataset,))
    _refuse_mount(draft, dataset, facts)
    if dataset.mountpoint is not None:
        draft.notes.append(f"it is mounted at {dataset.mountpoint}, over whatever is in that folder")
    draft.steps.append(
        Step(
            mount(dataset.name),
            "mount it",
            settled_by=(_mounted(dataset, "yes"),),
            permissions=needed("mount", dataset.name),
        )
    )
    return draft


@on_datasets
def plan_unmount(intent: Intent, facts: Facts) -> Draft:
    """Caution: programs do not find their files; refused while something has them open."""
    no_further_words(intent, 0)
    dataset = the(intent.target, FILESYSTEM, facts, hint=_HINT)
    draft = Draft(f"unmount {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    taken = with_unmount(graph(facts.datasets), dataset.name)
    going = known_in(taken.goes, facts)
    remember(draft, going)
    _saw_mounts(draft, going)
    if dataset.is_mounted is False:
        draft.refuse("unmounted", f"{dataset.name} is not mounted")
    elif dataset.mountpoint == LEGACY:
        draft.refuse("legacy", f"{dataset.name} has a legacy mountpoint", "umount(8) unmounts it")
    for name in taken.blocks:
        draft.refuse("mounted-below", f"{name} is mounted below it, at a place of its own",
                     f"unmount {name} first")  # fmt: skip
    heed_uses(draft, going, facts, undone="ZFS cannot unmount what is open")
    refuse_unmounting_as_user(draft, going, facts)
    if len(going) > 1:
        draft.notes.append(f"{len(going) - 1} file systems below it are unmounted with it")
    draft.undo = "; ".join(f"zfs mount {each.name}" for each in going)
    draft.steps.append(
        Step(
            unmount(dataset.name),
            "unmount it",
            settled_by=(_mounted(dataset, "no"),),
            permissions=needed("mount", dataset.name),
        )
    )
    return draft


def _refuse_mount(draft: Draft, dataset: Dataset, facts: Facts) -> None:
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
    if not facts.privileges.is_root:
        draft.refuse("mount-permission", "on Linux only root can mount",
                     "zconsole sudoers prints what sudo needs")  # fmt: skip


def _mounted(dataset: Dataset, value: str) -> Condition:
    return Condition(ConditionKind.PROPERTY_IS, dataset.name, dataset.pool, "mounted", value)


def _saw_mounts(draft: Draft, datasets: tuple[Dataset, ...]) -> None:
    for each in datasets:
        draft.saw(f"mount of {each.name}", f"{each.is_mounted} at {each.mountpoint}")


def _why_not_mount(target: Target, facts: Facts) -> str:
    dataset = facts.dataset(target.name)
    if dataset is None:
        return ""
    if dataset.is_mounted:
        return "mounted already"
    return "the key is not loaded" if dataset.keystatus == LOCKED else ""


def _why_not_unmount(target: Target, facts: Facts) -> str:
    dataset = facts.dataset(target.name)
    return "not mounted" if dataset is not None and dataset.is_mounted is False else ""


SPECS: Final = (
    ActionSpec(
        "mount", "Mount", "Mount a file system at its mountpoint.",
        frozenset({Kind.FILESYSTEM}), plan_mount, needs=datasets_only, why_not=_why_not_mount,
    ),
    ActionSpec(
        "unmount", "Unmount", "Unmount a file system, and those below it that follow its mountpoint.",
        frozenset({Kind.FILESYSTEM}), plan_unmount, needs=datasets_and_uses, why_not=_why_not_unmount,
    ),
)  # fmt: skip

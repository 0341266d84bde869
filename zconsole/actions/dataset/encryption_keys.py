"""Keys of encrypted datasets: load with a passphrase that is not stored, and unload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user
from zconsole.actions.checks.new_dataset_checks import LOCKED
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.set_property import current
from zconsole.actions.dataset.unmount_before_destroy import MOUNTPOINT, refuse_legacy, unmounting
from zconsole.actions.dataset_facts_needed import needs_datasets, needs_datasets_and_uses
from zconsole.actions.guest.shut_down_guests_first import FIRST
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.analysis.dependencies.affected_objects import build_graph, with_unmount
from zconsole.base.escape_control_characters import visible
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import DATASET, CommandForm
from zconsole.zfs.change.dataset_argv import load_key, mount, unload_key, unmount

PROMPT: Final = "prompt"
RAW: Final = "raw"
LOADED: Final = "available"
UNMOUNT: Final = Option("unmount", "unmount what the key opens, as the first steps")
_HINT: Final = "Only encrypted file systems and volumes have keys."


@on_writable_datasets
def plan_load_key(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine. The key goes to the command's stdin only."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    draft = Draft(f"load the key of {dataset.name}", dataset.name, Risk.ROUTINE, is_reversible=True)
    draft.undo = f"zfs unload-key {quote(dataset.name)}"
    location, _ = current(dataset.name, "keylocation", facts)
    form, _ = current(dataset.name, "keyformat", facts)
    _see(draft, dataset, facts)
    _refuse_no_root(draft, dataset, facts)
    if dataset.keystatus == LOADED:
        draft.refuse("loaded", f"the key of {dataset.name} is loaded already")
    secret = ""
    if location in {None, PROMPT}:
        secret = f"{form or 'passphrase'} of {dataset.name}"
        if form == RAW:
            draft.refuse("raw-key", f"the key of {dataset.name} is 32 raw bytes, which cannot be typed",
                         f"set {dataset.name} keylocation=file:///...")  # fmt: skip
    else:
        draft.warnings.append(
            f"ZFS reads the key as root from {visible(location)}: make sure that you put it there"
        )
    draft.notes.append("it mounts nothing")
    draft.steps.append(
        Step(
            load_key(dataset.name),
            "load the key",
            wants_secret=secret,
            settled_by=(_key(dataset, LOADED),),
            permissions=permissions_on("load-key", dataset.name),
        )
    )
    return draft


@on_writable_datasets
def plan_unload_key(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: without the key nothing can be read; refused while in use."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    draft = Draft(f"unload the key of {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    draft.undo = f"zfs load-key {quote(dataset.name)}, with its key"
    _see(draft, dataset, facts)
    _refuse_no_root(draft, dataset, facts)
    if dataset.keystatus == LOCKED:
        draft.refuse("unloaded", f"the key of {dataset.name} is not loaded")
    names = [
        of for of, key, value, _ in facts.properties if key == "encryptionroot" and value == dataset.name
    ]
    opened = listed_datasets(sorted({dataset.name, *names}), facts)
    _unmount_first(draft, intent, opened, facts)
    check_uses(draft, (*opened, *_used_snapshots(opened, facts)), facts, undone="it needs the key")
    draft.steps.append(
        Step(
            unload_key(dataset.name),
            "forget the key",
            settled_by=(_key(dataset, LOCKED),),
            permissions=permissions_on("load-key", dataset.name),
        )
    )
    return draft


def _unmount_first(draft: Draft, intent: Intent, opened: Sequence[Dataset], facts: PlanFacts) -> None:
    """Unmount what the key opens, where that is asked for; otherwise refuse, and offer it."""
    mounted = [each for each in opened if each.is_mounted]
    if not intent.flag(UNMOUNT.name):
        first = PlanAgain(UNMOUNT.name, "unmount what it opens first, in the same plan", is_in_words=True)
        for each in mounted:
            draft.refuse(
                "mounted", f"{each.name} is mounted, and needs the key", f"unmount {each.name} first", first
            )
        return
    graph = build_graph(facts.datasets)
    names = {each.name for each in mounted}
    closures = [with_unmount(graph, name) for name in sorted(names)]
    for name in sorted({each for closure in closures for each in (*closure.goes, *closure.blocks)} - names):
        draft.refuse("mounted-below", f"{name}, which this key does not open, is mounted below it",
                     f"unmount {name} first")  # fmt: skip
    refuse_legacy(draft, mounted)
    refuse_unmounting_as_user(draft, mounted, facts)
    draft.steps += unmounting(mounted, facts, "so that its key can be unloaded")
    mounts = "; ".join(f"zfs mount {each.name}" for each in mounted)
    if mounts:
        draft.undo = f"{draft.undo}; {mounts}"


def _used_snapshots(opened: Sequence[Dataset], facts: PlanFacts) -> tuple[Dataset, ...]:
    """Their mounted snapshots, which need the key as well."""
    names = {each.name for each in opened}
    used = (use.object for use in facts.uses or () if dataset_of(use.object) in names)
    return tuple(Dataset(name, "snapshot") for name in dict.fromkeys(used) if "@" in name)


def _see(draft: Draft, dataset: Dataset, facts: PlanFacts) -> None:
    saw_datasets(draft, (dataset,))
    draft.saw(f"key of {dataset.name}", dataset.keystatus)
    draft.saw(f"encryption root of {dataset.name}", current(dataset.name, "encryptionroot", facts)[0])


def _refuse_no_root(draft: Draft, dataset: Dataset, facts: PlanFacts) -> None:
    root, _ = current(dataset.name, "encryptionroot", facts)
    if dataset.encryption in {None, "off"}:
        draft.refuse("not-encrypted", f"{dataset.name} is not encrypted")
    elif root not in {None, "-", dataset.name}:
        draft.refuse(
            "not-root", f"{dataset.name} has no key of its own: it uses that of {root}", f"act on {root}"
        )


def _key(dataset: Dataset, status: str) -> Condition:
    return Condition(ConditionKind.PROPERTY_IS, dataset.name, dataset.pool, "keystatus", status)


def _needs_load(intent: Intent) -> Needs:
    asked = ("encryptionroot", "keylocation", "keyformat")
    return replace(needs_datasets(intent), properties=tuple((intent.target, key) for key in asked))


def _needs_unload(intent: Intent) -> Needs:
    """Clones elsewhere in the pool may use the key of their origin."""
    asked = ("encryptionroot", MOUNTPOINT) if intent.flag(UNMOUNT.name) else ("encryptionroot",)
    below = tuple((intent.pool, key) for key in asked)
    return replace(needs_datasets_and_uses(intent), properties_below=below)


def _why_not(target: Target, facts: PlanFacts, status: str, words: str) -> str:
    dataset = facts.dataset(target.name)
    if dataset is None:
        return ""
    if dataset.encryption in {None, "off"}:
        return "not encrypted"
    return words if dataset.keystatus == status else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "load-key", "Load key", "Load the key of an encrypted dataset, so that it can be mounted.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_load_key, needs=_needs_load,
        why_not=lambda target, facts: _why_not(target, facts, LOADED, "loaded already"),
        commands=(CommandForm(load_key, (DATASET,)),),
        permission="load-key",
    ),
    ActionSpec(
        "unload-key", "Unload key", "Forget the key of an encrypted dataset.",
        frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME}), plan_unload_key, needs=_needs_unload,
        options=(UNMOUNT, *FIRST),
        why_no_start=lambda intent: f"the disks cannot be read until the key of {intent.target} is loaded",
        why_not=lambda target, facts: _why_not(target, facts, LOCKED, "not loaded"),
        commands=(
            CommandForm(unload_key, (DATASET,)), CommandForm(unmount, (DATASET,)),
            CommandForm(mount, (DATASET,)),
        ),
        permission="load-key",
    ),
)  # fmt: skip

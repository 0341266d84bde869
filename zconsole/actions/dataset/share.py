"""Share and unshare over NFS and SMB, according to the properties."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.set_property import current
from zconsole.actions.dataset_facts_needed import needs_datasets
from zconsole.actions.intent import Intent, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type
from zconsole.actions.plan import Dependent, Risk, Step
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.actions.step_subject import of_datasets
from zconsole.model.datasets.dataset import FILESYSTEM, Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import DATASET, CommandForm
from zconsole.zfs.change.dataset_argv import share, unshare

KEYS: Final = ("sharenfs", "sharesmb")
_OFF: Final = frozenset({None, "off", "-"})
_HINT: Final = "Only file systems are shared."


@on_writable_datasets
def plan_share(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: clients get access."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEM, facts, hint=_HINT)
    draft = Draft(f"share {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    draft.undo = f"zfs unshare {quote(dataset.name)}"
    _see(draft, dataset, facts)
    if dataset.is_mounted is False:
        draft.refuse("unmounted", f"{dataset.name} is not mounted", f"mount {dataset.name} first")
    draft.notes.append("ZFS refuses if it is already shared: its properties apply at every mount")
    subjects = tuple(replace(each, is_mounted=True) for each in of_datasets((dataset,)))
    # it mounts unmounted file systems
    draft.steps.append(Step(share(dataset.name), "share it", subjects=subjects))
    return draft


@on_writable_datasets
def plan_unshare(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: clients lose access at once."""
    refuse_surplus_arguments(intent, 0)
    dataset = dataset_of_type(intent.target, FILESYSTEM, facts, hint=_HINT)
    draft = Draft(f"unshare {dataset.name}", dataset.name, Risk.CAUTION, is_reversible=True)
    draft.undo = f"zfs share {quote(dataset.name)}"
    for key, value in _see(draft, dataset, facts):
        draft.dependents.append(Dependent("share", key.removeprefix("share"), f"on {dataset.name}, {value}"))
    draft.notes.append("it is shared again with the next mount: set sharenfs and sharesmb to off to end that")
    draft.steps.append(Step(unshare(dataset.name), "stop sharing it"))
    return draft


def _see(draft: Draft, dataset: Dataset, facts: PlanFacts) -> list[tuple[str, str]]:
    """Its shares; refused when sharing is off."""
    saw_datasets(draft, (dataset,))
    found: list[tuple[str, str]] = []
    for key in KEYS:
        value, source = current(dataset.name, key, facts)
        draft.saw(f"{key} of {dataset.name}", f"{value} ({source})")
        if value is not None and value not in _OFF:
            found.append((key, value))
            draft.notes.append(f"{key} is {value}")
    if not found:
        draft.refuse(
            "not-shared", f"sharenfs and sharesmb of {dataset.name} are off", "set one of them first"
        )
    return found


def _needs(intent: Intent) -> Needs:
    return replace(needs_datasets(intent), properties=tuple((intent.target, key) for key in KEYS))


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "share", "Share", "Share a file system as its sharenfs and sharesmb say.",
        frozenset({TargetKind.FILESYSTEM}), plan_share, needs=_needs,
        commands=(CommandForm(share, (DATASET,)),),
    ),
    ActionSpec(
        "unshare", "Unshare", "Stop sharing a file system until its next mount.",
        frozenset({TargetKind.FILESYSTEM}), plan_unshare, needs=_needs,
        commands=(CommandForm(unshare, (DATASET,)),),
    ),
)  # fmt: skip

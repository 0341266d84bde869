"""Clear the ZFS label of a disk that belonged to a pool."""

from __future__ import annotations

from functools import partial
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs
from zconsole.actions.checks.new_device_checks import labels_of, saw_disk
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import (
    label_in_words,
    labels_on,
    objections,
    unread_labels,
)
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, resolve
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.zfs.change.argv_template import DEVICE, CommandForm
from zconsole.zfs.change.topology_argv import labelclear

OF_LABELS: Final = frozenset({"zfs-label", "foreign-pool"})  # objections that this action resolves


def plan_labelclear(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive: the serial must be typed. Refused when anything else is on the disk."""
    draft = Draft(f"clear the ZFS label of {intent.target}", intent.target, Risk.DESTRUCTIVE)
    device = resolve(intent.target, facts.inventory)
    if isinstance(device, DeviceObjection):
        draft.saw(f"disk {intent.target}", device.rule)
        draft.refuse(device.rule, device.reason, device.instead)
        return draft
    saw_disk(device, facts, draft)
    _name(device, draft)
    for each in objections(device, facts):
        if each.rule not in OF_LABELS:
            draft.refuse(each.rule, each.reason, each.instead)
    labels = labels_on(device, facts)
    if not labels:
        _refuse_unread(device, facts, draft)
    for label in labels:
        _judge(label, facts, draft)
        is_destroyed = label.state == "destroyed"
        draft.steps.append(
            Step(
                labelclear(label.path, is_forced=not is_destroyed),
                f"wipe {label_in_words(label)} from {device.in_words}",
                settled_by=(Condition(ConditionKind.LABEL_GONE, label.path),),
            )
        )
        draft.loses.append(_lost_with(label, device))
    draft.undo = "cannot be undone: a pool that still needs this disk has lost it"
    return draft


def _lost_with(label: DiskLabel, device: JoiningDevice) -> str:
    """What can no longer be read without the label."""
    pool = label.pool or "a pool that the label does not name"
    if label.state in {"spare", "cache"}:
        return f"nothing but the role of {device.path} as a {label.state} device"
    if label.is_only_device:
        return f"all of {pool}, which may still be importable: {device.path} is its only device"
    if label.is_needed:
        return f"all of {pool}, which may still be importable: it cannot be imported without {device.path}"
    return (
        f"{device.path} as a device of {pool}; all of {pool}, if its other devices cannot make up for it "
        "(not checked)"
    )


def _name(device: JoiningDevice, draft: Draft) -> None:
    """The confirmation is the serial printed on the disk."""
    draft.title = f"clear the ZFS label of {device.in_words}"
    whole = device.whole
    if whole is not None and (whole.serial or whole.wwn):
        draft.target = whole.serial or whole.wwn
    elif device.is_file:
        draft.target = device.path
    else:
        draft.refuse("no-serial", f"{device.path} has no serial number that identifies it")
    draft.notes.append(f"{device.in_words}, {device.path}")


def _refuse_unread(device: JoiningDevice, facts: PlanFacts, draft: Draft) -> None:
    if facts.labels is None or facts.labels_barred.intersection(unread_labels(device, facts)):
        draft.refuse("label-unknown", f"the label of {device.path} could not be read", "read it as root")
    elif not unread_labels(device, facts):
        draft.refuse("no-label", f"{device.path} has no ZFS label", "as far as ZFS goes, it is free")


def _judge(label: DiskLabel, facts: PlanFacts, draft: Draft) -> None:
    """The label's pool, and whether it may still be in use."""
    named = label.pool or "a pool that the label does not name"
    draft.saw(f"label on {label.path}", f"{label.pool_guid} {label.vdev_guid} {label.state} {label.txg}")
    elsewhere = [host for host, guid in facts.elsewhere if guid == label.pool_guid]
    for host in elsewhere:
        draft.refuse("in-use-elsewhere", f"{named} is imported on {host} now", f"export it on {host} first")
    by = f" by {label.hostname}" if label.hostname else ""
    if label.state in {"exported", "destroyed"}:
        draft.warnings.append(f"{named} is {label.state}: without this disk it may never be imported again")
    else:
        draft.warnings.append(
            f"{named} was never exported{by}: make sure that no host uses it, and that nobody needs it"
        )
    home = next((pool for pool in facts.pools if pool.guid and pool.guid == label.pool_guid), None)
    if home is None and label.state not in {"destroyed", "spare", "cache"}:
        draft.wipes.append(label.pool)
    if home is not None and any(
        leaf.guid == label.vdev_guid for leaf in home.walk() if leaf.guid is not None
    ):
        draft.refuse(
            "still-a-member", f"{label.path} is a device of {home.name}, which expects it back",
            "bring it online, or replace or detach it in the pool first",
        )  # fmt: skip


def _labels(intent: Intent, facts: PlanFacts) -> Needs:
    return labels_of((intent.target,), facts)


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "labelclear", "Clear the label", "Wipe the ZFS label of a disk.",
        frozenset({TargetKind.DISK}), plan_labelclear,
        target_word="DISK",
        needs=lambda _: Needs(disk_uses=True, elsewhere=True), further=_labels,
        intent_for=lambda target: Intent("labelclear", target.name),
        commands=tuple(
            CommandForm(partial(labelclear, is_forced=is_forced), (DEVICE,)) for is_forced in (False, True)
        ),
    ),
)  # fmt: skip

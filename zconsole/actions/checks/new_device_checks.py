"""Checks of the devices that an action adds to a pool, and their identity in the basis of the plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.plan import WayOut
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import (
    label_in_words,
    label_of,
    label_paths,
    objections,
    twice,
    unread_labels,
)
from zconsole.analysis.vdevs.disk_identity_and_links import naming_habit, paths_of
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, resolve
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

JOIN_TIMEOUT_S: Final = 300.0  # ZFS partitions each disk and waits for udev


def join(word: str, facts: PlanFacts, draft: Draft, *, pool: Pool | None = None) -> JoiningDevice | None:
    """The device that a word means, named as those of `pool` are; objections become refusals."""
    habit = naming_habit(paths_of(pool)) if pool is not None else ""
    found = resolve(word, facts.inventory, habit)
    if isinstance(found, DeviceObjection):
        draft.saw(f"disk {word}", found.rule)
        draft.refuse_answer(WayOut.DISKS, found.rule, found.reason, found.instead)
        return None
    saw_disk(found, facts, draft)
    for each in objections(found, facts):
        draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
    if found.is_by_path:
        draft.warnings.append(
            f"{found.path} is the name of a slot, not of a disk: another disk in that slot gets it too"
        )
    return found


def join_all(words: Iterable[str], facts: PlanFacts, draft: Draft) -> dict[str, JoiningDevice]:
    """The devices of several words; none may be named twice."""
    words = tuple(words)
    found = {word: device for word in words if (device := join(word, facts, draft)) is not None}
    for each in twice([found[word] for word in words if word in found]):
        draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
    return found


def saw_disk(device: JoiningDevice, facts: PlanFacts, draft: Draft) -> None:
    """Add the identity and contents of a disk to the basis."""
    disk, whole = device.disk, device.whole
    if disk is None or whole is None:
        draft.saw(f"file {device.path}", "named")
        return
    sectors = f"{disk.logical_sector_bytes}/{disk.physical_sector_bytes}"
    draft.saw(
        f"disk {device.path}",
        f"wwn {whole.wwn or '-'} serial {whole.serial or '-'} {disk.size_bytes} B sectors {sectors}",
    )
    contents = [f"{part.name.removeprefix(whole.name)} {part.fstype}".strip() for part in disk.walk()]
    draft.saw(f"contents of {device.path}", ", ".join(filter(None, contents)) or "nothing")
    label = label_of(device, facts)
    unread = unread_labels(device, facts)
    none = "not read" if unread else "none"
    draft.saw(f"label of {device.path}", label_in_words(label) if label is not None else none)
    if facts.labels_barred.intersection(unread):
        draft.warnings.append(
            f"the ZFS label of {device.path}, if it has one, was not read: that takes root without a password"
        )


def labels_of(words: Iterable[str], facts: PlanFacts) -> Needs:
    """Needs the labels of the devices."""
    devices = (resolve(word, facts.inventory) for word in words)
    return Needs(labels=tuple(
        path for device in devices if isinstance(device, JoiningDevice) for path in label_paths(device)
    ))  # fmt: skip

"""Disks of a guest to be started that are a disk of another guest, or the backing file of one."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.dataset_or_device_of_path import zvol_and_partition
from zconsole.analysis.dependencies.uses_by_guests import GUEST, OFF_GUESTS
from zconsole.analysis.guests.disks_shared_by_guests import disks_shared_by_guests
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import Guest
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts


@dataclass(frozen=True, slots=True)
class _OwnDisk:
    """Image of a disk of the guest that is to be started."""

    target: str
    path: str
    is_written: bool
    is_shareable: bool = False
    is_below: bool = False  # of an image that is below its own


def check_disks_of_others(draft: Draft, guest: Guest, facts: PlanFacts) -> None:
    """Refuse writes to what is below another guest's disk; one that another has open is catastrophic."""
    if facts.uses is None:
        draft.warnings.append("whether another guest has its disks is not known")
        return
    _refuse_one_disk_twice(draft, guest)
    own = {_real(use): use for use in facts.uses if use.uuid and use.uuid == guest.definition.uuid}
    disks = {_real_of(each.path, own): each for each in _own_disks(guest, tuple(own.values()))}
    seen: list[str] = []
    for use in facts.uses:
        disk = disks.get(_real(use)) if use.path and use.kind in {GUEST, *OFF_GUESTS} else None
        if disk is None or (use.uuid and use.uuid == guest.definition.uuid):
            continue
        if not _is_of_disk(use, facts) or (disk.is_shareable and _is_shareable(use, facts)):
            continue
        seen.append(f"{use.kind} {use.name}: {use.path}")
        _check(draft, guest, disk, use, is_below=_is_below(use, facts))
    if seen:
        draft.saw(f"others with disks of {guest.name}", ", ".join(sorted(seen)))


def _refuse_one_disk_twice(draft: Draft, guest: Guest) -> None:
    for each in disks_shared_by_guests((guest,)):
        draft.refuse(
            "one-disk-twice", f"{visible(each.path)} is {each.target} and {each.second_target} of "
            f"{guest.name}: QEMU does not start a guest with one disk twice",
            f"virsh edit {guest.definition.uuid} takes one of them out",
        )  # fmt: skip


def _check(draft: Draft, guest: Guest, disk: _OwnDisk, use: OutsideUse, *, is_below: bool) -> None:
    what, path = f"{disk.target} of {guest.name}", visible(disk.path)
    if disk.is_written and is_below:
        draft.refuse(
            "backing-image", f"{what} is {path}, which is the backing file of a disk of {use.name}: what "
            f"{guest.name} writes damages that disk", f"give {guest.name} an overlay of its own on it "
            "(qemu-img create -f qcow2 -b FILE -F FORMAT), or forget the other guest",
        )  # fmt: skip
    elif disk.is_below and use.is_written and use.kind == GUEST:
        draft.refuse(
            "backing-image", f"the backing file of {what}, {path}, is a disk that {use.name} writes to: "
            f"{guest.name} would read what changes under it", f"shut {use.name} down first",
        )  # fmt: skip
    elif disk.is_written and use.kind == GUEST:
        draft.dependents.append(Dependent(use.kind, use.name, f"has {path} open, which is {what}"))
        draft.warnings.append(
            f"{use.name} has {path} open: two guests on one disk destroy its file system, unless it is one "
            "for clusters"
            if use.is_written
            else f"{use.name} reads {path}, which changes under it"
        )
    elif disk.is_written and use.is_written:
        draft.notes.append(f"{use.name}, which is off, has the same disk {path}: only one of them may run")


def _own_disks(guest: Guest, uses: tuple[OutsideUse, ...]) -> Iterator[_OwnDisk]:
    tops = {each.disk.path for each in guest.disks}
    others = {each.storage.path for each in guest.others}
    for each in guest.disks:
        if each.disk.path:
            yield _OwnDisk(each.disk.target, each.disk.path, each.is_written, each.disk.is_shareable)
    target = guest.disks[0].disk.target if len(guest.disks) == 1 else "a disk"
    for use in uses:
        if use.path not in tops and use.path not in others:
            yield _OwnDisk(target, use.path, is_written=False, is_below=True)


def _is_of_disk(use: OutsideUse, facts: PlanFacts) -> bool:
    """Whether it is an image of a disk, and not a shared folder or other storage."""
    guests = [each for each in facts.guests or () if each.definition.uuid == use.uuid]
    return not any(use.path == other.storage.path for each in guests for other in each.others)


def _is_shareable(use: OutsideUse, facts: PlanFacts) -> bool:
    """Whether the other guest has it as a disk that is meant for several, as those of a cluster are."""
    guests = [each for each in facts.guests or () if use.uuid and each.definition.uuid == use.uuid]
    return any(
        disk.disk.is_shareable and disk.disk.path == use.path for each in guests for disk in each.disks
    )


def _is_below(use: OutsideUse, facts: PlanFacts) -> bool:
    """Whether it is an image below the uppermost one of its disk."""
    guests = [each for each in facts.guests or () if use.uuid and each.definition.uuid == use.uuid]
    return bool(guests) and not any(use.path == disk.disk.path for each in guests for disk in each.disks)


def _real(use: OutsideUse) -> str:
    return zvol_and_partition(use.real or posixpath.normpath(use.path))[0]


def _real_of(path: str, own: dict[str, OutsideUse]) -> str:
    found = next((real for real, use in own.items() if use.path == path), posixpath.normpath(path))
    return zvol_and_partition(found)[0]

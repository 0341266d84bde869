"""Disks of guests on a dataset that is renamed: defined at their new paths, behind the rename.

What cannot be changed with the definition alone refuses the plan: a path written in an image, a saved memory,
a file that is no disk, a path that leads to the dataset by a link.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.checks.dataset_in_use_checks import OF_LIBVIRT
from zconsole.actions.checks.mount_points_after_change import Placement
from zconsole.actions.guest.move.storage_to_move import may_build_on_another, mentions_besides_disks
from zconsole.actions.guest.stored_definition_of_guest import refuse_unread, stored_definition_of
from zconsole.actions.plan import Condition, ConditionKind, Step
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object, device_of_volume
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import LIBVIRT, Guest, Image
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts
from zconsole.system.libvirt.disk_definition_text import DiskText, parse_disk_texts
from zconsole.system.libvirt.stored_definition import update_disk

KERNEL_NAME: Final = "/dev/zd"  # a volume keeps it when it is renamed
PARTITION: Final = "-part"


@dataclass(frozen=True, slots=True)
class PathChange:
    """Paths of a rename, before and after: devices of volumes, mount points of file systems.

    `fixed` are the mount points that stay.
    """

    renamed: frozenset[str]  # volumes, and file systems whose mount points change, by the name before
    devices: Mapping[str, str]
    folders: Mapping[str, str]
    fixed: frozenset[str] = frozenset()

    def of(self, path: str) -> str:
        """A path after the rename; the same if it stays."""
        for before, after in self.devices.items():
            rest = path.removeprefix(before)
            if path.startswith(before) and (not rest or rest.startswith(PARTITION)):
                return f"{after}{rest}"
        folder = path
        while folder not in {"", "/"}:
            if folder in self.folders:
                return f"{self.folders[folder]}{path.removeprefix(folder)}"
            if folder in self.fixed:
                return path
            folder = posixpath.dirname(folder)
        return path

    def is_on_it(self, use: OutsideUse) -> bool:
        """Whether a use by a guest is of a path that changes, or of what is renamed."""
        return dataset_of_object(use.object) in self.renamed or self.of(use.path) != use.path


def path_change(
    pairs: Sequence[tuple[str, str]], placements: Sequence[Placement], facts: PlanFacts
) -> PathChange:
    """Paths that change with these names."""
    types = {each.name: each.type for each in facts.datasets}
    devices = {
        device_of_volume(old): device_of_volume(new) for old, new in pairs if types.get(old) == "volume"
    }
    folders: dict[str, str] = {}
    for each in placements:
        found = facts.dataset(each.dataset)
        before = "" if found is None else (found.mountpoint or "")
        if before.startswith("/") and before != each.path:
            folders[before.rstrip("/")] = each.path.rstrip("/")
    fixed = {each.mountpoint for each in facts.datasets if (each.mountpoint or "").startswith("/")}
    moved = {each.dataset for each in placements}
    names = frozenset(old for old, _ in pairs if types.get(old) == "volume" or old in moved)
    return PathChange(names, devices, folders, frozenset(map(str, fixed - folders.keys())))


def needs_of_guests(change: PathChange, facts: PlanFacts) -> Needs:
    """Needs the stored definitions of the guests on it, and what their images build on."""
    guests = concerned(change, facts)
    images = {
        disk.disk.source: disk.disk.format
        for guest in guests
        for disk in guest.disks
        if disk.disk.source.startswith("/") and may_build_on_another(disk.disk)
    }
    addresses = tuple(guest.definition.address for guest in guests)
    return Needs(stored_guests=addresses, image_chains=tuple(images.items()))


def concerned(change: PathChange, facts: PlanFacts) -> list[Guest]:
    """The guests of libvirt with an image on it."""
    names = {use.name for use in facts.uses or () if use.kind in OF_LIBVIRT and change.is_on_it(use)}
    return [guest for guest in facts.guests or () if guest.name in names]


def has_guests(change: PathChange, facts: PlanFacts) -> bool:
    """Whether guests have to be read."""
    return any(use.kind in OF_LIBVIRT and change.is_on_it(use) for use in facts.uses or ())


def define_disks(draft: Draft, change: PathChange, facts: PlanFacts) -> list[Step]:
    """Steps behind the rename; refusals for what they cannot change. Running guests are refused elsewhere."""
    steps: list[Step] = []
    if facts.guests is None and has_guests(change, facts):
        why = facts.guests_problem or "the guests of this host were not read"
        draft.refuse("no-libvirt", why, "see that libvirtd runs, and that virsh reaches it")
    for guest in concerned(change, facts):
        if guest.status.state.is_active:
            continue
        stored = stored_definition_of(guest, facts)
        if stored is None or not stored.is_defined:
            refuse_unread(draft, guest, facts)
            continue
        try:
            steps += _of_guest(draft, guest, stored, change, facts)
        except (ParseError, ValueError) as error:
            why = error.reason if isinstance(error, ParseError) else str(error)
            draft.refuse("unread", f"the stored definition of {guest.name} cannot be read: {why}")
    return steps


def tell_way_back(draft: Draft, old: str, new: str) -> None:
    """The undo of a rename with definitions: the rename alone would leave these."""
    draft.undo = shlex.join(("zconsole", "plan", "rename", new, old))
    draft.notes.append("definitions are changed behind the rename; the rename back changes them back")


def _of_guest(
    draft: Draft, guest: Guest, stored: StoredDefinition, change: PathChange, facts: PlanFacts
) -> Iterator[Step]:
    name = guest.name
    disks = parse_disk_texts(stored.xml)
    going = [disk for disk in disks if disk.source and change.of(disk.source) != disk.source]
    if not stored.is_persistent:
        draft.refuse("transient", f"{name} is not defined: it is gone once it is shut off",
                     "virsh define stores it")  # fmt: skip
    if stored.has_saved_memory and going:
        draft.refuse("saved-memory", f"{name} has a saved memory, which names the disks where they are",
                     f"start {name} and shut it down; or virsh managedsave-remove")  # fmt: skip
    if stored.has_snapshots and going:
        draft.warnings.append(
            f"libvirt has snapshots of {name}, which name its disks where they are: none starts after this"
        )
    _refuse_links(draft, guest, disks, change, facts)
    _refuse_chains(draft, guest, change, dict(facts.image_chains))
    mentions = (
        path
        for before in (*change.devices, *change.folders)
        for path in mentions_besides_disks(stored.xml, before)
    )
    for path in dict.fromkeys(path for path in mentions if change.of(path) != path):
        draft.refuse(
            "other-file", f"the definition of {name} names {path}, which is no source of a disk, and would "
            "name the old place", f"virsh edit {guest.definition.uuid}: name {change.of(path)} there first",
        )  # fmt: skip
    for disk in going:
        yield _defined(draft, guest, disk, change.of(disk.source))


def _defined(draft: Draft, guest: Guest, disk: DiskText, path: str) -> Step:
    draft.saw(f"guest {guest.name}, source of {disk.target}", disk.source)
    draft.notes.append(f"{disk.target} of {guest.name}: {disk.source} becomes {path} in its definition")
    known = guest.definition
    return Step(
        update_disk(known.uuid, known.uri),
        f"define the disk {disk.target} of {guest.name} at {path}; the rest of its definition stays",
        stdin=disk.with_source(path) + "\n",
        settled_by=(Condition(ConditionKind.GUEST_DISK, known.address, key=disk.target, value=path),),
        permissions=((LIBVIRT, known.connection),),
    )


def _refuse_links(
    draft: Draft, guest: Guest, disks: Sequence[DiskText], change: PathChange, facts: PlanFacts
) -> None:
    """Images that are on it by a path that leads through a link, which would lead to the old place."""
    own = [use for use in facts.uses or () if use.name == guest.name and use.kind in OF_LIBVIRT]
    linked = {use.path: use.real for use in own if use.real and change.of(use.real) != use.real}
    for path, real in linked.items():
        draft.refuse(
            "path", f"{path} of {guest.name} is a symbolic link to {real}, or is behind one, which would "
            "lead to the old place", f"name {real} itself in the definition first",
        )  # fmt: skip
    for disk in disks:
        is_moved = change.of(disk.source) != disk.source
        if is_moved or disk.source in linked or disk.source.startswith(KERNEL_NAME):
            continue
        for use in own:
            if use.path == disk.source and dataset_of_object(use.object) in change.renamed:
                draft.refuse("path", f"{disk.target} of {guest.name} names {disk.source}, a link that leads "
                             f"to {use.object}", "name the disk itself in the definition first")  # fmt: skip


def _refuse_chains(
    draft: Draft, guest: Guest, change: PathChange, chains: Mapping[str, tuple[Image, ...] | None]
) -> None:
    """Images whose name of the image below would be wrong."""
    for disk in guest.disks:
        if not may_build_on_another(disk.disk) or not disk.disk.source.startswith("/"):
            continue
        chain = chains.get(disk.disk.source)
        if chain is None:
            draft.refuse("image-unread", f"qemu-img does not tell what {disk.disk.source} builds on",
                         "see that qemu-img is installed, and may read it")  # fmt: skip
            continue
        for above, below in pairwise(chain):
            if not _finds(above, below, change):
                draft.refuse(
                    "backing-file", f"{above.path} of {guest.name} builds on {below.path}, whose path is "
                    "written in it, and would be wrong",
                    "make it independent first: qemu-img convert, or virsh blockpull",
                )  # fmt: skip


def _finds(above: Image, below: Image, change: PathChange) -> bool:
    """Whether the path of the image below, as it is written, leads to it after the rename too."""
    if above.backing and not above.backing.startswith("/"):
        folder = posixpath.dirname(change.of(above.path))
        return posixpath.normpath(f"{folder}/{above.backing}") == change.of(below.path)
    return change.of(below.path) == below.path

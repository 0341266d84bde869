"""Drives by path or name, and whether they are in use."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.program_reply import Refusal
from zconsole.practice.world.drives import BY_ID, PracticeDisk
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pool_label import Label, label_of
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.zpool_vdevs.vdev_lookup import FOLDERS

BY_PATH: Final = "/dev/disk/by-path/"
_STATES: Final = {"ACTIVE": "potentially active", "EXPORTED": "exported"}


@dataclass(frozen=True, slots=True)
class NamedDrive:
    """A drive under the name by which it was asked for."""

    disk: PracticeDisk
    path: str  # as given, with its folder

    @property
    def partition(self) -> str:
        """The path of the partition that ZFS makes on it."""
        return f"{self.path}{'-part' if self.path.startswith('/dev/disk/') else self.disk.infix}1"

    @property
    def node(self) -> str:
        """The kernel's path of that partition."""
        return f"/dev/{self.disk.kname}{self.disk.infix}1"


def resolve(world: World, word: str) -> NamedDrive:
    """The drive of that name; raises Refusal in ZFS's words."""
    found = device_at(world, word)
    if found is not None:
        return found
    if word.startswith("/"):
        raise Refusal(f"cannot resolve path '{word}'\n")
    raise Refusal(
        f"cannot open '{word}': no such device in /dev\nmust be a full path or shorthand device name\n"
    )


def device_at(world: World, word: str) -> NamedDrive | None:
    """The drive at a path, or with that name in one of the folders where ZFS looks."""
    paths = [word] if word.startswith("/") else [folder + word for folder in FOLDERS]
    for path in paths:
        for disk in world.disks:
            if disk.is_present and path in _paths(disk):
                return NamedDrive(disk, path)
    return None


def _paths(disk: PracticeDisk) -> set[str]:
    by_path = {BY_PATH + disk.phys_path} if disk.phys_path else set()
    return {f"/dev/{disk.kname}", *(BY_ID + link for link in disk.links), *by_path}


def is_open(label: Label | None) -> bool:
    """Whether the kernel holds the device for a pool: as all but those that are offline or faulted."""
    if label is None or not label.is_imported or label.leaf is None:
        return False
    return label.leaf.state in {"ONLINE", "DEGRADED"}


class InUse:
    """The errors about devices in use, collected as `zpool` prints them."""

    def __init__(self, world: World, *, force: bool) -> None:
        self.world, self.force = world, force
        self.text = ""
        self._has_header = False

    def complain(self, line: str) -> None:
        """Add an error of the specification; the first has a header."""
        if not self._has_header:
            advice = (
                "the following errors must be manually repaired:"
                if self.force
                else "use '-f' to override the following errors:"
            )
            self.text += f"invalid vdev specification\n{advice}\n"
            self._has_header = True
        self.text += line + "\n"

    def check(self, device: NamedDrive, *, is_spare: bool, replacing_in: PracticePool | None = None) -> None:
        """Check one device: whether it is open, and its label and signatures."""
        label = label_of(self.world, device.disk)
        leaf = label.leaf if label is not None else None
        if replacing_in is not None and leaf is not None and _is_spare_of(replacing_in, leaf):
            return
        used = next((signature for signature in device.disk.signatures if signature.is_used), None)
        if (is_open(label) and not is_spare) or used is not None:
            kind = used.fstype if used is not None and used.number == 0 else "unknown"
            self.text += f"{device.path} is in use and contains a {kind} filesystem.\n"
            return
        if label is not None:
            self._labelled(device, label, is_spare=is_spare)
        for signature in device.disk.signatures:
            if not self.force:
                path = device.path if signature.number == 0 else _part(device, signature.number)
                self.complain(f"{path} contains a filesystem of type '{signature.fstype}'")
                return

    def _labelled(self, device: NamedDrive, label: Label, *, is_spare: bool) -> None:
        """Check a label as `zpool_in_use` does."""
        if label.pool is None or label.state == "DESTROYED":
            return
        if label.state == "SPARE":
            if not is_spare:
                self.complain(f"{device.node} is reserved as a hot spare for pool {label.pool_name}")
            return
        if label.is_imported:
            self.complain(f"{device.node} is part of active pool '{label.pool_name}'")
        elif not self.force and label.state in _STATES:
            self.complain(f"{device.node} is part of {_STATES[label.state]} pool '{label.pool_name}'")


def _part(device: NamedDrive, number: int) -> str:
    return f"/dev/{device.disk.kname}{device.disk.infix}{number}"


def _is_spare_of(pool: PracticePool, leaf: PracticeVdev) -> bool:
    """Whether it is a spare of that pool that waits for its turn."""
    return leaf in pool.spares and all(leaf.guid != other.guid for other in pool.root.leaves())


def take(world: World, device: NamedDrive, vdev_class: str) -> PracticeVdev:
    """A new leaf on that drive; nothing is written yet."""
    return PracticeVdev("disk", world.guid(), vdev_class=vdev_class, disk=device.disk, path=device.partition)


def leave(world: World, disk: PracticeDisk) -> None:
    """Remove a drive from the importable pools of which it has a label."""
    for pool in world.importable:
        for leaf in pool.leaves():
            if leaf.disk is disk:
                leaf.disk, leaf.state, leaf.aux = None, "UNAVAIL", None
    world.importable = [
        pool for pool in world.importable if any(leaf.disk is not None for leaf in pool.leaves())
    ]

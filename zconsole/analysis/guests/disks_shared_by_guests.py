"""Disks of guests that are a disk of another guest too, or an image below one."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zconsole.model.guests.guest import Guest, GuestStatus, StoredDisk, StoredImage


@dataclass(frozen=True, slots=True)
class DiskOfTwoGuests:
    """Disk that a guest writes to, and another guest that has it or builds on it."""

    guest: Guest
    target: str
    path: str
    other: Guest
    is_below: bool  # the image below a disk of the other, which each write damages

    @property
    def is_running(self) -> bool:
        """Whether it is written now, while the other has it open or builds on it."""
        other = self.is_below or self.other.status.state.is_active
        return self.guest.status.state.is_active and other


def disks_shared_by_guests(guests: Iterable[Guest]) -> Iterator[DiskOfTwoGuests]:
    """Each pair of guests of libvirt once, by the files and devices that the paths of their images lead to.

    Symbolic links are followed as far as they were read. Of two equal guests the first is told.
    """
    known = [each for each in guests if each.is_of_libvirt]
    uppermost: dict[str, list[tuple[Guest, StoredDisk]]] = {}
    for guest in known:
        for disk in guest.disks:
            if disk.is_written and disk.disk.path:
                uppermost.setdefault(_real_path_of_disk(disk), []).append((guest, disk))
    for owners in uppermost.values():
        for at, (guest, disk) in enumerate(owners):
            for other, _ in owners[at + 1 :]:
                if other.definition.address != guest.definition.address:
                    yield DiskOfTwoGuests(guest, disk.disk.target, _shown(disk), other, is_below=False)
    for other in known:
        below = {_real_path(image) for disk in other.disks for image in disk.images[1:]}
        for path in sorted(below & uppermost.keys()):
            for guest, disk in uppermost[path]:
                if other.definition.address != guest.definition.address:
                    yield DiskOfTwoGuests(guest, disk.disk.target, _shown(disk), other, is_below=True)


def on_one_disk(statuses: Iterable[GuestStatus]) -> frozenset[str]:
    """Guests that run with a file or device of another that runs, or build on it, where it was written.

    By the paths of libvirt's counters, which are read anyway: whether it may be so is for the definitions.
    A medium that nobody writes, such as that of an installer, is none. The first entry of a target is its
    uppermost image; those below it are not written.
    """
    users: defaultdict[str, set[str]] = defaultdict(set)
    written: set[str] = set()
    for each in statuses:
        targets: set[str] = set()
        for disk in each.disks if each.state.is_active else ():
            if disk.path:
                path = posixpath.normpath(disk.path)
                users[path].add(each.name)
                if disk.target not in targets and disk.writes != 0:
                    written.add(path)
            targets.add(disk.target)
    return frozenset(name for path in written if len(users[path]) > 1 for name in users[path])


def shared_disks_of(guest: Guest, guests: Iterable[Guest]) -> tuple[DiskOfTwoGuests, ...]:
    """The disks that a guest has together with others, from either side of the pair."""
    address = guest.definition.address
    return tuple(
        each
        for each in disks_shared_by_guests(guests)
        if address in {each.guest.definition.address, each.other.definition.address}
    )


def _real_path_of_disk(disk: StoredDisk) -> str:
    return _real_path(disk.images[0]) if disk.images else posixpath.normpath(disk.disk.path)


def _real_path(image: StoredImage) -> str:
    return image.real_path or posixpath.normpath(image.image.path)


def _shown(disk: StoredDisk) -> str:
    """The path as the definition of the guest has it."""
    return posixpath.normpath(disk.disk.path)

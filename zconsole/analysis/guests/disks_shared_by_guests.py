"""Disks of guests that are a disk of another guest too, or an image below one."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zconsole.model.guests.guest import Guest, StoredDisk


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
    """Each pair of guests of libvirt once, by the paths of their images; one of two equal ones by name."""
    known = [each for each in guests if each.is_of_libvirt]
    uppermost: dict[str, list[tuple[Guest, StoredDisk]]] = {}
    for guest in known:
        for disk in guest.disks:
            if disk.is_written and disk.disk.path:
                uppermost.setdefault(posixpath.normpath(disk.disk.path), []).append((guest, disk))
    for path, owners in uppermost.items():
        for at, (guest, disk) in enumerate(owners):
            for other, _ in owners[at + 1 :]:
                if other.definition.address != guest.definition.address:
                    yield DiskOfTwoGuests(guest, disk.disk.target, path, other, is_below=False)
    for other in known:
        below = {posixpath.normpath(image.image.path) for disk in other.disks for image in disk.images[1:]}
        for path in sorted(below & uppermost.keys()):
            for guest, disk in uppermost[path]:
                if other.definition.address != guest.definition.address:
                    yield DiskOfTwoGuests(guest, disk.disk.target, path, other, is_below=True)

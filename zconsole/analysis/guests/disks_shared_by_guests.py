"""Disks of guests that are a disk of another guest too, or an image below one."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import zvol_and_partition
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import Guest, GuestStatus, StoredDisk, StoredImage

_PARTITION: Final = re.compile(r"-part(\d{1,4})\Z")  # of udev's links


@dataclass(frozen=True, slots=True)
class DiskOfTwoGuests:
    """Disk that a guest writes to, and another guest that has it or builds on it; or itself a second time."""

    guest: Guest
    target: str
    path: str
    other: Guest
    is_below: bool  # the image below a disk of the other, which each write damages
    second_target: str = ""  # of the same guest, which has one disk twice

    @property
    def is_of_one_guest(self) -> bool:
        """Whether one guest has the disk twice."""
        return bool(self.second_target)

    @property
    def is_running(self) -> bool:
        """Whether it is written now, while the other has it open or builds on it."""
        other = self.is_below or self.other.status.state.is_active
        return self.guest.status.state.is_active and other


def disks_shared_by_guests(guests: Iterable[Guest]) -> Iterator[DiskOfTwoGuests]:
    """Each pair of guests of libvirt once for a disk, by what the paths of their images lead to.

    Symbolic links are followed as far as they were read; a volume is one disk by all its names, and holds its
    partitions. A disk that both have as `shareable` is meant for both. Of two equal guests the first is told.
    """
    known = [each for each in guests if each.is_of_libvirt]
    uppermost: dict[str, list[tuple[Guest, StoredDisk]]] = {}
    for guest in known:
        for disk in guest.disks:
            if disk.is_written and disk.disk.path:
                uppermost.setdefault(_whole(disk), []).append((guest, disk))
    for owners in uppermost.values():
        yield from _pairs(owners)
    for other in known:
        below = {_device(image)[0] for disk in other.disks for image in disk.images[1:]}
        for path in sorted(below & uppermost.keys()):
            for guest, disk in uppermost[path]:
                if other.definition.address != guest.definition.address:
                    yield DiskOfTwoGuests(guest, disk.disk.target, _shown(disk), other, is_below=True)


def _pairs(owners: list[tuple[Guest, StoredDisk]]) -> Iterator[DiskOfTwoGuests]:
    """The pairs of guests among those that write to one device or file, each once."""
    told: set[tuple[str, str]] = set()
    for at, (guest, disk) in enumerate(owners):
        for other, of_other in owners[at + 1 :]:
            pair = guest.definition.address, other.definition.address
            if pair in told or not _overlap(disk, of_other) or _is_meant(disk, of_other):
                continue
            told.add(pair)
            second = of_other.disk.target if pair[0] == pair[1] else ""
            yield DiskOfTwoGuests(
                guest, disk.disk.target, _shown(disk), other, is_below=False, second_target=second
            )


def _is_meant(disk: StoredDisk, other: StoredDisk) -> bool:
    """Whether the definitions of both say that the disk is shared, as those of a cluster do."""
    return disk.disk.is_shareable and other.disk.is_shareable


def paths_of_active(statuses: Iterable[GuestStatus]) -> tuple[str, ...]:
    """The paths of the images that guests have open, each once; none where fewer than two have any."""
    found = [
        {disk.path for disk in each.disks if disk.path.startswith("/")}
        for each in statuses
        if each.state.is_active
    ]
    having = [paths for paths in found if paths]
    return tuple(sorted(set().union(*having))) if len(having) > 1 else ()


def on_one_disk(statuses: Iterable[GuestStatus], real: Mapping[str, str] | None = None) -> frozenset[str]:
    """Guests that run with a file or device of another that runs, or build on it, where it was written.

    By the paths of libvirt's counters, which are read anyway, and where these lead, as far as it is known:
    whether it may be so is for the definitions.
    A medium that nobody writes, such as that of an installer, is none. The first entry of a target is its
    uppermost image; those below it are not written.
    """
    users: defaultdict[str, set[str]] = defaultdict(set)
    written: set[str] = set()
    for each in statuses:
        targets: set[str] = set()
        for disk in each.disks if each.state.is_active else ():
            if disk.path:
                path = (real or {}).get(disk.path) or posixpath.normpath(disk.path)
                path, _ = zvol_and_partition(path)
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


def _whole(disk: StoredDisk) -> str:
    """The file, or the whole device, of a disk."""
    return _device(disk.images[0])[0] if disk.images else posixpath.normpath(disk.disk.path)


def _overlap(disk: StoredDisk, other: StoredDisk) -> bool:
    """Whether two disks on one device share a part of it: two partitions share none."""
    parts = [_device(each.images[0])[1] if each.images else "" for each in (disk, other)]
    return parts[0] == parts[1] or not all(parts)


def _device(image: StoredImage) -> tuple[str, str]:
    """The file or whole device that an image is, and the number of its partition; empty for the whole.

    A volume is the same by its kernel name, by /dev/zvol and by udev's links.
    """
    path = image.real_path or posixpath.normpath(image.image.path)
    if not (image.is_volume and path.startswith("/dev/")):
        return path, ""
    by_link = _PARTITION.search(path)
    return f"volume {image.place}", zvol_and_partition(path)[1] if by_link is None else by_link[1]


def _shown(disk: StoredDisk) -> str:
    """The path as the definition of the guest has it."""
    return posixpath.normpath(disk.disk.path)

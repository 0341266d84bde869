"""Serial number that confirms a change of a device: typed as it is printed on the disk."""

from __future__ import annotations

from typing import Final

from zconsole.actions.checks.device_lookup_and_description import disk_of_vdev
from zconsole.analysis.vdevs.disk_identity_and_links import serial_in_name, wwn_in_name
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Vdev

LEAST_TYPED: Final = 4  # characters
APART: Final = 2  # characters in which the ends of two serial numbers differ, so that one misread names none
MISREAD: Final = str.maketrans("01528", "OISZB")  # what is taken for what, as letters; in upper case
SERIAL_TYPED: Final = 8  # characters: as many as somebody reads off a disk without a mistake


def printed_serial(leaf: Vdev, facts: PlanFacts) -> str:
    """The end of the serial number as it is printed on the disk; the vdev's name where none is known.

    A disk that is gone is known by the name or the devid that udev made of model and serial number, or of the
    WWN, which is printed on it as well. What another disk of the host reports too is never asked for.
    """
    found = (*_serials(leaf, facts), *map(wwn_in_name, (leaf.name, leaf.devid or "")))
    printed = next((each for each in found if each and not _is_shared(each, facts)), "")
    return _end_of(printed, facts) or leaf.name


def _end_of(serial: str, facts: PlanFacts) -> str:
    """The end of a serial number; all of it where another disk's ends alike."""
    end = serial[-SERIAL_TYPED:]
    disks = facts.inventory.disks if facts.inventory is not None else ()
    alike = any(disk.serial.endswith(end) for disk in disks if disk.serial != serial) if end else False
    return serial if alike else end


def shortest_end(leaf: Vdev, facts: PlanFacts) -> str:
    """The least end of the serial number that no other disk is taken for, even by a misread character.

    Empty where no such end is shorter than what is typed otherwise, or no serial number is known. Compared
    are all disks of the host, those of its pools, and those that were seen in them.
    """
    serial = next((each for each in _serials(leaf, facts) if each and not _is_shared(each, facts)), "")
    known = [disk.serial for disk in facts.inventory.disks] if facts.inventory is not None else []
    known += [serial_in_name(each.name) for _, each in facts.leaves()]
    known += [place.serial for place in facts.places]
    others = {each for each in known if each and each != serial}
    for length in range(LEAST_TYPED, min(SERIAL_TYPED, len(serial))):
        end = serial[-length:]
        if end.isalnum() and all(_apart(end, other[-length:]) >= APART for other in others):
            return end
    return ""


def _serials(leaf: Vdev, facts: PlanFacts) -> tuple[str, ...]:
    """The serial numbers known of a device: of its disk, of the last one seen there, and of its names."""
    disk = disk_of_vdev(leaf, facts)
    last = facts.place(leaf)
    seen = (disk.serial if disk is not None else "", last.serial if last is not None else "")
    return (*seen, *map(serial_in_name, (leaf.name, leaf.devid or "")))


def _apart(one: str, other: str) -> int:
    """In how many characters two ends differ, for somebody who takes 0 for O."""
    pairs = zip(_as_read(one), _as_read(other), strict=False)
    return abs(len(one) - len(other)) + sum(1 for a, b in pairs if a != b)


def _as_read(text: str) -> str:
    return text.upper().translate(MISREAD)


def _is_shared(serial: str, facts: PlanFacts) -> bool:
    disks = facts.inventory.disks if facts.inventory is not None else ()
    return any(disk.reported_serial == serial for disk in disks)


def serial_at(path: str | None, facts: PlanFacts) -> str:
    """The end of the serial number of the disk that a path leads to; "" where it is not known."""
    disk = facts.disk(path) if path else None
    whole = facts.inventory.disk_of(disk.name) if facts.inventory is not None and disk is not None else None
    return _end_of(whole.serial, facts) if whole is not None else ""

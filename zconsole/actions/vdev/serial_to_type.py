"""Serial number that confirms a change of a device: typed as it is printed on the disk."""

from __future__ import annotations

from typing import Final

from zconsole.actions.checks.device_lookup_and_description import disk_of_vdev
from zconsole.analysis.vdevs.disk_identity_and_links import serial_in_name, wwn_in_name
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Vdev

SERIAL_TYPED: Final = 8  # characters: as many as somebody reads off a disk without a mistake


def printed_serial(leaf: Vdev, facts: PlanFacts) -> str:
    """The end of the serial number as it is printed on the disk; the vdev's name where none is known.

    A disk that is gone is known by the name or the devid that udev made of model and serial number, or of the
    WWN, which is printed on it as well. What another disk of the host reports too is never asked for.
    """
    names = (leaf.name, leaf.devid or "")
    disk = disk_of_vdev(leaf, facts)
    last = facts.place(leaf)
    seen = (disk.serial if disk is not None else "", last.serial if last is not None else "")
    found = (*seen, *map(serial_in_name, names), *map(wwn_in_name, names))
    printed = next((each for each in found if each and not _is_shared(each, facts)), "")
    return _end_of(printed, facts) or leaf.name


def _end_of(serial: str, facts: PlanFacts) -> str:
    """The end of a serial number; all of it where another disk's ends alike."""
    end = serial[-SERIAL_TYPED:]
    disks = facts.inventory.disks if facts.inventory is not None else ()
    alike = any(disk.serial.endswith(end) for disk in disks if disk.serial != serial) if end else False
    return serial if alike else end


def _is_shared(serial: str, facts: PlanFacts) -> bool:
    disks = facts.inventory.disks if facts.inventory is not None else ()
    return any(disk.reported_serial == serial for disk in disks)


def serial_at(path: str | None, facts: PlanFacts) -> str:
    """The end of the serial number of the disk that a path leads to; "" where it is not known."""
    disk = facts.disk(path) if path else None
    whole = facts.inventory.disk_of(disk.name) if facts.inventory is not None and disk is not None else None
    return _end_of(whole.serial, facts) if whole is not None else ""

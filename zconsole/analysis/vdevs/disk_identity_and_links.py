"""Names of a disk: how it is described, what identifies it, and its most stable link."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.base.fixed_width_formatting import size
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.placeholder_serial_numbers import is_placeholder
from zconsole.model.pools.pool import Pool

FOLDER: Final = "/dev/disk/"
MAPPED_TYPES: Final = frozenset({"crypt", "mpath", "lvm"})
BY_NAME: Final = "name"  # of a disk without a serial number, known by its kernel name alone
_HABIT: Final = re.compile(r"(by-vdev/|by-id/(?:wwn-|ata-|usb-|scsi-.|nvme-eui\.|nvme-))")
_WWN_NAME: Final = re.compile(r"(?:wwn-0x|scsi-3)([0-9a-f]{16}(?:[0-9a-f]{16})?)(?:-part\d{1,3})?")
_SERIAL_LEAST: Final = 6  # characters of a serial number in a name
_NAMED_BY_SERIAL: Final = ("ata-", "sata-", "scsi-S", "nvme-", "usb-")
_OF_CONTENTS: Final = ("lvm-pv-uuid-",)  # links that depend on the device's contents
_STABLE: Final = (  # of /dev/disk, best first
    re.compile(r"by-vdev/"),
    re.compile(r"by-id/dm-uuid-"),
    re.compile(r"by-id/"),
    re.compile(r"by-partuuid/"),
    re.compile(r"by-path/"),
)


def describe(disk: Disk, whole: Disk | None = None) -> str:
    """`ST8000NM000A ZA1F0C44, 7.28 TiB`."""
    bearer = whole or disk
    named = " ".join(filter(None, (bearer.model, bearer.serial))) or "a disk without a serial number"
    part = f"partition {disk.name} of " if disk.type == "part" else ""
    return f"{part}{named}, {size(disk.size_bytes)}"


def disk_identity(disk: Disk) -> tuple[str, ...]:
    """Identifiers of a disk: equal ones mean two paths to one disk."""
    if disk.type in MAPPED_TYPES or not (disk.wwn or disk.serial):
        return (BY_NAME, disk.name)
    return ("wwn", disk.wwn) if disk.wwn else ("serial", disk.model, disk.serial)


def stable_link(disk: Disk, habit: str = "") -> str | None:
    """Name that survives reboots and slot changes; None if there is none.

    One that begins as `habit`, below /dev/disk, comes first.
    """
    below = [
        link.removeprefix(FOLDER)
        for link in disk.links
        if link.startswith(FOLDER) and not link.rpartition("/")[2].startswith(_OF_CONTENTS)
    ]
    if habit:
        below.sort(key=lambda link: not link.startswith(habit))
        if below and below[0].startswith(habit):
            return f"{FOLDER}{below[0]}"
    for pattern in _STABLE:
        for link in below:
            if pattern.match(link):
                return f"{FOLDER}{link}"
    return None


def serial_in_name(name: str) -> str:
    """The serial number at the end of a name below /dev/disk/by-id; empty where there is none."""
    if not name.startswith(_NAMED_BY_SERIAL) or name.startswith("nvme-eui."):
        return ""
    last = name.partition("-part")[0].rpartition("_")[2]
    is_serial = len(last) >= _SERIAL_LEAST and last.isascii() and last.isalnum()
    return last if is_serial and not is_placeholder(last) else ""


def wwn_in_name(name: str) -> str:
    """The digits of the WWN in a name below /dev/disk/by-id; empty where there is none."""
    found = _WWN_NAME.fullmatch(name)
    return found[1] if found else ""


def naming_habit(paths: Iterable[str]) -> str:
    """How most of a pool's devices are named below /dev/disk: `by-id/wwn-`, `by-vdev/`; "" for no habit."""
    kinds = Counter(
        found[1] if (found := _HABIT.match(path.removeprefix(FOLDER))) is not None else "" for path in paths
    )
    kind, count = max(kinds.items(), key=lambda each: each[1], default=("", 0))
    return kind if 2 * count > kinds.total() else ""


def paths_of(pool: Pool) -> Iterator[str]:
    """The paths of a pool's devices."""
    for vdev in pool.walk():
        if vdev.is_leaf and vdev.path is not None:
            yield vdev.path

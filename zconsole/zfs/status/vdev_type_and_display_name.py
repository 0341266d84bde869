"""Vdev names: type with parity, and the display name as in `zpool status` without flags."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_int import natural

CLASS_OF_HEADING: Final = {
    "vdevs": "data",
    "special": "special",
    "dedup": "dedup",
    "logs": "log",
    "cache": "cache",
    "l2cache": "cache",
    "spares": "spare",
    "spare": "spare",
}
UNKNOWN_TYPE: Final = "unknown"
_GROUP: Final = re.compile(
    r"(mirror|spare|replacing|indirect|missing|hole|raidz[123]?|draid[123]?)(?::\d+d:\d+c:\d+s)?-\d+"
)
_DISTRIBUTED_SPARE: Final = re.compile(r"draid[123]?-\d+-\d+")
_WITH_PARITY: Final = re.compile(r"(raidz|draid)[123]")
_FIRST_PARTITION: Final = re.compile(r"(.+)-part1|(.*\d)p1|((?:[hsv]d|xvd)[a-z]+)1")


def class_of(heading: str) -> str:
    """The class of the vdevs under a heading; unknown headings are kept."""
    return CLASS_OF_HEADING.get(heading, heading)


def guid_of(name: str) -> int | None:
    """The guid in a vdev name: of a missing device, or with `zpool status -g`."""
    return natural(name)


def type_of(name: str, path: str | None, *, is_leaf: bool) -> str:
    """The type of a vdev known only by its name (and, for a leaf, path)."""
    if path is None:
        if _DISTRIBUTED_SPARE.fullmatch(name):
            return "dspare"
        if found := _GROUP.fullmatch(name):
            return "raidz1" if found[1] == "raidz" else found[1]
        if not is_leaf or guid_of(name) is not None:
            return UNKNOWN_TYPE
        return "disk"
    return "disk" if path.startswith("/dev/") else "file"


def with_parity(vdev_type: str, name: str) -> str:
    """`raidz2` from type `raidz` and name `raidz2-0`: only the name has the parity."""
    found = _WITH_PARITY.match(name)
    return found[0] if found and found[1] == vdev_type else vdev_type


def short_name(path: str) -> str:
    """The display name of a device path in `zpool status`.

    ZFS omits the partition exactly for whole disks, which a path does not reveal. It puts its data on
    partition 1 of a whole disk, so partition 1 is omitted and others keep their number. `zpool list` prints
    the correct name; `pool_list.merge_list` corrects differences.
    """
    if not path.startswith("/dev/"):
        return path
    base = path.rpartition("/")[2]
    found = _FIRST_PARTITION.fullmatch(base)
    return next(filter(None, found.groups()), base) if found else base

"""What the name of a vdev tells: its type with parity, and what `zpool status` calls it without flags."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.digits import natural

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
    """The class of the vdevs under a heading; a class of a newer ZFS keeps its own word."""
    return CLASS_OF_HEADING.get(heading, heading)


def guid_of(name: str) -> int | None:
    """The guid, where a vdev is named by it: a device that is not there, or `zpool status -g`."""
    return natural(name)


def type_of(name: str, path: str | None, *, is_leaf: bool) -> str:
    """The type of a vdev that is known by its name (and a leaf's path) alone."""
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
    """`raidz2` of type `raidz` and name `raidz2-0`: ZFS keeps the parity in the name only."""
    found = _WITH_PARITY.match(name)
    return found[0] if found and found[1] == vdev_type else vdev_type


def short_name(path: str) -> str:
    """What `zpool status` calls the device of this path.

    It leaves out the partition exactly of whole disks, which a path cannot tell for certain. ZFS puts its
    data on the first partition of a whole disk, so the first partition is taken for one, and others keep
    their number. `zpool list` prints the name itself; `pool_list.merge_list` puts right what differs.
    """
    if not path.startswith("/dev/"):
        return path
    base = path.rpartition("/")[2]
    found = _FIRST_PARTITION.fullmatch(base)
    return next(filter(None, found.groups()), base) if found else base

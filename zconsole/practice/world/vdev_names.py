"""Names of vdevs in the output of `zpool`."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev

_PARTITION: Final = re.compile(r"(.+)-part\d+|(/dev/sd[a-z]+)\d+|(/dev/nvme\d+n\d+)p\d+")


def kind_name(vdev: PracticeVdev) -> str:
    """The kind of a vdev as ZFS names it: `mirror`, `raidz2`, `draid2:4d:10c:1s`."""
    if vdev.draid is not None:
        width = len(vdev.children)
        return f"draid{vdev.parity}:{vdev.draid.data}d:{width}c:{vdev.draid.spares}s"
    return f"raidz{vdev.parity}" if vdev.kind == "raidz" else vdev.kind


def whole_disk(path: str) -> str:
    """The path of the drive on which a partition lies."""
    match = _PARTITION.fullmatch(path)
    return next(filter(None, match.groups())) if match else path


@cache
def short_name(path: str) -> str:
    """The last part of a device's path; `/old` belongs to it, as ZFS has it of a drive replaced in place."""
    whole = whole_disk(path)
    folder, _, name = whole.rpartition("/")
    return f"{folder.rpartition('/')[2]}/old" if name == "old" and folder else name


@dataclass(frozen=True, slots=True)
class Naming:
    """The options -g, -L and -P."""

    guids: bool = False
    follow_links: bool = False
    full_paths: bool = False

    @classmethod
    def of(cls, options: Options) -> Naming:
        """What a command line asks for."""
        return cls("g" in options, "L" in options, "P" in options)

    def name(self, vdev: PracticeVdev, pool: PracticePool) -> str:
        """The name of a vdev."""
        if vdev.kind == "root":
            return pool.name
        if self.guids or vdev.is_not_present:
            return str(vdev.guid)
        if not vdev.is_leaf:
            return f"{kind_name(vdev)}-{vdev.vdev_id}"
        path = vdev.path
        if vdev.kind == "dspare":
            return path
        if self.follow_links and vdev.disk is not None and vdev.disk.is_present:
            return f"/dev/{vdev.disk.kname}{vdev.disk.infix}1" if self.full_paths else vdev.disk.kname
        return path if self.full_paths else short_name(path)


def widest(pool: PracticePool, naming: Naming) -> int:
    """The width of the widest name with its indentation; devices of every class are indented one step."""
    beside = (*pool.caches, *pool.spares)
    return max(_width(pool, naming, *each) for each in ((pool.root, 0), *((leaf, 2) for leaf in beside)))


def _width(pool: PracticePool, naming: Naming, vdev: PracticeVdev, depth: int) -> int:
    own = len(naming.name(vdev, pool)) + depth
    return max([own, *(_width(pool, naming, child, depth + 2) for child in vdev.children)])

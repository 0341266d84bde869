"""How ZFS names vdevs on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.hosts.practice.argv import Options
from zconsole.hosts.practice.tree import Pool, Vdev

CLASS_HEADINGS = (("dedup", "dedup"), ("special", "special"), ("log", "logs"))  # in ZFS's order


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

    def name(self, vdev: Vdev, pool: Pool) -> str:
        """The name of a vdev."""
        if vdev.kind == "root":
            return pool.name
        if self.guids or (vdev.is_leaf and vdev.state == "UNAVAIL" and vdev.aux == "OPEN_FAILED"):
            return str(vdev.guid)
        if not vdev.is_leaf:
            kind = f"raidz{vdev.parity}" if vdev.kind == "raidz" else vdev.kind
            return f"{kind}-{vdev.vdev_id}"
        path = vdev.path
        if self.follow_links and vdev.disk is not None and vdev.disk.is_present:
            path = f"/dev/{vdev.disk.kname}{vdev.disk.infix}1"
        if self.full_paths:
            return path
        name = path.rpartition("/")[2]
        if self.follow_links and vdev.disk is not None and vdev.disk.is_present:
            return vdev.disk.kname
        return name.removesuffix("-part1")


def widest(pool: Pool, naming: Naming) -> int:
    """The widest name with its indentation; devices of every class stand one step in."""

    def width(vdev: Vdev, depth: int) -> int:
        own = len(naming.name(vdev, pool)) + depth
        return max([own, *(width(child, depth + 2) for child in vdev.children)])

    return max([width(pool.root, 0), *(width(leaf, 2) for leaf in (*pool.caches, *pool.spares))])

"""The tree that `-n` prints instead of changing anything."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming, kind_name
from zconsole.practice.world.vdev_topology import Spec

_HEADINGS = (("dedup", "dedup"), ("special", "special"), ("log", "logs"))


class DryRunTree:
    """Writes trees; groups of an existing pool carry their numbers, new ones do not."""

    def __init__(self, naming: Naming, pool: PracticePool | None = None) -> None:
        self.naming, self.pool = naming, pool

    def name(self, vdev: PracticeVdev, *, numbered: bool) -> str:
        """How a vdev is called here."""
        if vdev.is_leaf:
            return self.naming.name(vdev, self.pool or _NOWHERE)
        if self.naming.guids:
            return str(vdev.guid)
        return f"{kind_name(vdev)}-{vdev.vdev_id}" if numbered else kind_name(vdev)

    def tops(self, vdevs: Iterable[PracticeVdev], *, numbered: bool) -> str:
        """Some top-level vdevs with all beneath them."""
        return "".join(self._tree(vdev, 2, numbered=numbered) for vdev in vdevs)

    def _tree(self, vdev: PracticeVdev, depth: int, *, numbered: bool) -> str:
        line = f"\t{'':{depth}}{self.name(vdev, numbered=numbered)}\n"
        return line + "".join(self._tree(child, depth + 2, numbered=numbered) for child in vdev.children)


_NOWHERE = PracticePool("", PracticeVdev("root", 0), 0)


def _of(tops: Iterable[PracticeVdev], vdev_class: str) -> list[PracticeVdev]:
    return [top for top in tops if top.vdev_class == vdev_class]


def would_create(name: str, spec: Spec, naming: Naming) -> str:
    """What `zpool create -n` and `zpool split -n` print."""
    layout = DryRunTree(naming)
    text = f"would create '{name}' with the following layout:\n\n\t{name}\n"
    text += layout.tops(_of(spec.tops, "normal"), numbered=False)
    for vdev_class, heading in _HEADINGS:
        members = _of(spec.tops, vdev_class)
        text += f"\t{heading}\n{layout.tops(members, numbered=False)}" if members else ""
    for leaves, heading in ((spec.caches, "cache"), (spec.spares, "spares")):
        text += f"\t{heading}\n{layout.tops(leaves, numbered=False)}" if leaves else ""
    return text


def would_update(pool: PracticePool, spec: Spec, naming: Naming) -> str:
    """What `zpool add -n` prints."""
    layout = DryRunTree(naming, pool)
    text = f"would update '{pool.name}' to the following configuration:\n\n\t{pool.name}\n"
    text += layout.tops(pool.tops("normal"), numbered=True)
    text += layout.tops(_of(spec.tops, "normal"), numbered=False)
    for vdev_class, heading in _HEADINGS:
        members = [*pool.tops(vdev_class), *_of(spec.tops, vdev_class)]
        text += f"\t{heading}\n{layout.tops(members, numbered=False)}" if members else ""
    for leaves, heading in ((pool.caches + spec.caches, "cache"), (pool.spares + spec.spares, "spares")):
        text += f"\t{heading}\n{layout.tops(leaves, numbered=False)}" if leaves else ""
    return text

"""The vdev tree that `zpool create`, `add` and `split` print with `-n` instead of changing anything."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.practice.world.new_pools_and_vdevs import Spec
from zconsole.practice.world.pools_and_vdevs import CLASS_HEADINGS, PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import Naming, kind_name

_NO_POOL = PracticePool("", PracticeVdev("root", 0), 0)


def would_create(name: str, spec: Spec, naming: Naming) -> str:
    """The output of `zpool create -n` and `zpool split -n`."""
    head = f"would create '{name}' with the following layout:\n\n\t{name}\n"
    return head + _layout(_NO_POOL, spec, naming)


def would_update(pool: PracticePool, spec: Spec, naming: Naming) -> str:
    """The output of `zpool add -n`."""
    head = f"would update '{pool.name}' to the following configuration:\n\n\t{pool.name}\n"
    return head + _layout(pool, spec, naming)


def _layout(pool: PracticePool, spec: Spec, naming: Naming) -> str:
    """The vdevs of a pool and the new ones; only present groups of the normal class show their numbers."""

    def tree(vdev: PracticeVdev, depth: int = 2, *, numbered: bool = False) -> str:
        name = kind_name(vdev)
        if vdev.is_leaf or naming.guids or numbered:
            name = naming.name(vdev, pool)
        beneath = (tree(child, depth + 2, numbered=numbered) for child in vdev.children)
        return f"\t{'':{depth}}{name}\n" + "".join(beneath)

    def new(vdev_class: str) -> list[PracticeVdev]:
        return [top for top in spec.tops if top.vdev_class == vdev_class]

    def section(heading: str, vdevs: Iterable[PracticeVdev]) -> str:
        text = "".join(map(tree, vdevs))
        return f"\t{heading}\n{text}" if text else ""

    text = "".join(tree(top, numbered=True) for top in pool.tops("normal")) + "".join(
        map(tree, new("normal"))
    )
    for vdev_class, heading in CLASS_HEADINGS:
        text += section(heading, [*pool.tops(vdev_class), *new(vdev_class)])
    text += section("cache", pool.caches + spec.caches)
    return text + section("spares", pool.spares + spec.spares)

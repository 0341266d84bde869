"""Order of top-level vdevs by class, as in `zpool status`; and the bound on the depth of their tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.model.pools.pool import CLASSES, Vdev

DEEPEST: Final = 16  # levels of vdevs; ZFS makes five: root, top, spare, replacing, leaf


def in_class_order(vdevs: Sequence[Vdev]) -> tuple[Vdev, ...]:
    """The vdevs grouped by class, unknown classes last."""
    return tuple(sorted(vdevs, key=lambda vdev: _rank(vdev.vdev_class)))


def _rank(vdev_class: str) -> int:
    return CLASSES.index(vdev_class) if vdev_class in CLASSES else len(CLASSES)

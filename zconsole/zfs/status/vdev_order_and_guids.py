"""Common parts of all `zpool status` formats: vdev order, activities, guids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.model.pools.pool import CLASSES, Pool, PoolActivity, Scan, Vdev

TOOL: Final = "zpool status"
DEEPEST: Final = 16  # levels of vdevs; ZFS makes five: root, top, spare, replacing, leaf
_NOT_OVER: Final = ("active", "suspended")


def in_class_order(vdevs: Sequence[Vdev]) -> tuple[Vdev, ...]:
    """The vdevs grouped by class, unknown classes last."""
    return tuple(sorted(vdevs, key=lambda vdev: _rank(vdev.vdev_class)))


def leaf_activities(vdevs: Sequence[Vdev]) -> Iterator[PoolActivity]:
    """Running or suspended initialize and trim of all devices."""
    for top in vdevs:
        for vdev in top.leaves():
            for progress in vdev.activities:
                if progress.state in _NOT_OVER:
                    at = progress.at
                    yield PoolActivity(progress.kind, vdev.name, progress.state, progress.percent, at)


def newest(scans: Iterable[Scan | None]) -> Scan | None:
    """The running scan, or else the last one that ended."""
    known = [scan for scan in scans if scan is not None]
    under_way = [scan for scan in known if scan.end is None and scan.state in ("scanning", "paused")]
    return max(under_way or known, key=lambda scan: scan.end or 0, default=None)


def merge_guids(pool: Pool, with_guids: Pool) -> Pool:
    """The pool with guids and slots of another answer, by position; unchanged if the trees differ."""
    if [_shape(vdev) for vdev in pool.vdevs] != [_shape(vdev) for vdev in with_guids.vdevs]:
        return pool
    pairs = zip(pool.vdevs, with_guids.vdevs, strict=True)
    return replace(pool, vdevs=tuple(_with_guid(vdev, other) for vdev, other in pairs))


def _rank(vdev_class: str) -> int:
    return CLASSES.index(vdev_class) if vdev_class in CLASSES else len(CLASSES)


_Shape = tuple[str, tuple["_Shape", ...]]


def _shape(vdev: Vdev) -> _Shape:
    return vdev.vdev_class, tuple(_shape(child) for child in vdev.children)


def _with_guid(vdev: Vdev, other: Vdev) -> Vdev:
    children = zip(vdev.children, other.children, strict=True)
    return replace(
        vdev,
        guid=vdev.guid if other.guid is None else other.guid,
        phys_path=vdev.phys_path or other.phys_path,
        devid=vdev.devid or other.devid,
        configured_ashift=vdev.configured_ashift or other.configured_ashift,
        children=tuple(_with_guid(child, twin) for child, twin in children),
    )

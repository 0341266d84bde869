"""Merge of the guids of one `zpool status` into the tree of another."""

from __future__ import annotations

from dataclasses import replace

from zconsole.model.pools.pool import Pool, Vdev


def merge_guids(pool: Pool, with_guids: Pool) -> Pool:
    """The pool with guids and slots of another answer, by position; unchanged if the trees differ."""
    if [_shape(vdev) for vdev in pool.vdevs] != [_shape(vdev) for vdev in with_guids.vdevs]:
        return pool
    pairs = zip(pool.vdevs, with_guids.vdevs, strict=True)
    return replace(pool, vdevs=tuple(_with_guid(vdev, other) for vdev, other in pairs))


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
        enclosure_path=vdev.enclosure_path or other.enclosure_path,
        configured_ashift=vdev.configured_ashift or other.configured_ashift,
        children=tuple(_with_guid(child, twin) for child, twin in children),
    )

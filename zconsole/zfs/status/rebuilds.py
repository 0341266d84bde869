"""Which devices a sequential resilver writes to: ZFS's JSON names only their top-level vdev.

Text says it of each (`vs_rebuild_processed`, print_status_config in zpool_main.c). Until that is asked,
every device that may be among them counts as one: ZFS appends a new device to the mirror, or to the
`replacing` or `spare` that it makes for it, and several may be attached while one is rebuilt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev

_ONLINE: Final = "ONLINE"
_MAKESHIFTS: Final = ("replacing", "spare")  # made while one device takes over from another


def with_suspects(vdev: Vdev) -> Vdev:
    """The vdev, with every working device marked that a sequential resilver of it may be for."""
    if not vdev.children:
        return vdev if vdev.state in DEAD_STATES else replace(vdev, is_resilvering=True)
    takes_new = vdev.type == "mirror" or vdev.type in _MAKESHIFTS
    children = (
        with_suspects(child) if child.children or (at and takes_new) else child
        for at, child in enumerate(vdev.children)
    )
    return replace(vdev, children=tuple(children))


def is_in_doubt(pool: Pool) -> bool:
    """Whether devices are marked of which only text can tell if a sequential resilver is for them."""
    scan = pool.scan
    if scan is None or not scan.is_running or scan.vdev is None:
        return False
    return sum(vdev.is_resilvering for vdev in pool.walk()) > 1


def with_marks(pool: Pool, told: Pool) -> Pool:
    """The pool with the marks of its text, by position; unchanged if the trees are not the same.

    A top-level vdev of which text marks no device keeps its own: nothing was written to any yet. So does
    one that has just begun anew for one more device: the marks of text are of before, for a moment.
    """
    if _shape(pool) != _shape(told):
        return pool
    scan = told.scan
    begins = scan.vdev if scan is not None and not scan.repaired_bytes else None
    pairs = zip(pool.vdevs, told.vdevs, strict=True)
    vdevs = (_as_told(top, twin) if _is_marked(twin) and twin.name != begins else top for top, twin in pairs)
    return replace(pool, vdevs=tuple(vdevs))


def _as_told(vdev: Vdev, twin: Vdev) -> Vdev:
    """Text marks no device that is not ONLINE, so that of another nothing is learnt from it."""
    if not vdev.children:
        return replace(vdev, is_resilvering=twin.is_resilvering) if vdev.state == _ONLINE else vdev
    pairs = zip(vdev.children, twin.children, strict=True)
    return replace(vdev, children=tuple(_as_told(child, other) for child, other in pairs))


def _is_marked(vdev: Vdev) -> bool:
    return any(each.is_resilvering for each in vdev.walk())


def _shape(pool: Pool) -> tuple[tuple[str, str | None, int], ...]:
    return tuple((vdev.vdev_class, vdev.path, len(vdev.children)) for vdev in pool.walk())

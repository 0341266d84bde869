"""Target devices of a sequential resilver: ZFS's JSON names only their top-level vdev.

The text output marks each device (`vs_rebuild_processed`, print_status_config in zpool_main.c). Until it is
read, every possible device counts as one: ZFS appends a new device to the mirror, or to a temporary
`replacing` or `spare` vdev, and several may be attached during one rebuild.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev

_ONLINE: Final = "ONLINE"
_MAKESHIFTS: Final = ("replacing", "spare")  # temporary vdevs while one device replaces another


def with_suspects(vdev: Vdev) -> Vdev:
    """The vdev with every healthy device marked that its sequential resilver may write to."""
    if not vdev.children:
        return vdev if vdev.state in DEAD_STATES else replace(vdev, is_resilvering=True)
    takes_new = vdev.type == "mirror" or vdev.type in _MAKESHIFTS
    children = (
        with_suspects(child) if child.children or (at and takes_new) else child
        for at, child in enumerate(vdev.children)
    )
    return replace(vdev, children=tuple(children))


def is_in_doubt(pool: Pool) -> bool:
    """Whether devices are marked that only the text output can confirm as targets."""
    scan = pool.scan
    if scan is None or not scan.is_running or scan.vdev is None:
        return False
    return sum(vdev.is_resilvering for vdev in pool.walk()) > 1


def with_marks(pool: Pool, told: Pool) -> Pool:
    """The pool with the marks of its text output, by position; unchanged if the trees differ.

    A top-level vdev without any mark in the text keeps its own: nothing was written yet. So does one whose
    rebuild was just restarted for one more device, because the text is briefly out of date.
    """
    if _shape(pool) != _shape(told):
        return pool
    scan = told.scan
    begins = scan.vdev if scan is not None and not scan.repaired_bytes else None
    pairs = zip(pool.vdevs, told.vdevs, strict=True)
    vdevs = (_as_told(top, twin) if _is_marked(twin) and twin.name != begins else top for top, twin in pairs)
    return replace(pool, vdevs=tuple(vdevs))


def _as_told(vdev: Vdev, twin: Vdev) -> Vdev:
    """The text marks only ONLINE devices; for others it shows nothing."""
    if not vdev.children:
        return replace(vdev, is_resilvering=twin.is_resilvering) if vdev.state == _ONLINE else vdev
    pairs = zip(vdev.children, twin.children, strict=True)
    return replace(vdev, children=tuple(_as_told(child, other) for child, other in pairs))


def _is_marked(vdev: Vdev) -> bool:
    return any(each.is_resilvering for each in vdev.walk())


def _shape(pool: Pool) -> tuple[tuple[str, str | None, int], ...]:
    return tuple((vdev.vdev_class, vdev.path, len(vdev.children)) for vdev in pool.walk())

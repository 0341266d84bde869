"""Whether a pool can do without a device."""

from __future__ import annotations

from zconsole.practice.world.pools_and_vdevs import REDUNDANT, PracticePool, PracticeVdev


def has_outage(vdev: PracticeVdev, without: PracticeVdev | None = None) -> bool:
    """Whether some data of a vdev could not be read, if `without` was not there."""
    if vdev is without:
        return True
    if vdev.is_leaf:
        return not vdev.is_current
    lost = sum(has_outage(child, without) for child in vdev.children)
    return lost == len(vdev.children) if vdev.kind in REDUNDANT else lost > vdev.parity


def is_required(pool: PracticePool, leaf: PracticeVdev) -> bool:
    """Whether a device holds the only copy of some data: what ZFS does not let go."""
    top = top_of(pool, leaf)
    if top is None:
        return False
    return top is leaf or has_outage(top, leaf)


def top_of(pool: PracticePool, vdev: PracticeVdev) -> PracticeVdev | None:
    """The top-level vdev that a vdev is or belongs to; None for caches and idle spares."""
    return next((top for top in pool.root.children if any(vdev is each for each in top.walk())), None)

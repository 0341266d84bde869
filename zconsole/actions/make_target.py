"""Targets of actions from objects on the screens."""

from __future__ import annotations

from zconsole.actions.intent import Target, TargetKind
from zconsole.model.pools.pool import Pool, Vdev


def target_of_pool(pool: str) -> Target:
    """The pool itself."""
    return Target(TargetKind.POOL, pool, pool)


def target_of_vdev(pool: Pool, vdev: Vdev) -> Target:
    """A vdev of a pool."""
    return Target(TargetKind.LEAF if vdev.is_leaf else TargetKind.VDEV, pool.name, vdev.name, vdev.guid)

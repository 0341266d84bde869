"""Checks before a change of a pool: it is imported, writable, without a checkpoint, and the user is root."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.program_reply import Refusal
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool

DENIED = "permission denied"
READONLY = "pool is read-only"
REFUSED_BY_LIBZFS = 255  # the exit status where the command hands on libzfs's -1


def cannot(action: str, why: str, status: int = 1) -> Refusal:
    """A refusal in the form of libzfs: action and reason."""
    return Refusal(f"{action}: {why}\n", status)


def open_pool(world: World, name: str, status: int = 1) -> PracticePool:
    """An imported pool."""
    pool = world.pools.get(name)
    if pool is None:
        raise cannot(f"cannot open '{name}'", "no such pool", status)
    return pool


def open_pools(world: World, names: Sequence[str]) -> list[PracticePool]:
    """The pools of these names, or every imported pool."""
    return [open_pool(world, name) for name in names] or list(world.pools.values())


def allow(world: World, pool: PracticePool | None, action: str, status: int = 1) -> None:
    """Refuse a user who is not root, and a pool that was imported read-only."""
    if world.user_id != 0:
        raise cannot(action, DENIED, status)
    if pool is not None and pool.is_readonly:
        raise cannot(action, READONLY, status)


def no_checkpoint(pool: PracticePool, action: str, status: int = 1) -> None:
    """Refuse a change that a checkpoint forbids."""
    if pool.checkpoint is not None:
        raise cannot(action, "checkpoint exists", status)
    if pool.discarding is not None:
        raise cannot(action, "currently discarding checkpoint", status)

"""Pool history and events: what a change of a pool writes into them."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev


def next_txg(pool: PracticePool) -> int:
    """Open the next transaction group; returns its number."""
    pool.txg += 1.0
    pool.config_txg = int(pool.txg)
    return pool.config_txg


def note(world: World, pool: PracticePool, command: str, args: Sequence[str]) -> None:
    """Write the command line into the pool's history."""
    world.note(pool, " ".join(("zpool", command, *args)))


def internal(world: World, pool: PracticePool, name: str, text: str) -> None:
    """Write an internal record into the pool's history."""
    world.history_event(pool, name, text, txg=next_txg(pool))


def event(world: World, pool: PracticePool, name: str, vdev: PracticeVdev | None = None) -> None:
    """Report an event about a pool, or about one of its devices."""
    if vdev is not None:
        world.vdev_event(pool, name, vdev)
    else:
        world.report(pool, f"sysevent.fs.zfs.{name}")

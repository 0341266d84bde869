"""A practice host under load, watched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from tests.doubles.watched_host import Watched, watching
from zconsole.base.clock import ManualClock
from zconsole.model.host.host_state import PoolState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import Load

LAYOUT: Final = "raidz2 0 1 2 3 4 5"
EPOCH: Final = 1_800_000_000
WITHIN_S: Final = 30


@asynccontextmanager
async def busy() -> AsyncIterator[Watched[PracticeHost]]:
    """A practice host with load, watched."""
    clock = ManualClock(EPOCH)
    host = PracticeHost(clock=clock, world=create_world(LAYOUT))
    (pool,) = host.world.pools.values()
    pool.load = Load(300, 16384, 120, 65536, sync_writes=40)
    async with watching(host, clock) as watched:
        await watched.pass_time(10)
        yield watched


async def seconds_until(watched: Watched[PracticeHost], holds: Callable[[PoolState], object]) -> int:
    """How long it takes until a pool is so."""
    for second in range(10 * WITHIN_S):
        if watched.state.pools and holds(watched.state.pools[0]):
            return second
        await watched.pass_time(1)
    raise AssertionError("it never happened")

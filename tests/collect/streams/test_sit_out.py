"""What autosit does is asked while a disk of a raidz is slow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tests.doubles.watched_host import Watched, watching
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import known_of, zfs_view
from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command, Completed
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.slow_disk import SitOuts
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import Load

LAYOUT = "raidz2 0 1 2 3 4 5"
EPOCH = 1_800_000_000
WITHIN_S = 30


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


async def test_what_autosit_does_is_asked_while_a_disk_of_a_raidz_is_slow() -> None:
    async with busy() as watched:
        asked: list[str] = []
        run = watched.host.run

        async def noting(command: Command) -> Completed:
            asked.extend([" ".join(command.argv)] if "sit_out" in " ".join(command.argv) else [])
            return await run(command)

        watched.host.run = noting  # type: ignore[method-assign]
        (top,) = watched.host.pool("tank").root.children
        leaf = next(top.leaves())
        assert leaf.disk is not None
        await watched.pass_time(20)
        before = list(asked)

        watched.host.set_slow(leaf.disk.link, 8.0)
        top.properties["autosit"], leaf.properties["sit_out"], leaf.slow_ios = "on", "on", 2
        watched.host.world.report(watched.host.pool("tank"), "ereport.fs.zfs.delay", ("vdev_guid", leaf.guid))
        await seconds_until(watched, lambda pool: pool.slow)
        await watched.pass_time(10)
        pool = watched.state.pools[0]
        await watched.pass_time(30)

        assert [] == before
        assert [f"zpool get -Hp -o name,property,value autosit,sit_out tank {top.guid} {leaf.guid}"] == asked
        assert SitOuts(((top.guid, True),), ((leaf.guid, True),)) == pool.sit_outs.value
        assert [leaf.guid] == [guid for guid, _ in pool.slow_io_rises]
        view = zfs_view(pool.slow[0], pool.pool.value, known_of(watched.state, pool))
        assert view.agrees
        assert (True, True, 2) == (view.autosit, view.sits_out, view.slow_ios)

"""What autosit does is asked while a disk of a raidz is slow."""

from __future__ import annotations

from tests.doubles.busy_practice_host import busy, seconds_until
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import known_of, zfs_view
from zconsole.hosts.host import Command, Completed
from zconsole.model.pools.slow_disk import SitOuts

LAYOUT = "raidz2 0 1 2 3 4 5"
EPOCH = 1_800_000_000
WITHIN_S = 30


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

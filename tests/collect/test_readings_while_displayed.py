"""What is asked only while somebody looks: begun when wanted, ended when not, honest when it fails."""

from __future__ import annotations

from tests.collect.demanded import STATE, R, W, asked, histogram, host_with_streams, tank
from tests.doubles.scripted_host import HANG
from tests.doubles.watched_host import watching
from zconsole.model.host.host_state import LinkState


async def test_nothing_is_asked_that_nobody_wants() -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        await watched.pass_time(20)

        assert [] == [line for line in watched.host.commands if line.startswith((W, R, "grep"))]


async def test_another_pool_takes_the_place_of_the_one_before() -> None:
    """There are never two streams of a kind."""
    host = host_with_streams()
    host.answers["ls -1p /proc/spl/kstat/zfs"] = b"bulk/\ntank/\n"
    host.files[STATE.format("bulk")] = b"ONLINE\n"
    host.answers["zpool status -j --json-int -vsitP bulk"] = HANG
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")
        host.streams[W].feed(histogram(1) + histogram(2))
        await watched.until(lambda s: tank(s).latencies.value)

        watched.session.demand.want_latency("bulk")
        await watched.until(lambda s: tank(s).latencies.value is None)
        await watched.pass_time(1)
        host.streams[W].feed(histogram(3, "bulk") + histogram(4, "bulk"))
        state = await watched.until(lambda s: s.pools[0].latencies.value)

        assert "bulk" == state.pools[0].name
        assert ["tank", "bulk"] == [line.split()[5] for line in asked(host, W)]
        assert 2 == host.streams[W].starts


async def test_after_a_lost_link_what_is_wanted_is_asked_for_again() -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")
        watched.host.streams[W].feed(histogram(1) + histogram(2))
        await watched.until(lambda s: tank(s).latencies.value)

        watched.host.cut()
        await watched.until(lambda s: s.link.state is LinkState.DOWN)
        await watched.pass_time(60)
        await watched.until(lambda s: s.link.state is LinkState.UP)
        await watched.pass_time(1)

        assert 2 == len(asked(watched.host, W))
        assert watched.host.streams[W].is_open

"""Histograms are read while they are wanted."""

from __future__ import annotations

from tests.collect.demanded import STATE, R, W, asked, histogram, host_with_streams, tank
from tests.doubles.scripted_host import HANG, ScriptedStream, failed
from tests.doubles.watched_host import watching
from zconsole.collect.host_session import KSTAT_EVERY_S
from zconsole.collect.streams.latency_or_request_size_histograms import KEPT_S
from zconsole.zfs.iostat.histogram_stream import INTERVAL_S


async def test_histograms_come_while_they_are_wanted_and_their_stream_ends_with_that() -> None:
    """The last seconds are kept; afterwards nothing is, so that nobody takes the old for the new."""
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        stream = watched.host.streams[W]

        watched.session.demand.want_latency("tank")
        for at in range(1, 31):
            stream.feed(histogram(at))
        state = await watched.until(
            lambda s: tank(s).latencies.value and tank(s).latencies.value[-1].at == 30
        )
        open_while_wanted = stream.is_open
        watched.session.demand.want_latency(None)
        ended = await watched.until(lambda s: tank(s).latencies.value is None)
        await watched.pass_time(2)

        kept = tank(state).latencies.value
        assert kept is not None
        assert [*range(31 - int(KEPT_S / INTERVAL_S), 31)] == [sample.at for sample in kept]
        row = kept[-1].row("sda")
        assert row is not None
        assert (3, 30) == row.histograms["total_read"].counts
        assert tank(ended).latencies.taken_at is None
        assert (True, False) == (open_while_wanted, stream.is_open)
        assert [f"{W} tank {INTERVAL_S:g}"] == asked(watched.host, W)
        assert [] == asked(watched.host, R)


async def test_sizes_have_a_stream_of_their_own() -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)

        watched.session.demand.want_sizes("tank")
        watched.host.streams[R].feed(histogram(1, columns=14) + histogram(2, columns=14))

        state = await watched.until(lambda s: tank(s).sizes.value)
        sample = (tank(state).sizes.value or ())[-1]
        assert (2045, 4093) == sample.rows[0].histograms["sync_read_individual"].upper_bounds
        assert tank(state).latencies.value is None
        assert [] == asked(watched.host, W)


async def test_a_pool_that_suspends_has_no_histograms_until_it_is_back() -> None:
    """Nothing is asked of it: the command would hang. Its guests may be paused, and are asked for."""
    host = host_with_streams()
    host.answers["virsh"] = failed("virsh", 127, b"virsh: not found")
    host.streams["virsh"] = ScriptedStream()
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        stream = watched.host.streams[W]
        watched.session.demand.want_latency("tank")
        stream.feed(histogram(1) + histogram(2))
        await watched.until(lambda s: tank(s).latencies.value)

        watched.host.files[STATE.format("tank")] = b"SUSPENDED\n"
        await watched.pass_time(2 * KSTAT_EVERY_S)
        suspended, was_open = watched.state, stream.is_open
        watched.host.files[STATE.format("tank")] = b"ONLINE\n"
        await watched.pass_time(2 * KSTAT_EVERY_S)
        stream.feed(histogram(9) + histogram(10))
        back = await watched.until(lambda s: not tank(s).latencies.problem)

        assert "suspended" in tank(suspended).latencies.problem
        assert not was_open
        assert [1, 2, 9, 10] == [sample.at for sample in tank(back).latencies.value or ()]


async def test_a_pool_that_is_not_there_is_not_asked_for_until_it_is() -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("elsewhere")
        await watched.pass_time(3)
        before = asked(watched.host, W)

        watched.host.answers["ls -1p /proc/spl/kstat/zfs"] = b"elsewhere/\ntank/\n"
        watched.host.files[STATE.format("elsewhere")] = b"ONLINE\n"
        watched.host.answers["zpool status -j --json-int -vsitP elsewhere"] = HANG
        watched.session.refresh()
        await watched.pass_time(3)

        assert [] == before
        assert ["elsewhere"] == [line.split()[5] for line in asked(watched.host, W)]

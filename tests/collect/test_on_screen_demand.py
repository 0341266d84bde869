"""What is asked only while somebody looks: begun when wanted, ended when not, honest when it fails."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.conftest import CAPTURES
from tests.doubles.machines import host_of
from tests.doubles.scripted_host import HANG, ScriptedHost, ScriptedStream, failed
from tests.doubles.watched_host import Watched, watching
from zconsole.base.errors import CommandFailed
from zconsole.collect.session import KSTAT_EVERY_S
from zconsole.collect.streams.arc import EVERY_S as ARC_EVERY_S
from zconsole.collect.streams.dataset_io import EVERY_S as OBJSETS_EVERY_S
from zconsole.collect.streams.dataset_io import LEAST_REST
from zconsole.collect.streams.histograms import KEPT_S
from zconsole.hosts.host import Command, Completed
from zconsole.model.host.host_state import HostState, LinkState, PoolState
from zconsole.zfs.iostat.histogram_stream import INTERVAL_S
from zconsole.zfs.kstat.arcstats import ARCSTATS, DIRTY_MAX, DMU_TX, ZIL
from zconsole.zfs.kstat.txgs import HISTORY, assign_waits_path, txgs_path

W = "zpool iostat -T u -wHpvy"
R = "zpool iostat -T u -rHpvy"
STATE = "/proc/spl/kstat/zfs/{}/state"


def host_with_streams() -> ScriptedHost:
    host = host_of("2.4", "healthy-mirrors")
    host.streams |= {W: ScriptedStream(), R: ScriptedStream()}
    return host


def histogram(at: int, pool: str = "tank", columns: int = 11) -> bytes:
    zeros = "\t".join(["0"] * (columns - 1))
    rows = "".join(f"\n{name}\n1023\t3\t{zeros}\n2047\t{at}\t{zeros}\n" for name in (pool, "mirror-0", "sda"))
    return f"{at}\n{rows}".encode()


def asked(host: ScriptedHost, beginning: str) -> list[str]:
    return [line for line in host.commands if line.startswith(beginning)]


def tank(state: HostState) -> PoolState:
    pool = state.pool("tank")
    assert pool is not None
    return pool


async def test_nothing_is_asked_that_nobody_wants() -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools and s.pools[0].pool.value)
        await watched.pass_time(20)

        assert [] == [line for line in watched.host.commands if line.startswith((W, R, "grep"))]


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


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (b"what is this\n1\n\n", "not a histogram"),
        (CommandFailed("zpool iostat on nas1 ended (exit 1)", said="out of memory"), "out of memory"),
    ],
)
async def test_a_stream_that_fails_says_so_and_is_begun_again(trouble: bytes | Exception, words: str) -> None:
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")
        stream = watched.host.streams[W]
        stream.feed(histogram(1) + histogram(2))
        await watched.until(lambda s: tank(s).latencies.value)

        stream.feed(trouble)
        broken = await watched.until(lambda s: tank(s).latencies.problem)
        await watched.pass_time(3)
        stream.feed(histogram(3) + histogram(4))
        mended = await watched.until(lambda s: not tank(s).latencies.problem)

        assert words in tank(broken).latencies.problem
        assert tank(broken).latencies.value
        assert [1, 2, 3, 4] == [sample.at for sample in tank(mended).latencies.value or ()]
        assert 2 == stream.starts
        assert LinkState.UP is mended.link.state


async def test_a_silent_stream_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_AT_LEAST_S", 0.05)
    monkeypatch.setattr("zconsole.collect.streams.restarting_stream.SILENCE_INTERVALS", 0)
    async with watching(host_with_streams()) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_latency("tank")

        state = await watched.until(lambda s: tank(s).latencies.problem)
        await watched.pass_time(3)

        assert "silent" in tank(state).latencies.problem
        assert watched.host.streams[W].starts > 1


async def test_a_pool_that_suspends_has_no_histograms_until_it_is_back() -> None:
    """Nothing is asked of it: the command would hang."""
    async with watching(host_with_streams()) as watched:
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


def objsets(at_s: float, *counters: tuple[str, int], created_s: int = 5) -> bytes:
    """What grep leaves of some datasets' kstats: reads, each of 4096 bytes."""
    return "".join(
        f"62 1 0x01 28 7872 {created_s * 10**9} {int(at_s * 1e9)}\n"
        f"{'dataset_name':<31} 7    {name}\n{'writes':<31} 4    0\n{'nwritten':<31} 4    0\n"
        f"{'reads':<31} 4    {reads}\n{'nread':<31} 4    {4096 * reads}\n{'nunlinked':<31} 4    0\n"
        for name, reads in counters
    ).encode()


async def test_datasets_are_read_while_they_are_wanted() -> None:
    """Rates come with the second reading, by the host's own clock, in the order of names."""
    host = host_with_streams()
    host.answers["grep"] = objsets(100, ("tank/b", 10), ("tank/a", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(1)
        after_one = tank(watched.state).dataset_io.value

        host.answers["grep"] = objsets(102.5, ("tank/b", 20), ("tank/new", 9), ("tank/a", 5))
        await watched.pass_time(OBJSETS_EVERY_S + 1)
        state = await watched.until(lambda s: tank(s).dataset_io.value)
        watched.session.demand.want_objsets(None)
        count = len(asked(host, "grep"))
        await watched.pass_time(20)

        sample = tank(state).dataset_io.value
        assert after_one is None
        assert sample is not None
        assert [("tank/a", 2.0, 8192.0), ("tank/b", 4.0, 16384.0)] == [
            (row.name, row.read_ops, row.read_bytes) for row in sample.rows
        ]
        assert (2.5, 1) == (sample.interval_s, sample.is_new)
        assert 2 == count == len(asked(host, "grep"))
        assert tank(watched.state).dataset_io.value is None


async def test_a_dataset_that_goes_away_while_it_is_read_costs_only_itself() -> None:
    """Grep complains and ends with 2; what it printed is good."""
    host = host_with_streams()
    host.answers["grep"] = objsets(100, ("tank/a", 0), ("tank/b", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(1)

        complaint = failed("grep", 2, b"grep: objset-0x12: No such file or directory")
        host.answers["grep"] = Completed(
            complaint.command, complaint.outcome, 2, objsets(102, ("tank/a", 4)), complaint.stderr
        )
        await watched.pass_time(OBJSETS_EVERY_S + 1)

        state = await watched.until(lambda s: tank(s).dataset_io.value)
        value = tank(state).dataset_io.value
        assert value is not None
        assert ["tank/a"] == [row.name for row in value.rows]
        assert "" == tank(state).dataset_io.problem


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failed("grep", 2, b"grep: /proc/spl/kstat/zfs/tank: No such file or directory"), "No such file"),
        (b"\x00garbage\n", "not a kstat"),
        (b"62 1 0x01 28 7872 1 2\ndataset_name   7   tan", "truncated"),
        (HANG, "gave no answer"),
    ],
)
async def test_datasets_that_cannot_be_read_are_a_sentence(answer: object, words: str) -> None:
    host = host_with_streams()
    host.answers["grep"] = answer
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_objsets("tank")

        state = await watched.until(lambda s: tank(s).dataset_io.problem)
        await watched.pass_time(20)

        assert words in tank(state).dataset_io.problem
        assert LinkState.UP is watched.state.link.state
        if answer is HANG:
            assert 1 == len(asked(host, "grep"))
            assert "hangs" in tank(watched.state).dataset_io.problem


class SlowGrep(ScriptedHost):
    """A host whose grep takes a while."""

    def __init__(self, other: ScriptedHost, took_s: float) -> None:
        super().__init__(other.label)
        self.__dict__.update(other.__dict__)
        self.took_s = took_s
        self.watched: Watched[SlowGrep] | None = None

    async def run(self, command: Command) -> Completed:
        if command.argv[0] == "grep" and self.watched is not None:
            self.watched.clock.advance(self.took_s)
        return await super().run(command)


async def test_datasets_that_take_long_to_read_are_read_more_rarely() -> None:
    """Ten thousand of them must not keep the host busy."""
    host = SlowGrep(host_with_streams(), took_s=3.0)
    host.answers["grep"] = objsets(100, ("tank/a", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        host.watched = watched
        began = watched.clock.monotonic()
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(10 * LEAST_REST)

        passed_s = watched.clock.monotonic() - began
        assert 2 <= len(asked(host, "grep")) <= passed_s / (LEAST_REST * 3.0) + 1


def named(at_s: float, values: Sequence[tuple[str, int]]) -> bytes:
    rows = "".join(f"{name:<31} 4    {value}\n" for name, value in values)
    return f"9 1 0x01 {len(values)} 272 1 {int(at_s * 1e9)}\n{'name':<31} type data\n{rows}".encode()


def with_kstats(host: ScriptedHost) -> ScriptedHost:
    folder = CAPTURES / "2.4" / "healthy-mirrors"
    host.files |= {
        ARCSTATS: named(10, [("size", 100), ("hits", 30), ("misses", 10)]),
        DMU_TX: named(10, [("dmu_tx_assigned", 50)]),
        ZIL: named(10, [("zil_commit_count", 8)]),
        DIRTY_MAX: b"4294967296\n",
        HISTORY: b"100\n",
        txgs_path("tank"): (folder / "kstat_tank_txgs.txt").read_bytes(),
        assign_waits_path("tank"): named(10, [("1 ns", 1), ("2 ns", 2)]),
    }
    return host


async def test_the_cache_and_what_is_about_it_is_read_while_it_is_wanted() -> None:
    host = with_kstats(host_with_streams())
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_arc(is_wanted=True)
        await watched.until(lambda s: tank(s).txgs.value)

        host.files[ARCSTATS] = named(12, [("size", 120), ("hits", 50), ("misses", 20)])
        host.files[DMU_TX] = named(12, [("dmu_tx_assigned", 60)])
        host.files[ZIL] = named(12, [("zil_commit_count", 18)])
        host.files[assign_waits_path("tank")] = named(12, [("1 ns", 1), ("2 ns", 5), ("4 ns", 1)])
        await watched.pass_time(ARC_EVERY_S + 1)
        state = await watched.until(lambda s: tank(s).assign_waits.value)
        watched.session.demand.want_arc(is_wanted=False)
        await watched.pass_time(20)

        first, last = state.arc.value or ()
        assert (None, 100) == (first.interval_s, first.size_bytes)
        assert (2.0, 120, 10.0, 5.0) == (last.interval_s, last.size_bytes, last.total.hits, last.total.misses)
        throttle, zil = (state.throttle.value or ())[-1], (state.zil.value or ())[-1]
        assert (5.0, 4 << 30, 5.0) == (throttle.assigned, throttle.dirty_max_bytes, zil.commits)
        waits = tank(state).assign_waits.value
        assert waits is not None
        assert ((1, 2, 4), (0, 3, 1)) == (waits.upper_bounds, waits.counts)
        assert 5 == (tank(state).txgs.value or ())[0].number
        assert 2 == len(watched.state.arc.value or ())


async def test_a_kernel_that_keeps_no_txgs_says_how_to_make_it() -> None:
    host = with_kstats(host_with_streams())
    titles = host.files[txgs_path("tank")]
    assert isinstance(titles, bytes)
    host.files |= {txgs_path("tank"): titles.split(b"\n")[0] + b"\n", HISTORY: b"0\n"}
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_arc(is_wanted=True)

        state = await watched.until(lambda s: tank(s).txgs.problem)

        assert "echo 100 >/sys/module/zfs/parameters/zfs_txg_history" in tank(state).txgs.problem


async def test_what_is_missing_or_broken_costs_only_itself() -> None:
    host = with_kstats(host_with_streams())
    host.files[DMU_TX] = b"9 1 0x01 1 272 1 1\nname type data\ndmu_tx_assi"
    host.files[ZIL] = PermissionError(ZIL)
    host.files[assign_waits_path("tank")] = b""
    del host.files[txgs_path("tank")]
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_arc(is_wanted=True)
        state = await watched.until(lambda s: tank(s).txgs.problem)

        assert state.arc.value
        assert ("", "") == (state.arc.problem, tank(state).assign_waits.problem)
        assert "truncated" in state.throttle.problem
        assert "may not read" in state.zil.problem
        assert "nas1 has no" in tank(state).txgs.problem
        assert LinkState.UP is state.link.state


async def test_a_reading_that_is_no_newer_adds_nothing() -> None:
    """As in a recording that holds fewer than are asked for."""
    host = with_kstats(host_with_streams())
    host.answers["grep"] = objsets(100, ("tank/a", 0))
    async with watching(host) as watched:
        await watched.until(lambda s: s.pools)
        watched.session.demand.want_arc(is_wanted=True)
        watched.session.demand.want_objsets("tank")
        await watched.pass_time(10)

        assert 1 == len(watched.state.arc.value or ())
        assert tank(watched.state).dataset_io.value is None

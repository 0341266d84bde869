"""The cache, the throttle and the intent log are read while they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

from tests.collect.demanded import host_with_streams, objsets, tank
from tests.conftest import CAPTURES
from tests.doubles.scripted_host import ScriptedHost
from tests.doubles.watched_host import watching
from zconsole.collect.streams.kstats import EVERY_S as ARC_EVERY_S
from zconsole.model.host.host_state import LinkState
from zconsole.zfs.kstat.arc_throttle_and_zil import ARCSTATS, DIRTY_MAX, DMU_TX, ZIL
from zconsole.zfs.kstat.txgs_and_assign_waits import HISTORY, assign_waits_path, txgs_path


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

"""What an engine keeps and what it asks on demand, read from another thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.doubles.machines import host_of
from tests.service.test_collecting_thread import PATIENCE_S, wait_for
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.collect.on_demand.pool_dataset_watch import FEW
from zconsole.history.command_results_of_last_hour import MAX_BYTES as MAX_ANSWERS_BYTES
from zconsole.history.host_timeline import MAX_BYTES, STATE_EVERY_S
from zconsole.hosts.open_host_or_recording import open_replay
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.dataset_writes_and_snapshots import take_snapshot
from zconsole.practice.world.pools_and_vdevs import Load
from zconsole.service.collecting_thread import Engine
from zconsole.storage.snapshot_cache import SnapshotIndex

DAY_S = 86_400.0


def practised(clock: ManualClock) -> PracticeHost:
    """A busy host on which time passes when the clock is told."""
    host = PracticeHost("nas1", clock, world=create_world("mirror 0 1", now=clock.now()))
    host.world.pools["tank"].load = Load(300, 16384, 120, 65536)
    host.world.uptime = DAY_S
    host.world.pools["tank"].datasets["tank"].share = (0.75, 0.5)
    return host


class Past:
    """An engine on a practice host that has lived for a while."""

    def __init__(self, snapshots: int = 0, index: Path | None = None) -> None:
        self.clock = ManualClock(1_800_000_000)
        host = practised(self.clock)
        pool = host.world.pools["tank"]
        for number in range(snapshots):
            take_snapshot(host.world, pool, pool.datasets["tank"], str(number))
        indexes = None if index is None else lambda: SnapshotIndex(index)
        self.engine = Engine([host], clock=self.clock, indexes=indexes)
        self.engine.start()
        self.live_until(lambda state: len(state.pools and state.pools[0].samples) > 5)

    def live_until(self, holds: Callable[[HostState], object]) -> HostState:
        """Let seconds pass, each with room for everybody to act, until the state is so."""

        async def a_second() -> None:
            self.clock.advance(1)
            for _ in range(100):
                await asyncio.sleep(0)

        assert self.engine._loop is not None
        for _ in range(60):
            if holds(self.engine.newest()[0]):
                return self.engine.newest()[0]
            asyncio.run_coroutine_threadsafe(a_second(), self.engine._loop).result(PATIENCE_S)
        raise AssertionError("it never happened")


@pytest.fixture(scope="module")
def past() -> Iterator[Past]:
    lived = Past()
    try:
        yield lived
    finally:
        lived.engine.stop()


def test_the_past_of_a_pool_can_be_read_from_any_thread(past: Past) -> None:
    span = past.engine.span("nas1", "tank")
    assert span is not None

    then = past.engine.at("nas1", "tank", span.first)
    now = past.engine.at("nas1", "tank", span.last)
    strips = past.engine.strips("nas1", "tank", until=span.last, seconds=1, columns=span.samples)

    assert then is not None
    assert now is not None
    live = past.engine.newest()[0].pools[0].samples
    assert [(each.at, each.rows) for each in live] == [(each.at, each.rows) for each in now.state.samples]
    assert now.state.samples[:1] == then.state.samples
    assert then.state.pool.value is not None
    assert strips is not None
    assert [row.name for row in now.state.samples[-1].rows] == [row.name for row in strips.rows]


def test_the_times_of_what_is_kept_are_told_by_pool(past: Past) -> None:
    span = past.engine.span("nas1", "tank")
    assert span is not None

    times = past.engine.times("nas1")

    assert {"tank"} == set(times)
    assert (span.first, span.last, span.samples) == (times["tank"][0], times["tank"][-1], len(times["tank"]))
    assert {} == past.engine.times("nas2")


@pytest.mark.parametrize(("host", "pool"), [("nas2", "tank"), ("nas1", "bulk")])
def test_what_is_not_there_has_no_past(past: Past, host: str, pool: str) -> None:
    assert past.engine.span(host, pool) is None
    assert past.engine.at(host, pool, 5) is None
    assert past.engine.strips(host, pool, until=5, seconds=1, columns=1) is None


def test_a_moment_that_is_marked_is_in_the_state_in_the_order_of_time(past: Past) -> None:
    past.engine.mark("nas1", "now")
    past.engine.mark("nas1", "before", 1_800_000_001.5)
    past.engine.mark("nas2", "elsewhere")

    states = wait_for(past.engine, lambda states: "before" in {mark.words for mark in states[0].marks})

    marks = [(mark.at, mark.words) for mark in states[0].marks]
    assert [(1_800_000_001.5, "before"), (past.clock.now(), "now")] == [
        mark for mark in marks if mark[1] != "saved"
    ]
    assert marks == sorted(marks, key=lambda mark: mark[0])


def test_what_is_kept_is_saved_as_a_recording_with_its_marks(past: Past, tmp_path: Path) -> None:
    past.engine.mark("nas1", "saved")
    wait_for(past.engine, lambda states: any(mark.words == "saved" for mark in states[0].marks))

    folder = past.engine.save("nas1", tmp_path / "saved").result(PATIENCE_S)

    (host,) = open_replay(folder)
    replayed = Engine([host])
    assert "nas1" == host.label
    assert "saved" in {mark.words for mark in replayed.newest()[0].marks}
    with pytest.raises(UsageError, match="not empty"):
        past.engine.save("nas1", folder).result(PATIENCE_S)
    with pytest.raises(UsageError, match="no host"):
        past.engine.save("nas2", tmp_path / "other").result(PATIENCE_S)


def test_what_is_wanted_reaches_the_host_that_it_is_wanted_of(past: Past) -> None:
    past.engine.want_latency("nas1", "tank")
    past.engine.want_sizes("nas1", "tank")
    past.engine.want_objsets("nas1", "tank")
    past.engine.want_arc("nas1", is_wanted=True)
    past.engine.want_latency("nas2", "tank")

    state = past.live_until(
        lambda state: (
            (pool := state.pools[0]).latencies.value
            and pool.sizes.value
            and pool.dataset_io.value
            and pool.txgs.value
            and state.arc.value
        )
    )

    sample = (state.pools[0].latencies.value or ())[-1]
    assert [row.name for row in state.pools[0].samples[-1].rows] == [row.name for row in sample.rows]
    streams = [
        ran.argv[4]
        for ran in past.engine.service.queries.commands("nas1")
        if ran.argv[:2] == ("zpool", "iostat")
    ]
    assert ["-Hpvlqy", "-rHpvy", "-wHpvy"] == sorted(set(streams))
    assert 3 == len(streams)


def test_what_datasets_did_is_kept_from_the_time_at_which_it_was_wanted(past: Past) -> None:
    """Their numbers then, in the packed columns as in the state; of another pool nothing."""
    past.engine.want_objsets("nas1", "tank")
    state = past.live_until(
        lambda state: state.pools[0].dataset_io.value and len(past.engine.load_times("nas1", "tank")) > 2
    )
    live = state.pools[0].dataset_io.value
    past.engine.want_objsets("nas1", None)
    assert live is not None

    times = past.engine.load_times("nas1", "tank")
    (then,) = past.engine.loads("nas1", "tank", live.at, 1)

    assert live.at == then.at
    assert live.at in times
    assert {row.name for row in live.rows if row.read_ops or row.write_ops} == {row.name for row in then.rows}
    assert then.rows
    assert () == past.engine.loads("nas1", "tank", times[0] - 1, 5)
    assert [] == list(past.engine.load_times("nas2", "tank"))


def test_two_of_a_hundred_hosts_keep_no_more_than_their_share() -> None:
    hosts = [host_of("2.4", "healthy-mirrors", label=f"nas{number}") for number in range(100)]

    engine = Engine(hosts)

    assert {MAX_BYTES // 100} == {engine._past_of(host.label)._max_bytes for host in hosts}
    assert MAX_ANSWERS_BYTES // 100 == engine._memory_of("nas7")._max_bytes


def test_who_looks_at_many_snapshots_again_does_not_end_the_watch(tmp_path: Path) -> None:
    """The last known ones are views of a file; samples come and are kept meanwhile."""
    for _ in range(2):
        lived = Past(FEW + 1, tmp_path / "index")
        lived.engine.want_datasets("nas1", "tank", is_wanted=True)
        try:
            seen = lived.live_until(
                lambda state: state.pools[0].listing.value and state.pools[0].listing.value.is_whole
            )
            until = seen.pools[0].samples[-1].at + STATE_EVERY_S
            state = lived.live_until(lambda state, until=until: state.pools[0].samples[-1].at > until)
        finally:
            lived.engine.stop()

        assert LinkState.UP is state.link.state
        assert list((tmp_path / "index").iterdir())

"""What is kept can be saved, and what was saved is played as it was lived."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.doubles.watched_host import Watched, watching
from tests.history.test_iostat_history import sample_of
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.collect.host_session import HostSession
from zconsole.history.command_results_of_last_hour import Memory, RememberedHost
from zconsole.history.host_timeline import HostPast
from zconsole.history.save_for_replay import save
from zconsole.hosts.recorded.recorded_host import RecordedHost
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.iostat import IoSample
from zconsole.model.timeline_mark import TimelineMark
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import Load

EPOCH = 1_800_000_000
SECONDS = 40


@asynccontextmanager
async def lived() -> AsyncIterator[tuple[Watched[RememberedHost], HostPast, PracticeHost]]:
    """A busy practice host that was watched for a while, a disk pulled meanwhile."""
    clock = ManualClock(EPOCH)
    host = PracticeHost("nas1", clock, world=create_world("mirror 0 1 mirror 2 3", now=EPOCH))
    host.world.pools["tank"].load = Load(300, 16384, 120, 65536, sync_writes=40)
    memory, past = Memory(clock, keep_s=600, max_bytes=1 << 24), HostPast()
    kept = RememberedHost(host, memory)
    async with watching(kept, clock) as watched:
        watched.session.past = lambda: past
        await watched.pass_time(SECONDS / 2)
        host.unplug("LAB0001")
        watched.session.store.add_mark(TimelineMark(clock.now(), "pulled \x1b[2J it"))
        await watched.pass_time(SECONDS / 2)
        yield watched, past, host


def samples(watched: Watched[RecordedHost] | Watched[RememberedHost]) -> tuple[IoSample, ...]:
    pool = watched.state.pool("tank")
    return () if pool is None else pool.samples


async def test_what_was_saved_is_played_as_it_was_lived(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    async with lived() as (watched, past, _):
        session: HostSession = watched.session
        assert folder == save(folder, watched.state, watched.host.memory, past, watched.clock)
        before = {sample.at: sample for sample in samples(watched)}
        known, events = watched.state, watched.state.events
        assert session.store.state is known

    clock = ManualClock(EPOCH)
    replayed = RecordedHost(folder, clock)
    async with watching(replayed, clock) as played:
        await played.pass_time(2)
        early = played.state.pool("tank")
        await played.pass_time(SECONDS)
        late = played.state

    after = {sample.at: sample for sample in samples(played)}
    common = sorted(before.keys() & after.keys())
    assert len(common) >= SECONDS - 5
    assert [before[at].rows for at in common] == [after[at].rows for at in common]
    assert early is not None
    assert ("ONLINE", "DEGRADED") == (early.state, late.pools[0].state)
    assert known.pools[0].pool.value == late.pools[0].pool.value
    assert known.inventory.value == late.inventory.value
    assert (known.hostname, known.version.value) == (late.hostname, late.version.value)
    assert events == late.events
    busy = [
        (then, now)
        for at in common[5:]
        for then, now in zip(before[at].busy, after[at].busy, strict=True)
        if then is not None and now is not None
    ]
    assert len(busy) > SECONDS
    assert all(now == pytest.approx(then, abs=0.02) for then, now in busy)


async def test_marks_are_saved_with_their_time(tmp_path: Path) -> None:
    async with lived() as (watched, past, _):
        save(tmp_path / "saved", watched.state, watched.host.memory, past, watched.clock)

    ((at, words),) = RecordedHost(tmp_path / "saved").marks

    assert EPOCH + SECONDS / 2 == pytest.approx(at)
    assert "pulled \x1b[2J it" == words


async def test_a_recording_is_saved_like_a_host(tmp_path: Path) -> None:
    """What is played can be cut out and saved again."""
    async with lived() as (watched, past, _):
        save(tmp_path / "one", watched.state, watched.host.memory, past, watched.clock)
    clock = ManualClock(EPOCH)
    host = RememberedHost(RecordedHost(tmp_path / "one", clock), Memory(clock, keep_s=600, max_bytes=1 << 24))
    again = HostPast()
    async with watching(host, clock) as played:
        played.session.past = lambda: again
        await played.pass_time(SECONDS / 2)
        save(tmp_path / "two", played.state, host.memory, again, clock)
        first = samples(played)

    clock = ManualClock(EPOCH)
    async with watching(RecordedHost(tmp_path / "two", clock), clock) as played_again:
        await played_again.pass_time(SECONDS)

    assert [sample.rows for sample in first] == [sample.rows for sample in samples(played_again)]


async def test_a_recording_holds_nothing_but_what_the_console_asked(tmp_path: Path) -> None:
    async with lived() as (watched, past, _):
        save(tmp_path / "saved", watched.state, watched.host.memory, past, watched.clock)

    lines = [json.loads(line) for line in (tmp_path / "saved" / "index.jsonl").read_text().splitlines()]

    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert {"connect", "run", "read", "open", "chunk", "mark"} == {line["kind"] for line in lines}
    assert 0o700 == (tmp_path / "saved").stat().st_mode & 0o777
    assert lines[-1]["t"] <= SECONDS


def test_nothing_to_save_is_said(tmp_path: Path) -> None:
    clock = ManualClock()
    memory = Memory(clock, keep_s=1, max_bytes=1)

    with pytest.raises(UsageError, match="no samples of nas1 yet"):
        save(tmp_path / "saved", HostState("nas1"), memory, HostPast(), clock)

    assert not (tmp_path / "saved").exists()


def test_a_folder_that_is_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    clock, past = ManualClock(5), HostPast()
    past.take_in([sample_of(5)], HostState("nas1", pools=(PoolState("tank"),)), 0.0)

    with pytest.raises(UsageError, match="is not empty"):
        save(tmp_path, HostState("nas1"), Memory(clock, keep_s=1, max_bytes=1), past, clock)

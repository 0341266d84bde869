"""Samples for forecasts: what they hold, how rarely they are taken, and that none is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import DatasetUse, SpaceSample
from zconsole.service import space_sampling
from zconsole.service.collecting_thread import FIRST_SAMPLE_S, Engine
from zconsole.service.space_sampling import EVERY_S, LOOK_EVERY_S, Sampler, sample_of, take_sample
from zconsole.storage.space_samples import SpaceStore

NOW = 1_795_000_000.0
USES = "zfs list -Hp -t filesystem,volume -o name,usedbydataset,usedbysnapshots"
PATIENCE_S = 20.0


@pytest.fixture
def host() -> ScriptedHost:
    host = host_of("2.4", "healthy-mirrors")
    host.answers[USES] = b"tank\t100\t0\ntank/big\t900\t50\ntank/small\t200\t0\n"
    return host


@pytest.fixture
def store(tmp_path: Path) -> SpaceStore:
    return SpaceStore(tmp_path / "samples.sqlite")


async def state_of(host: ScriptedHost, clock: ManualClock) -> HostState:
    return await gather(host, clock)


async def pool_of(host: ScriptedHost) -> Pool:
    pool = (await state_of(host, ManualClock(NOW))).pools[0].pool.value
    assert pool is not None
    return pool


async def test_a_sample_holds_the_pool_and_its_largest_datasets(host: ScriptedHost) -> None:
    pool = await pool_of(host)

    sample = await take_sample(Asker(host), pool, "storage24", NOW)

    assert ("storage24", "tank", pool.guid, NOW) == (sample.host, sample.pool, sample.guid, sample.at)
    assert pool.usable_bytes == sample.usable_bytes
    assert (pool.size_bytes, pool.allocated_bytes) == (sample.size_bytes, sample.allocated_bytes)
    assert ("tank/big", "tank/small", "tank") == tuple(use.name for use in sample.datasets)
    assert DatasetUse("tank/big", 900, 50) == sample.datasets[0]


async def test_of_a_pool_that_does_not_tell_there_is_no_sample(host: ScriptedHost) -> None:
    pool = replace(await pool_of(host), usable_used_bytes=None)

    with pytest.raises(CommandFailed, match="what tank on storage24 uses and can use is not known"):
        sample_of(pool, "storage24", NOW)


def refuse(sample: SpaceSample) -> None:
    raise CommandFailed(f"{sample.pool}: locked")


class Watched:
    """A sampler that a test lets look, as often as it says."""

    def __init__(self, host: ScriptedHost, store: SpaceStore, state: HostState, clock: ManualClock) -> None:
        states = Store(host.label, lambda: None)
        states.commit(state)
        self.looks = 0
        self.clock = clock
        self.sampler = Sampler(host, states, store, self._counting(clock))
        self._looked = asyncio.Event()

    def _counting(self, clock: ManualClock) -> ManualClock:
        watched = self

        class Counting(ManualClock):
            def now(self) -> float:
                return clock.now()

            async def sleep(self, seconds: float) -> None:
                watched.looks += 1
                watched._looked.set()
                await clock.sleep(seconds)

        return Counting()

    async def look(self, after_s: float = 0.0) -> None:
        """Wait until it has looked once more."""
        self.clock.advance(after_s)
        await asyncio.wait_for(self._looked.wait(), PATIENCE_S)
        self._looked.clear()


async def test_while_the_console_runs_a_pool_is_sampled_every_quarter_of_an_hour(
    host: ScriptedHost, store: SpaceStore
) -> None:
    clock = ManualClock(NOW)
    state = await state_of(host, clock)
    guid = (await pool_of(host)).guid or 0
    watched = Watched(host, store, state, clock)
    task = asyncio.create_task(watched.sampler.run())
    try:
        await watched.look()
        assert [NOW] == [sample.at for sample in store.samples("storage24", guid)]
        for _ in range(int(EVERY_S / LOOK_EVERY_S) - 1):
            await watched.look(LOOK_EVERY_S)
        assert 1 == len(store.samples("storage24", guid))
        await watched.look(LOOK_EVERY_S)
        assert [NOW, NOW + EVERY_S] == [sample.at for sample in store.samples("storage24", guid)]
        assert 2 == len([line for line in host.commands if line.startswith(USES)])
    finally:
        task.cancel()


async def test_what_a_timer_has_sampled_just_now_is_not_sampled_again(
    host: ScriptedHost, store: SpaceStore
) -> None:
    clock = ManualClock(NOW)
    pool = await pool_of(host)
    store.add(sample_of(pool, "storage24", NOW - 60))
    watched = Watched(host, store, await state_of(host, clock), clock)
    task = asyncio.create_task(watched.sampler.run())
    try:
        await watched.look()
        assert 1 == len(store.samples("storage24", pool.guid or 0))
    finally:
        task.cancel()


async def test_without_its_datasets_a_pool_is_sampled_all_the_same(
    host: ScriptedHost, store: SpaceStore
) -> None:
    host.answers[USES] = failed("zfs list", 1, b"no")
    clock = ManualClock(NOW)
    pool = await pool_of(host)
    watched = Watched(host, store, await state_of(host, clock), clock)
    task = asyncio.create_task(watched.sampler.run())
    try:
        await watched.look()
        (sample,) = store.samples("storage24", pool.guid or 0)
        assert pool.usable_used_bytes == sample.used_bytes
        assert {} == store.uses("storage24", pool.guid or 0)
    finally:
        task.cancel()


async def test_what_cannot_be_written_is_written_later(
    host: ScriptedHost, store: SpaceStore, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock(NOW)
    pool = await pool_of(host)
    store.path.mkdir()  # no file can be made there
    watched = Watched(host, store, await state_of(host, clock), clock)
    task = asyncio.create_task(watched.sampler.run())
    try:
        await watched.look()
        assert "no sample for forecasts" in caplog.text
        store.path.rmdir()
        await watched.look(EVERY_S)
        assert [NOW + EVERY_S] == [sample.at for sample in store.samples("storage24", pool.guid or 0)]
    finally:
        task.cancel()


async def test_a_sample_that_was_taken_is_not_lost_while_the_file_is_locked(
    host: ScriptedHost, store: SpaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(NOW)
    pool = await pool_of(host)
    watched = Watched(host, store, await state_of(host, clock), clock)
    add = store.add
    monkeypatch.setattr(store, "add", refuse)
    task = asyncio.create_task(watched.sampler.run())
    try:
        await watched.look()
        monkeypatch.setattr(store, "add", add)
        await watched.look(EVERY_S)
        assert [NOW, NOW + EVERY_S] == [sample.at for sample in store.samples("storage24", pool.guid or 0)]
    finally:
        task.cancel()


def test_the_engine_samples_only_where_it_is_told_to(
    host: ScriptedHost, store: SpaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Noted:
        def __init__(self, *_arguments: object) -> None:
            asked.append("made")

        async def run(self) -> None:
            asked.append("ran")

    class AtOnce(ManualClock):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(0 if seconds == FIRST_SAMPLE_S else seconds)

    monkeypatch.setattr(space_sampling, "Sampler", Noted)
    for space in (None, lambda: store):
        engine = Engine([host], clock=AtOnce(NOW), space=space)
        engine.start()
        engine.stop()

    assert ["made", "ran"] == asked

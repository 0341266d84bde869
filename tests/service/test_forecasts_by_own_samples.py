"""Forecasts of pools from the samples alone: for status and check, and while the console runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.doubles.machines import host_of
from zconsole.base.clock import ManualClock
from zconsole.base.errors import ZConsoleError
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_host import gather
from zconsole.model.forecast import Forecast, Trend
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.service.forecasts_by_own_samples import EVERY_S, ForecastWatch, with_own_forecasts
from zconsole.service.space_sampling import sample_of
from zconsole.storage.space_samples import DAY_S, SpaceStore

NOW = 1_795_300_000.0


async def read() -> HostState:
    return await gather(host_of("2.4", "healthy-mirrors"), ManualClock(NOW))


def fill(store: SpaceStore, state: HostState, days: int) -> None:
    """Samples of the pool: it has grown to where it is from half of that."""
    pool = state.pools[0].pool.value
    assert pool is not None
    last = sample_of(pool, state.hostname or state.host, NOW)
    for at in range(days, 0, -1):
        used = last.used_bytes - last.used_bytes * at // (2 * days)
        store.add(replace(last, at=NOW - at * DAY_S, used_bytes=used))


@pytest.fixture
def store(tmp_path: Path) -> SpaceStore:
    return SpaceStore(tmp_path / "samples.sqlite")


async def test_with_samples_of_a_month_there_is_a_trend(store: SpaceStore) -> None:
    state = await read()
    fill(store, state, 30)

    found = await with_own_forecasts(state, store, NOW, pytest.fail)

    forecast = found.pools[0].forecast.value
    assert forecast is not None
    assert forecast.trend is not None
    assert forecast.trend.bytes_per_day > 0


async def test_with_samples_of_three_days_there_is_none(store: SpaceStore) -> None:
    state = await read()
    fill(store, state, 3)

    found = await with_own_forecasts(state, store, NOW, pytest.fail)

    forecast = found.pools[0].forecast.value
    assert forecast is not None
    assert forecast.trend is None


async def test_samples_of_three_days_do_not_take_away_what_was_forecast_from_another_history(
    store: SpaceStore,
) -> None:
    state = await read()
    fill(store, state, 3)
    known = Reading(Forecast("nas1", "tank", NOW, 5, 10, trend=Trend(1.0, 0.5, 2.0, (), ())))
    state = replace(state, pools=(replace(state.pools[0], forecast=known),))

    assert state == await with_own_forecasts(state, store, NOW, pytest.fail)


async def test_where_nothing_was_sampled_nothing_is_made(store: SpaceStore) -> None:
    state = await read()

    assert state is await with_own_forecasts(state, None, NOW, pytest.fail)
    assert state is await with_own_forecasts(state, store, NOW, pytest.fail)
    assert not store.path.exists()


async def test_a_file_that_cannot_be_read_is_told_and_costs_only_the_forecast(store: SpaceStore) -> None:
    state = await read()
    store.path.write_bytes(b"no database" * 1000)
    told: list[ZConsoleError] = []

    found = await with_own_forecasts(state, store, NOW, told.append)

    assert None is found.pools[0].forecast.value
    assert 1 == len(told)


async def test_a_pool_that_was_not_read_keeps_its_state(store: SpaceStore) -> None:
    state = await read()
    fill(store, state, 30)
    of = state.pools[0]
    old = replace(state, pools=(replace(of, pool=replace(of.pool, problem="no answer")),))

    assert old == await with_own_forecasts(old, store, NOW, pytest.fail)


async def test_while_the_console_runs_it_is_made_every_hour(store: SpaceStore) -> None:
    state = await read()
    fill(store, state, 30)
    made = asyncio.Event()
    states = Store(state.host, made.set)
    states.commit(replace(state, link=LinkStatus(LinkState.UP)))
    clock = ManualClock(NOW)
    made.clear()

    running = asyncio.create_task(ForecastWatch(states, store, clock).run())
    async with asyncio.timeout(20):
        await made.wait()
        first = states.state.pools[0].forecast.value
        made.clear()
        while not made.is_set():
            clock.advance(EVERY_S / 4)
            await asyncio.sleep(0)
    running.cancel()

    second = states.state.pools[0].forecast.value
    assert first is not None
    assert second is not None
    assert first.at + EVERY_S <= second.at

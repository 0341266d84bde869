"""Forecasts of a host's pools by the samples that zconsole took: no command, little time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ZConsoleError
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.host_state_store import Store
from zconsole.model.forecast import Forecast
from zconsole.model.host.host_state import HostState, LinkState, PoolState, Reading
from zconsole.model.pools.pool import Pool
from zconsole.service.forecasting import RECKONED_WITHIN_S, forecast_of, history_of_samples
from zconsole.service.space_sampling import sample_of
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import SpaceStore

logger = logging.getLogger(__name__)

EVERY_S: Final = 3600.0
LOOK_EVERY_S: Final = 60.0  # for pools that were read for the first time


async def forecast_by_own_samples(store: SpaceStore, pool: Pool, host: str, now: float) -> Forecast | None:
    """Forecast of a pool that was just read; None without samples. `host` is the host's own name.

    Raises ZConsoleError where the samples cannot be read, or the pool does not tell its space.
    """
    sample = sample_of(pool, host, now)
    past = await history_of_samples(store, sample)
    if past is None:
        return None
    return await patiently(forecast_of, sample, past, within_s=RECKONED_WITHIN_S)


async def with_own_forecasts(
    state: HostState,
    store: SpaceStore | None,
    now: float,
    tell: Callable[[ZConsoleError], None],
) -> HostState:
    """A state that was read once, with the forecasts of its pools; `tell` is given what went wrong."""
    if store is None or not store.path.exists():
        return state
    kept, host = store, state.hostname or state.host

    async def with_forecast(of: PoolState) -> PoolState:
        if of.pool.value is None or of.pool.problem:
            return of
        try:
            found = await forecast_by_own_samples(kept, of.pool.value, host, now)
        except CommandFailed:
            return of  # the space of the pool is not known, which its own reading says
        except ZConsoleError as error:
            tell(error)
            return of
        if found is None or (found.trend is None and of.forecast.value is not None):
            return of  # what was forecast from another history says more
        return replace(of, forecast=Reading(found))

    return replace(state, pools=await all_of(with_forecast(of) for of in state.pools))


class ForecastWatch:
    """Keeper of the forecasts of one host's pools while the console runs."""

    def __init__(self, states: Store, store: SpaceStore, clock: Clock) -> None:
        self._states = states
        self._store = store
        self._clock = clock
        self._due: dict[str, float] = {}  # monotonic seconds, by pool
        self._has_complained = False

    async def run(self) -> None:
        """Forecast until cancelled. Errors are logged once, and the forecast is made again later."""
        while True:
            state, now = self._states.state, self._clock.monotonic()
            due = tuple(
                of
                for of in state.pools
                if of.pool.value is not None and not of.pool.problem and now >= self._due.get(of.name, 0.0)
            )
            if due and state.link.state is LinkState.UP:
                self._due |= {of.name: now + EVERY_S for of in due}
                made = await with_own_forecasts(
                    replace(state, pools=due), self._store, self._clock.now(), self._complain
                )
                for of in made.pools:
                    self._take_in(of.name, of.forecast)
            await self._clock.sleep(LOOK_EVERY_S)

    def _take_in(self, pool: str, forecast: Reading[Forecast]) -> None:
        self._states.update_pool(pool, lambda state: replace(state, forecast=forecast))

    def _complain(self, error: ZConsoleError) -> None:
        if not self._has_complained:
            self._has_complained = True
            logger.warning("no forecast of a pool: %s", error)

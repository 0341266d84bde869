"""Keeps the datasets of the pools fresh that somebody looks at: at once, after changes, and now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError, ZfsMissing
from zconsole.live.ask import Asker, in_words
from zconsole.live.readings import read_datasets, read_holds
from zconsole.live.store import Store
from zconsole.live.waiting import pause
from zconsole.model.event import Event
from zconsole.model.host_state import PoolState, Reading
from zconsole.model.pool import SUSPENDED

EVERY_S: Final = 60.0
AT_MOST_EVERY_S: Final = 1.0  # whatever a storm of changes asks for
HISTORY: Final = "sysevent.fs.zfs.history_event"  # every change of a dataset has one
FATAL: Final = (LinkLost, HostUnreachable, ZfsMissing)


class DatasetWatch:
    """The datasets and holds of one host's pools, as long as they are wanted."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, slack: float = 1.0) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._every_s = slack * EVERY_S
        self._wanted: set[str] = set()
        self._due = asyncio.Event()

    def want(self, pool: str, *, is_wanted: bool) -> None:
        """Keep a pool's datasets fresh from now on, or no more."""
        if is_wanted:
            self._wanted.add(pool)
            self._due.set()
        else:
            self._wanted.discard(pool)

    def hear(self, events: Iterable[Event]) -> None:
        """Read again soon if any of these tells of a change of a dataset."""
        if self._wanted and any(event.event_class == HISTORY for event in events):
            self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises what ends the whole session."""
        while True:
            self._due.clear()
            for name in sorted(self._wanted):
                pool = self._store.state.pool(name)
                if pool is not None and pool.kstat_state != SUSPENDED:
                    await self._read(name)
            await self._clock.sleep(AT_MOST_EVERY_S)
            await pause(self._clock, self._every_s - AT_MOST_EVERY_S, self._due, keep=True)

    async def _read(self, name: str) -> None:
        try:
            datasets = await read_datasets(self._asker, name)
            holds = await read_holds(self._asker, datasets)
        except FATAL:
            raise
        except ZConsoleError as error:
            problem = in_words(error)

            def worse(state: PoolState) -> PoolState:
                return replace(
                    state,
                    datasets=replace(state.datasets, problem=problem),
                    holds=replace(state.holds, problem=problem),
                )

            self._store.update_pool(name, worse)
            return
        now = self._clock.monotonic()
        self._store.update_pool(
            name, lambda state: replace(state, datasets=Reading(datasets, now), holds=Reading(holds, now))
        )

"""What lives on a host's datasets, read while advice is shown: once, then hourly."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause, repeat_while_wanted
from zconsole.collect.on_demand.read_dataset_contents import read_contents
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.readings.replication import with_pools_compared
from zconsole.model.datasets.dataset_contents import DatasetContents
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.pools.pool import SUSPENDED

EVERY_S: Final = 3600.0
COMPARED_WITHIN_S: Final = 5.0  # a pool; with more snapshots than that `zconsole replicas` compares
LOOK_EVERY_S: Final = 10.0  # for settings that were read again meanwhile
AWAIT_EVERY_S: Final = 0.5  # for settings that are being read for the first time


def _is_awaited(pool: PoolState) -> bool:
    return pool.settings.value is None and not pool.settings.problem and pool.kstat_state != SUSPENDED


class DatasetContentsWatch:
    """Reader of what lives on one host's datasets."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, *, slack: float = 1.0) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._every_s = slack * EVERY_S
        self._due = asyncio.Event()
        self._is_wanted = False

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. What was seen is kept, with its age."""
        self._is_wanted = is_wanted
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        await repeat_while_wanted(self._due, lambda: self._is_wanted, self._turn)

    async def _turn(self) -> None:
        if any(map(self._is_due, self._store.state.pools)):
            await self._read()
        awaited = [pool for pool in self._store.state.pools if _is_awaited(pool)]
        await pause(self._clock, AWAIT_EVERY_S if awaited else LOOK_EVERY_S, self._due, keep=True)

    def _is_due(self, pool: PoolState) -> bool:
        """Whether its settings, which tell what is large, were read, and its contents not recently."""
        age = pool.contents.age(self._clock.monotonic())
        return pool.settings.value is not None and (age is None or age >= self._every_s)

    async def _read(self) -> None:
        read = tuple(pool.name for pool in self._store.state.pools if pool.settings.value is not None)
        problem, found = "", None
        try:
            with contained("what lives on the datasets"):
                found = await read_contents(self._asker, self._store.state)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            problem = in_words(error)
        for name in read:
            self._store.update_pool(name, lambda pool: self._with(pool, found, problem))
        if self._store.state.replication.value is None:
            await self._compare()

    async def _compare(self) -> None:
        """Compare the pools of the host for copies, where no comparison is known."""
        asker, state = self._asker, self._store.state
        try:
            with contained("the copies among the pools"):
                found = await with_pools_compared(state, asker.host, self._clock, timeout_s=COMPARED_WITHIN_S)
                copies = found.replication
        except ZConsoleError as error:
            copies = Reading(problem=in_words(error))
        self._store.commit(replace(self._store.state, replication=copies))

    def _with(
        self, pool: PoolState, found: Mapping[str, tuple[DatasetContents, ...]] | None, problem: str
    ) -> PoolState:
        value = pool.contents.value if found is None else found.get(pool.name, ())
        return replace(pool, contents=Reading(value, self._clock.monotonic(), problem))

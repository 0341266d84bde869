"""Status of all pools of a host, read concurrently: a hanging pool delays no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.care.scan_restarts_in_events import restarts_in_events
from zconsole.analysis.vdevs.pool_degraded_since import degraded_since
from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store, with_reading
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.keep_departed_disk_evidence import keep_departed
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import read_pool
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion

STATUS_EVERY_S: Final = 5.0
AT_MOST_EVERY_S: Final = 1.0  # also during a storm of events


class StatusWatch:
    """Watcher of one host; `was_read` is called after each pool."""

    def __init__(
        self, asker: Asker, store: Store, clock: Clock, *, slack: float, was_read: Callable[[], None]
    ) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._was_read = was_read
        self._due = asyncio.Event()

    def refresh_soon(self) -> None:
        """Read the status now."""
        self._due.set()

    async def run(self, version: ZfsVersion) -> None:
        """Read until cancelled, or until the link is lost."""
        under_way: dict[str, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as tasks:
            while True:
                if not self._store.state.pools:
                    await self._due.wait()  # until the names are read
                for pool in self._store.state.pools:
                    task = under_way.get(pool.name)
                    if task is None or task.done():
                        under_way[pool.name] = tasks.create_task(self._read(pool.name, version))
                await self._clock.sleep(AT_MOST_EVERY_S)
                await pause(self._clock, self._slack * STATUS_EVERY_S - AT_MOST_EVERY_S, self._due)

    def report(self, error: ZConsoleError) -> None:
        """Show why no status is read."""
        problem = in_words(error)
        for pool in self._store.state.pools:
            self._store.update_pool(
                pool.name, lambda state: replace(state, pool=replace(state.pool, problem=problem))
            )

    async def _read(self, name: str, version: ZfsVersion) -> None:
        before = self._store.state.pool(name)
        try:
            known = before.pool.value if before is not None else None
            with contained(f"the status of {name}"):
                pool = await read_pool(self._asker, name, version, with_guids=known)
            reading = Reading(pool, self._clock.monotonic())
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            old = before.pool if before is not None else Reading()
            reading = replace(old, problem=in_words(error))
        now = self._clock.now()

        def take_in(state: PoolState) -> PoolState:
            fresh = with_reading(state, reading, now)
            if fresh.pool.value is None or fresh.pool.problem:
                return fresh
            events = self._store.state.events
            restarts = max(fresh.scan_restarts, restarts_in_events(fresh.pool.value, events))
            since = degraded_since(fresh.pool.value, events)
            return replace(fresh, degraded_since=since, scan_restarts=restarts)

        last = self._store.state
        self._store.update_pool(name, take_in)
        keep_departed(self._store, last, now)
        self._was_read()

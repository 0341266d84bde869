"""Containers of a host, read while a screen shows guests."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.collect.fault_isolation import contained
from zconsole.collect.guests.read_all_containers import read_all_containers
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause, repeat_while_wanted
from zconsole.collect.read_command_runner import Asker
from zconsole.model.pools.pool import SUSPENDED

EVERY_S: Final = 60.0
RECENT_S: Final = 15.0  # a screen that opens is content with containers of this age


class ContainerWatch:
    """Reader of one host's containers."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, *, slack: float = 1.0) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._due = asyncio.Event()
        self._is_wanted = False

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Earlier containers are kept, with their age."""
        self._is_wanted = is_wanted
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        await repeat_while_wanted(self._due, lambda: self._is_wanted, self._turn)

    async def _turn(self) -> None:
        age = self._store.state.containers.age(self._clock.monotonic())
        if age is None or age > RECENT_S:
            await self._read()
        await pause(self._clock, EVERY_S * self._slack, self._due, keep=True)

    async def _read(self) -> None:
        live = [each.name for each in self._store.state.pools if each.state != SUSPENDED]
        with contained("the containers"):
            reading = await read_all_containers(self._asker, self._clock, live)
        if reading.value is None:  # the last good ones stay
            known = self._store.state.containers
            reading = replace(known, problem=reading.problem)
        self._store.commit(replace(self._store.state, containers=reading))

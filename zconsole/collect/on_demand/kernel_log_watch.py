"""Kernel messages about a host's disks, read while a screen shows them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause, repeat_while_wanted
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.readings.kernel_messages import read_kernel_messages
from zconsole.model.host.host_state import Reading

EVERY_S: Final = 300.0
RECENT_S: Final = 60.0  # a screen that opens is content with messages of this age


class KernelLogWatch:
    """Reader of one host's kernel messages."""

    def __init__(self, asker: Asker, store: Store, clock: Clock) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._due = asyncio.Event()
        self._is_wanted = False

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Earlier messages are kept, with their age."""
        self._is_wanted = is_wanted
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        await repeat_while_wanted(self._due, lambda: self._is_wanted, self._turn)

    async def _turn(self) -> None:
        age = self._store.state.kernel.age(self._clock.monotonic())
        if age is None or age > RECENT_S:
            await self._read()
        await pause(self._clock, EVERY_S, self._due, keep=True)

    async def _read(self) -> None:
        try:
            with contained("the kernel's messages"):
                found = await read_kernel_messages(self._asker, Privilege(self._asker))
            reading = Reading(found, self._clock.monotonic())
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            reading = Reading(self._store.state.kernel.value, self._clock.monotonic(), in_words(error))
        self._store.commit(replace(self._store.state, kernel=reading))

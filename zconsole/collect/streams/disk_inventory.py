"""Disks of a host: read periodically, and at once after an event of udev or of ZFS."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.keep_departed_disk_evidence import keep_departed
from zconsole.collect.previous_or_serial_based_disk_names import with_names
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import read_disks
from zconsole.hosts.host import NOT_STARTED
from zconsole.model.host.host_state import Reading
from zconsole.system.udev_monitor import MONITOR, DiskEventReader

EVERY_S: Final = 300.0
SHOWN_EVERY_S: Final = 60.0  # while a screen shows the disks
UNTOLD_EVERY_S: Final = 10.0  # the same without udev, whose events tell of a disk at once
FRESH_S: Final = 2.0  # a screen that opens is content with a reading of this age
AT_MOST_EVERY_S: Final = 2.0  # a new disk causes several events: disk, partitions, links
RETRY_S: Final = 60.0


class InventoryWatch:
    """Reader of a host's disks."""

    def __init__(self, asker: Asker, store: Store, clock: Clock, on_change: Callable[[], None]) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._on_change = on_change
        self._due = asyncio.Event()
        self._is_wanted = False
        self._is_told = True  # whether udev tells of disks

    def want(self, *, is_wanted: bool) -> None:
        """Read more often while a screen shows the disks, and now unless they were just read."""
        age = self._store.state.inventory.age(self._clock.monotonic())
        if is_wanted and not self._is_wanted and (age is None or age > FRESH_S):
            self._due.set()
        self._is_wanted = is_wanted

    def refresh_soon(self) -> None:
        """Read soon."""
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        while True:
            self._due.clear()
            await self._read()
            self._on_change()
            await self._clock.sleep(AT_MOST_EVERY_S)
            await pause(self._clock, self._every_s() - AT_MOST_EVERY_S, self._due, keep=True)

    async def follow_events(self) -> None:
        """Read at udev's events until cancelled; without udev disks are read periodically only."""
        while True:
            reader = DiskEventReader()
            try:
                with contained("the events of disks"):
                    async with self._asker.host.stream(MONITOR) as chunks:
                        self._is_told = True
                        async for chunk in chunks:
                            if reader.feed(chunk):
                                self._due.set()
            except (LinkLost, HostUnreachable):
                raise
            except ZConsoleError as error:
                self._is_told = False
                if getattr(error, "status", None) in NOT_STARTED:
                    return
            await self._clock.sleep(RETRY_S)

    def _every_s(self) -> float:
        if not self._is_wanted:
            return EVERY_S
        return SHOWN_EVERY_S if self._is_told else UNTOLD_EVERY_S

    async def _read(self) -> None:
        try:
            with contained("the disks"):
                found = await read_disks(self._asker, lights=self._is_wanted)
            state = self._store.state
            known = state.inventory.value
            found = with_names(found, state.pools, known)
            # The same object if unchanged, so that results derived from it stay cached.
            kept = known if found == known else found
            reading = Reading(kept, self._clock.monotonic(), found.links_problem)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            reading = replace(self._store.state.inventory, problem=in_words(error))
        before = self._store.state
        self._store.commit(replace(before, inventory=reading))
        keep_departed(self._store, before, self._clock.now())

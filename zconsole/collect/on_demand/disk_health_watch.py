"""SMART data of a host's disks: read when a screen shows it and it is not recent, and rarely otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.device_names import disk_identity
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.asker import Asker, in_words
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.privilege import Privilege
from zconsole.collect.readings.disk_health import Ways, read_disk_health
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk import Disk, Inventory
from zconsole.model.pools.disk_health import DiskHealth, HealthAnswer, HealthRecord, PowerMode, Unreadable

RECENT_S: Final = 300.0  # a screen is content with data of this age
LOOK_EVERY_S: Final = 60.0


class DiskHealthWatch:
    """Reader of SMART data of one host."""

    def __init__(self, asker: Asker, store: Store, clock: Clock) -> None:
        self._asker = asker
        self._store = store
        self._clock = clock
        self._due = asyncio.Event()
        self._is_wanted = False
        self._ways: Ways = {}

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Earlier data is kept, with its age."""
        self._is_wanted = is_wanted
        self._due.set()

    def look_again(self) -> None:
        """Read the data of disks that have appeared."""
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        while True:
            self._due.clear()
            disks = self._due_disks()
            if disks:
                await self._read(disks)
            if self._is_wanted:
                await pause(self._clock, LOOK_EVERY_S, self._due, keep=True)
            else:
                await self._due.wait()

    def _due_disks(self) -> Sequence[Disk]:
        """Disks of which no recent answer is known."""
        inventory = self._store.state.inventory.value
        if not self._is_wanted or inventory is None:
            return ()
        now = self._clock.now()
        recent = {each.disk for each in self._records() if 0 <= now - each.at < RECENT_S}
        return tuple(disk for disk in whole_disks(inventory) if disk_identity(disk) not in recent)

    def _records(self) -> tuple[HealthRecord, ...]:
        return self._store.state.smart.value or ()

    async def _read(self, disks: Sequence[Disk]) -> None:
        self._await(len(disks))
        try:
            with contained("the SMART data"):
                found = await read_disk_health(
                    self._asker, Privilege(self._asker), disks, ways=self._ways, told=self._take_in
                )
            if Unreadable.NOT_PERMITTED in found.values():
                self._ways.clear()  # the rules of sudo may change
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            smart = replace(self._store.state.smart, problem=in_words(error))
            self._store.commit(replace(self._store.state, smart=smart))
        finally:
            self._await(0)

    def _await(self, disks: int) -> None:
        self._store.commit(replace(self._store.state, smart_awaited=disks))

    def _take_in(self, disk: Disk, answer: HealthAnswer) -> None:
        """Add an answer to the state, in place of the disk's earlier one."""
        state = self._store.state
        name = disk_identity(disk)
        before = next((each for each in self._records() if each.disk == name), None)
        fresh = recorded(name, answer, self._clock.now(), before)
        present = {disk_identity(each) for each in whole_disks(state.inventory.value or Inventory())}
        others = (each for each in self._records() if each.disk != name and each.disk in present)
        self._store.commit(
            replace(
                state,
                smart=Reading((*others, fresh), self._clock.monotonic()),
                smart_awaited=max(0, state.smart_awaited - 1),
            )
        )


def recorded(
    disk: tuple[str, ...], answer: HealthAnswer, at: float, before: HealthRecord | None
) -> HealthRecord:
    """Record of an answer. A disk that sleeps or is silent keeps the data that it gave before."""
    if isinstance(answer, DiskHealth) and answer.power_mode is PowerMode.ACTIVE:
        earlier = before.earlier if before is not None else None
        return HealthRecord(disk, answer, at, answer, at, earlier)
    if before is None:
        return HealthRecord(disk, answer, at)
    return replace(before, answer=answer, at=at)

"""SMART data of a host's disks: read when a screen shows it and it is not recent, and rarely otherwise."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.keep_departed_disk_evidence import EvidenceKeeper
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.readings.keep_and_recall_disk_places import with_places
from zconsole.collect.readings.read_and_keep_smart_records import keep, recorded, stored_records
from zconsole.collect.readings.smart_data import Ways, read_disk_health
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.smart_health import HealthAnswer, HealthRecord, Unreadable

if TYPE_CHECKING:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

logger = logging.getLogger(__name__)

EVERY_S: Final = 1800.0  # while no screen shows it
RECENT_S: Final = 300.0  # a screen is content with data of this age
LOOK_EVERY_S: Final = 60.0
KeepsHealth = Callable[[], "DiskHealthStore"]


class DiskHealthWatch:
    """Reader of SMART data of one host. With `kept` it reads now and then without being wanted."""

    def __init__(
        self,
        asker: Asker,
        store: Store,
        clock: Clock,
        *,
        slack: float = 1.0,
        kept: KeepsHealth | None = None,
    ) -> None:
        """`kept` opens what is kept on disk, for trends and for a start without any reading."""
        self._asker = asker
        self._store = store
        self._clock = clock
        self._due = asyncio.Event()
        self._is_wanted = False
        self._ways: Ways = {}
        self._every_s = slack * EVERY_S
        self._kept = kept
        self._has_complained = False
        self._looked_up: set[tuple[str, ...]] = set()  # disks whose kept data was looked up
        self._evidence = EvidenceKeeper()

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Earlier data is kept, with its age."""
        self._is_wanted = is_wanted
        self._due.set()

    def refresh_soon(self) -> None:
        """Read the data of disks that have appeared."""
        self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises LinkLost and HostUnreachable."""
        while True:
            self._due.clear()
            await self._look_up()
            await self._remember_places()
            disks = self._due_disks()
            if disks:
                await self._read(disks)
            if self._is_wanted or self._kept is not None:
                await pause(self._clock, LOOK_EVERY_S, self._due, keep=True)
            else:
                await self._due.wait()

    def _due_disks(self) -> Sequence[Disk]:
        """Disks of which no recent answer is known."""
        inventory = self._store.state.inventory.value
        if inventory is None or not (self._is_wanted or self._kept is not None):
            return ()
        now, lasts_s = self._clock.now(), RECENT_S if self._is_wanted else self._every_s
        recent = {each.disk for each in self._records() if 0 <= now - each.at < lasts_s}
        return tuple(disk for disk in whole_disks(inventory) if disk_identity(disk) not in recent)

    def _records(self) -> tuple[HealthRecord, ...]:
        return self._store.state.smart.value or ()

    async def _read(self, disks: Sequence[Disk]) -> None:
        self._await(len(disks))
        try:
            with contained("the SMART data"):
                found = await read_disk_health(self._asker, disks, ways=self._ways, told=self._take_in)
                await self._keep(disks, found)
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
        state, name = self._store.state, disk_identity(disk)
        before = next((each for each in self._records() if each.disk == name), None)
        fresh = recorded(name, answer, self._clock.now(), before)
        self._replace([fresh], smart_awaited=max(1, state.smart_awaited - 1))

    def _replace(self, fresh: Sequence[HealthRecord], **more: int) -> None:
        """Commit records in place of the same disks' earlier ones; those of absent disks go."""
        if not fresh:
            return
        state = self._store.state
        present = {disk_identity(each) for each in whole_disks(state.inventory.value or Inventory())}
        gone = {each.disk for each in fresh}
        others = (each for each in self._records() if each.disk not in gone and each.disk in present)
        smart = Reading((*others, *fresh), self._clock.monotonic())
        self._store.commit(replace(state, smart=smart, **more))  # type: ignore[arg-type]

    async def _look_up(self) -> None:
        """Take over the kept data of disks that are new here, with its age."""
        inventory = self._store.state.inventory.value
        if self._kept is None or inventory is None:
            return
        names = {disk_identity(disk) for disk in whole_disks(inventory)} - self._looked_up
        if not names:
            return
        self._looked_up |= names
        try:
            kept = await stored_records(self._kept(), names)
        except ZConsoleError as error:
            self._complain(error)
            return
        known = {each.disk for each in self._records() if each.known is not None}
        self._replace([each for each in kept if each.disk not in known])

    async def _remember_places(self) -> None:
        """Keep where the disks of the pools are, and learn where those that are gone were."""
        state = self._store.state
        kept = self._kept() if self._kept is not None else None
        try:
            places = (await with_places(state, self._clock.now(), kept)).places
        except ZConsoleError as error:
            self._complain(error)
            places = (await with_places(state, self._clock.now(), None)).places
        if places is not state.places:
            self._store.commit(replace(self._store.state, places=places))

    async def _keep(self, disks: Sequence[Disk], found: Mapping[str, HealthAnswer]) -> None:
        """Keep the answers with data, and tell growth from what was kept before."""
        if self._kept is None:
            return
        names = {disk.name: disk_identity(disk) for disk in disks}
        answers = [(names[name], answer) for name, answer in found.items()]
        try:
            earlier = await keep(self._kept(), answers, self._clock.now())
        except ZConsoleError as error:
            self._complain(error)
            return
        fresh = [
            replace(each, earlier=earlier[each.disk]) for each in self._records() if each.disk in earlier
        ]
        self._replace(fresh)

    def _complain(self, error: ZConsoleError) -> None:
        """Log once that the file cannot be used: readings go on without it."""
        if not self._has_complained:
            self._has_complained = True
            logger.warning("the history of SMART data: %s", error)

"""Guests of libvirt: read while a screen shows them, and at libvirt's events.

Where it may read unasked, it asks for the states of the guests only, rarely and at events, until a guest is
paused by an I/O error: then it reads all, for the finding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.guests.disk_io_rates import with_rates
from zconsole.analysis.guests.disks_shared_by_guests import on_one_disk
from zconsole.analysis.guests.guests_not_looked_at import not_looked_at
from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.guests.libvirt_connections import LibvirtConnections
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.guests.read_statuses import with_errors, with_statuses
from zconsole.collect.holder_of_host_lock import read_holder
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.streams.restarting_stream import keep
from zconsole.model.guests.guest import Guest, GuestStatus
from zconsole.model.host.host_state import Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.libvirt.events import GuestEvent, changes_disks

LIVE_EVERY_S: Final = 5.0  # while a screen shows them, over a connection that is open
SHOWN_EVERY_S: Final = 60.0  # with a virsh for each question
FIRST_RATES_S: Final = 5.0  # from the first reading for a screen to the second, which has the rates of I/O
EVERY_S: Final = 300.0
DEFINITIONS_WITHIN_S: Final = 60.0
IMAGES_EVERY_S: Final = 300.0  # definitions, and sizes of images, while a screen shows them
AT_MOST_EVERY_S: Final = 2.0  # a guest that starts causes several events
REST: Final = 10.0  # times as long as the last reading of all took, before the next
HOLDER_EVERY_S: Final = 15.0  # the lock of the host, while a screen shows guests
RETRY_FROM_S: Final = 2.0  # after events have ended, doubled while they end at once: libvirtd restarts
RETRY_S: Final = 60.0  # at most
WENT_WELL_S: Final = 30.0  # of events: a libvirtd that then ends may be back soon


def _are_in_trouble(statuses: Sequence[GuestStatus]) -> bool:
    """Whether an I/O error has paused a guest, or two write to one disk."""
    return any(each.is_paused_by_io_error for each in statuses) or bool(on_one_disk(statuses))


class GuestWatch:
    """Reader of one host's guests."""

    def __init__(
        self, asker: Asker, store: Store, clock: Clock, *, slack: float = 1.0, is_unasked: bool = False
    ) -> None:
        """`is_unasked`: follow the states of the guests though no screen shows them."""
        self._asker = asker
        self._libvirt = LibvirtConnections(asker, clock)
        self._store = store
        self._clock = clock
        self._slack = slack
        self._is_unasked = is_unasked
        self._is_wanted = False
        self._is_absent = False  # nothing of libvirt answered; a screen has it tried again
        self._are_disks_due = True
        self._are_rates_due = False  # a screen shows guests that were read once
        self._holder_at = -HOLDER_EVERY_S  # when the lock of the host was looked at
        self._counted_at = 0.0  # when the counters were read
        self._disks_at = self._disks_again_at = -EVERY_S
        self._names: frozenset[tuple[str, str]] = frozenset()  # of all guests, when their disks were read
        self._retry_s = RETRY_FROM_S
        self._due = asyncio.Event()
        self._stream_due = asyncio.Event()

    def want(self, *, is_wanted: bool) -> None:
        """Start or stop reading. Guests that were read are followed from then on, rarely without events."""
        if is_wanted and not self._is_wanted:
            self._is_absent = False
            self._libvirt.try_again()
        self._is_wanted = is_wanted
        self._due.set()
        self._stream_due.set()

    def follow(self) -> None:
        """Follow the states of the guests though no screen shows them."""
        if not self._is_unasked:
            self._is_unasked = True
            self._due.set()
            self._stream_due.set()

    def refresh_soon(self) -> None:
        """Read the guests with their disks again, if they are read at all."""
        self._are_disks_due = True
        self._due.set()

    async def run(self) -> None:
        """Read and follow until cancelled. Raises LinkLost and HostUnreachable."""
        self._is_absent, self._are_disks_due = False, True
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read_on())
                tasks.create_task(
                    keep(
                        lambda: self._is_needed() or None,
                        self._stream_due,
                        self._follow,
                        clock=self._clock,
                        on_problem=lambda _, _words: self._due.set(),
                    )
                )
        finally:
            await self._libvirt.close()

    def _is_needed(self) -> bool:
        is_followed = self._is_unasked or self._store.state.guests.value is not None
        return (self._is_wanted or is_followed) and not self._is_absent

    async def _read_on(self) -> None:
        while True:
            self._due.clear()
            if not self._is_needed():
                await self._due.wait()
                continue
            began = self._clock.monotonic()
            await self._read()
            took_s = self._clock.monotonic() - began
            await self._clock.sleep(AT_MOST_EVERY_S)
            every_s = max(self._slack * self._every_s, REST * took_s)
            if self._is_wanted and self._are_rates_due:
                every_s = min(every_s, max(FIRST_RATES_S, took_s))
            again_s = self._disks_again_at - self._clock.monotonic()
            if self._are_disks_due and again_s > 0:
                every_s = min(every_s, again_s)
            await pause(self._clock, max(0.0, every_s - AT_MOST_EVERY_S), self._due, keep=True)

    @property
    def _every_s(self) -> float:
        """Between two readings without an event."""
        if not self._is_wanted:
            return EVERY_S
        return LIVE_EVERY_S if self._libvirt.is_connected else SHOWN_EVERY_S

    async def _read(self) -> None:
        known = self._store.state.guests
        try:
            with contained("the guests"):
                guests, problem = await self._guests(known.value)
            reading = Reading(guests, self._clock.monotonic(), problem)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError as error:
            reading = replace(known, problem=in_words(error))
            self._is_absent = known.value is None
            self._stream_due.set()
        holder = await self._lock_holder() if reading.value else None
        if self._is_wanted or reading.value is not None:
            self._store.commit(replace(self._store.state, guests=reading, lock_holder=holder))

    async def _lock_holder(self) -> str | None:
        """Who else carries out a plan here, while guests are shown: it may move one of them."""
        if not self._is_wanted or any(not run.state.is_end for run in self._store.state.runs):
            return None
        if self._clock.monotonic() - self._holder_at < HOLDER_EVERY_S:
            return self._store.state.lock_holder
        self._holder_at = self._clock.monotonic()
        try:
            return await read_holder(self._asker.host, Privilege(self._asker))
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError:
            return None

    async def _guests(self, known: Sequence[Guest] | None) -> tuple[tuple[Guest, ...] | None, str]:
        """All guests, None where nobody asked for them and none is in trouble; and what else is wrong."""
        statuses, problem = await self._libvirt.statuses()
        since_s, self._counted_at = self._clock.monotonic() - self._counted_at, self._clock.monotonic()
        if known is None and not self._is_wanted and not _are_in_trouble(statuses):
            return None, ""
        now = self._clock.monotonic()
        is_old = self._is_wanted and now - self._disks_at >= IMAGES_EVERY_S
        are_due = (self._are_disks_due or is_old) and now >= self._disks_again_at
        if known is not None and not are_due and self._names == {each.key for each in statuses}:
            sources = self._libvirt.answering
            guests = await with_errors(sources, with_statuses(known, statuses))
        else:
            guests = await self._all(statuses, now)
        self._are_rates_due = known is None
        problem = "; ".join(filter(None, (problem, not_looked_at(guests))))
        return with_rates(known or (), guests, since_s), problem

    async def _all(self, statuses: Sequence[GuestStatus], began: float) -> tuple[Guest, ...]:
        self._are_disks_due = False
        inventory = self._store.state.inventory.value or Inventory()
        try:
            sources = self._libvirt.answering
            privilege = Privilege(self._asker)
            guests = await read_guests(
                self._asker, privilege, inventory, sources=sources, read=statuses,
                within_s=DEFINITIONS_WITHIN_S,
            )  # fmt: skip
        except ZConsoleError:
            self._are_disks_due = True
            raise
        self._names = frozenset(each.key for each in statuses)
        self._disks_at = self._clock.monotonic()
        self._disks_again_at = self._disks_at + REST * (self._disks_at - began)
        return guests

    async def _follow(self, _is_needed: bool) -> None:
        """Read at events until the stream ends, and again before the next one."""
        began = self._clock.monotonic()
        try:
            await self._libvirt.follow(self._hear)
        except (LinkLost, HostUnreachable):
            raise
        except ZConsoleError:
            pass  # the reading tells what is wrong
        self._due.set()
        if self._clock.monotonic() - began > WENT_WELL_S:
            self._retry_s = RETRY_FROM_S
        retry_s, self._retry_s = self._retry_s, min(RETRY_S, 2 * self._retry_s)
        await self._clock.sleep(retry_s)
        self._are_disks_due = True  # events were missed
        self._due.set()

    def _hear(self, events: Sequence[GuestEvent]) -> None:
        self._are_disks_due |= any(map(changes_disks, events))
        self._due.set()

"""Session of one host: connects, collects, reports a lost link, and reconnects.

Each part is read by its own task, so that a hanging part makes only itself old. A late answer delays the next
question of its kind; two never overlap.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from zconsole.base.clock import Clock
from zconsole.base.errors import (
    ENDS_SESSION,
    CommandFailed,
    HostError,
    HostKeyChanged,
    HostKeyUnknown,
    HostUnreachable,
    LinkLost,
    ParseError,
    Stuck,
    ZConsoleError,
    ZfsMissing,
)
from zconsole.collect.fault_isolation import again_and_again, fault
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import ReadingDue, pause
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import (
    read_hostname,
    read_kstat_state,
    read_pool_names,
    read_version,
)
from zconsole.collect.streams.disk_inventory import InventoryWatch
from zconsole.collect.streams.iostat import IoStream
from zconsole.collect.streams.pool_status import AT_MOST_EVERY_S, HISTORY_EVENT, StatusWatch
from zconsole.collect.streams.process_samples_of_hosts_in_batches import BatchTicker
from zconsole.collect.streams.restarting_stream import keep, unless_silent
from zconsole.collect.streams.zfs_events import EventWatch
from zconsole.hosts.host import Host, login_of
from zconsole.hosts.ssh.reconnect_backoff import backoff
from zconsole.model.host.host_state import LinkState, LinkStatus, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import SUSPENDED

if TYPE_CHECKING:
    from zconsole.collect.readings_while_displayed import Demand
    from zconsole.collect.slow_disk_detectors import Verdicts
    from zconsole.history.host_timeline import HostPast
    from zconsole.model.pools.dataset_io import DatasetIoSample
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore
    from zconsole.storage.snapshot_cache import SnapshotIndex

KSTAT_EVERY_S: Final = 2.0
KSTAT_TOLD_SLACK: Final = 2.0  # a suspension is an event too, and read at once with it
KSTAT_AT_LEAST_EVERY_S: Final = 4.0  # shows a suspension within 5 s, for any number of hosts
NAMES_EVERY_S: Final = 6.0  # pools change rarely, and mostly with an event
NAMES_TOLD_EVERY_S: Final = 30.0  # an event tells of each pool that comes or goes
QUIET_EVENTS: Final = frozenset({HISTORY_EVENT})  # pools do not come or go with them
MACHINE_AFTER_S: Final = 3.0
HEALTH_AFTER_S: Final = 20.0
SETTINGS_AFTER_S: Final = 30.0  # after all that a user waits for
DISK_EVENT_RECENT_S: Final = 60.0
DISK_EVENTS: Final = frozenset(  # that tell of a disk which came or went
    {"resource.fs.zfs.removed", "resource.fs.zfs.statechange", "sysevent.fs.zfs.vdev_online"}
)
REFUSING: Final = (HostKeyUnknown, HostKeyChanged, ZfsMissing)


@runtime_checkable
class RemembersKeys(Protocol):
    """Host that can store a trusted key."""

    async def accept_key(self, fingerprint: str) -> None:
        """Remember the host's key if its fingerprint is this one; HostError otherwise."""


class HostSession:
    """Collectors of one host."""

    def __init__(  # noqa: PLR0913 - all but three have good defaults
        self,
        host: Host,
        store: Store,
        clock: Clock,
        *,
        interval_s: float = 1.0,
        slack: float = 1.0,
        on_up: Callable[[], None] = lambda: None,
        past: Callable[[], HostPast] | None = None,
        keep_load: Callable[[str, DatasetIoSample], None] = lambda _pool, _sample: None,
        beat: BatchTicker | None = None,
        indexes: Callable[[], SnapshotIndex] | None = None,
        health: Callable[[], DiskHealthStore] | None = None,
    ) -> None:
        """`slack` stretches the pauses between commands, for one host among many; streams keep their pace.

        `beat` schedules the processing of samples; without it they are processed at once.

        `on_up` is called at each connection to a host with ZFS; `past` returns the history, from the first
        sample on; `keep_load` stores dataset I/O; `indexes` opens the saved snapshot listings, `health` the
        kept SMART data.
        """
        self._on_up = on_up
        self._indexes = indexes
        self._health = health
        self.past = past
        self._keep_load = keep_load
        self.host = host
        self.store = store
        self._clock = clock
        self._interval_s = interval_s
        self._slack = slack
        self._beat = beat
        store.commit(replace(store.state, slack=slack))
        self._asker = Asker(host)
        self._disks = InventoryWatch(self._asker, store, clock, self._disks_were_read)
        self._events = EventWatch(host, store, clock, self._heard)
        self._status = StatusWatch(
            self._asker,
            store,
            clock,
            slack=slack,
            was_read=self._status_was_read,
            is_told=lambda: self._events.is_followed,
        )
        self._hurry = asyncio.Event()
        self._io_due = asyncio.Event()
        self._names_due = asyncio.Event()
        self._io: IoStream | None = None
        self._verdicts: Verdicts | None = None
        self._demand: Demand | None = None
        self._demanded = asyncio.Event()
        self._follows_guests = False
        self._settings_due = ReadingDue()
        self._attempt = 0

    def refresh(self) -> None:
        """Read everything now; reconnect at once."""
        self._attempt = 0
        self._hurry.set()
        self._status.refresh_soon()
        self._names_due.set()
        self._disks.refresh_soon()
        if any(pool.settings.value is not None for pool in self.store.state.pools):
            self._settings_due.set_after_change()
        if self._demand is not None:
            self._demand.refresh_guests()

    def set_interval(self, seconds: float) -> None:
        """Set the interval of I/O samples."""
        if seconds != self._interval_s:
            self._interval_s = seconds
            self._verdicts = None
        self._io_due.set()

    @property
    def demand(self) -> Demand:
        """Readings on demand, created at first use."""
        if self._demand is None:
            from zconsole.collect.readings_while_displayed import Demand  # noqa: PLC0415  # after the first frame

            self._demand = Demand(
                self._asker,
                self.store,
                self._clock,
                slack=self._slack,
                keep_load=self._keep_load,
                indexes=self._indexes,
                health=self._health,
                settings_due=self._settings_due,
            )
            self._demanded.set()
        return self._demand

    def want_disks(self, *, is_wanted: bool) -> None:
        """Read the disks often, and their SMART data now and then, while a screen shows them."""
        self._disks.want(is_wanted=is_wanted)
        self.demand.want_disk_health(is_wanted=is_wanted)

    def _disks_were_read(self) -> None:
        self._describe()
        if self._demand is not None:
            self._demand.disks_were_read()

    async def accept_host_key(self, fingerprint: str) -> None:
        """Save a key that the user trusts, if the host still shows it, and connect."""
        if not isinstance(self.host, RemembersKeys):
            return
        try:
            await self.host.accept_key(fingerprint)
        except HostError as error:
            link = self.store.state.link
            self.store.set_link(replace(link, reason=in_words(error), hint=error.hint, fingerprint=None))
            return
        self.refresh()

    async def run(self) -> None:
        """Connect and collect until cancelled; every failure becomes state."""
        while True:
            self.store.set_link(replace(self.store.state.link, state=LinkState.CONNECTING, retry_at=None))
            try:
                await self.host.connect()
                version = await read_version(self._asker)
                self._up(version)
                self._on_up()
                await self._collect(version)
            except ZConsoleError as error:
                await self._down(error)
            except Exception as error:  # noqa: BLE001 - of ours, or of a library that this host confuses
                await self._down(fault(error, "the connection"))

    def _up(self, version: ZfsVersion) -> None:
        self._attempt = 0
        now = self._clock.monotonic()
        self.store.forget_recalled()
        self.store.commit(
            replace(
                self.store.state,
                link=LinkStatus(LinkState.UP, since=now),
                login=login_of(self.host),
                machine=None,
                version=Reading(version, taken_at=now),
            )
        )

    async def _down(self, error: ZConsoleError) -> None:
        """Publish why there is no connection, and wait for the next attempt or for the user."""
        self._hurry.clear()
        refused = isinstance(error, REFUSING)
        wait_s = backoff(self._attempt)
        self._attempt += 1
        now = self._clock.monotonic()
        self.store.commit(replace(self.store.state, login=login_of(self.host)))
        self.store.set_link(
            LinkStatus(
                LinkState.REFUSED if refused else LinkState.DOWN,
                reason=in_words(error),
                hint=error.hint,
                fingerprint=error.fingerprint if isinstance(error, HostKeyUnknown) else None,
                retry_at=None if refused else now + wait_s,
                since=now,
            )
        )
        with suppress(OSError, HostError):
            await self.host.close()
        if refused:
            await self._hurry.wait()
        else:
            await pause(self._clock, wait_s, self._hurry)
        self._hurry.clear()

    async def _collect(self, version: ZfsVersion) -> None:
        """Run every collector until the link is lost."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for part, collector, say in (
                    ("the list of pools", self._watch_kstat, self._say_of_pools),
                    ("the status", partial(self._status.run, version), self._status.report),
                    ("the I/O stream", self._watch_io, self._say_of_io),
                    ("the events", self._events.run, self._events.report),
                    ("the disks", self._disks.run, self._say_of_inventory),
                    ("the events of disks", self._disks.follow_events, self._say_of_inventory),
                    ("what was asked for", self._meet_demand, self._say_of_demand),
                    ("the name of the host", self._read_machine, self._say_of_pools),
                    ("the settings", partial(self._watch_settings, version), self._say_of_settings),
                    ("autosit", partial(self._watch_sit_outs, version), self._say_of_pools),
                ):
                    tasks.create_task(again_and_again(part, collector, say, self._clock))
        except* ENDS_SESSION as group:
            raise _first(group) from None

    def _say_of_pools(self, error: ZConsoleError) -> None:
        self.store.commit(replace(self.store.state, pools_problem=in_words(error)))

    def _say_of_io(self, error: ZConsoleError) -> None:
        self.store.set_io_problem([pool.name for pool in self.store.state.pools], in_words(error))

    def _say_of_inventory(self, error: ZConsoleError) -> None:
        state = self.store.state
        self.store.commit(replace(state, inventory=replace(state.inventory, problem=in_words(error))))

    def _say_of_settings(self, error: ZConsoleError) -> None:
        """Show a fault of the watch itself with the settings of each pool."""
        for pool in self.store.state.pools:
            self.store.update_pool(
                pool.name,
                lambda state: replace(state, settings=replace(state.settings, problem=in_words(error))),
            )

    def _say_of_demand(self, error: ZConsoleError) -> None:
        """Show a fault that no collector reported itself as a problem of the pools."""
        self._say_of_pools(error)

    async def _watch_kstat(self) -> None:
        """Watch the pools and their suspension by kstat files, which never hang."""
        names: tuple[str, ...] = ()
        listed_at: float | None = None
        while True:
            now = self._clock.monotonic()
            try:
                names_every_s = NAMES_TOLD_EVERY_S if self._events.is_followed else NAMES_EVERY_S
                is_old = listed_at is None or now - listed_at >= self._slack * names_every_s
                if is_old or self._names_due.is_set():
                    self._names_due.clear()
                    names, listed_at = await read_pool_names(self._asker), now
                await self._read_states(names)
            except (LinkLost, HostUnreachable):
                raise
            except ZConsoleError as error:
                self.store.commit(replace(self.store.state, pools_problem=in_words(error)))
            await self._clock.sleep(AT_MOST_EVERY_S)
            slack = max(self._slack, KSTAT_TOLD_SLACK) if self._events.is_followed else self._slack
            every_s = min(slack * KSTAT_EVERY_S, KSTAT_AT_LEAST_EVERY_S)
            await pause(self._clock, every_s - AT_MOST_EVERY_S, self._names_due, keep=True)

    async def _read_states(self, names: tuple[str, ...]) -> None:
        states = [(name, await read_kstat_state(self.host, name)) for name in names]
        before = [(pool.name, pool.kstat_state) for pool in self.store.state.pools]
        self.store.set_pools(states, self._clock.monotonic())
        if before != states:
            self._status.refresh_soon()
            self._io_due.set()
            if self._demand is not None:
                self._demand.refresh_soon()

    def _status_was_read(self) -> None:
        """Pass the topology on; guests of a pool that takes few writes are followed: they may be paused."""
        self._describe()
        if self._follows_guests:
            return
        from zconsole.analysis.guests.pools_that_may_pause_guests import (  # noqa: PLC0415  # after the first frame
            may_have_paused_guests,
        )

        if may_have_paused_guests(self.store.state.pools):
            self._follows_guests = True
            self.demand.follow_guests()

    def _describe(self) -> None:
        """Pass the present topology to the I/O stream and the detectors."""
        pools = [pool.pool.value for pool in self.store.state.pools if pool.pool.value is not None]
        inventory = self.store.state.inventory.value or Inventory()
        if self._verdicts is not None:
            self._verdicts.describe(pools, inventory)
        if self._io is not None:
            self._io.describe(pools, inventory)

    async def _watch_io(self) -> None:
        """Run one iostat stream for the pools that are not suspended."""

        def say(wanted: tuple[tuple[str, ...], float], problem: str) -> None:
            self.store.set_io_problem(wanted[0], problem)

        await keep(self._wanted_io, self._io_due, self._pump_io, clock=self._clock, on_problem=say)

    def _wanted_io(self) -> tuple[tuple[str, ...], float] | None:
        names = tuple(pool.name for pool in self.store.state.pools if pool.kstat_state != SUSPENDED)
        return (names, self._interval_s) if names else None

    async def _pump_io(self, wanted: tuple[tuple[str, ...], float]) -> None:
        """Store samples until the stream ends, or is silent for so long that it must hang."""
        names, interval_s = wanted
        self._io = IoStream(self.host, self._clock, names, interval_s, slack=self._slack, beat=self._beat)
        self._describe()
        async for samples in unless_silent(self._io.bursts(), interval_s):
            judges = self._judge()
            judges.hear(self.store.state.pools)
            judged = judges.feed(samples)
            now = self._clock.monotonic()
            self.store.add_samples(samples, now, judged)
            if self.past is not None:
                self.past().take_in(samples, self.store.state, now)

    def _judge(self) -> Verdicts:
        """Detectors of slow disks, loaded at the first sample, after the first frame."""
        if self._verdicts is None:
            from zconsole.collect.slow_disk_detectors import Verdicts  # noqa: PLC0415  # after the first frame

            self._verdicts = Verdicts(self._interval_s, is_patient=self._slack > 1)
            self._describe()
        return self._verdicts

    async def _meet_demand(self) -> None:
        if self._health is None:
            await self._demanded.wait()
        else:  # SMART data is read without being demanded, after all that a user waits for
            await pause(self._clock, HEALTH_AFTER_S, self._demanded, keep=True)
        await self.demand.run()

    async def _watch_settings(self, version: ZfsVersion) -> None:
        """Read settings that advice is about, seldom; at once when somebody looks at advice."""
        due = self._settings_due
        await pause(self._clock, self._slack * SETTINGS_AFTER_S, due, keep=True)
        from zconsole.collect.streams.dataset_and_host_settings import (  # noqa: PLC0415  # seldom needed
            SettingsWatch,
        )

        await SettingsWatch(self._asker, self.store, self._clock, slack=self._slack, due=due).run(version)

    async def _watch_sit_outs(self, version: ZfsVersion) -> None:
        """Watch the autosit state of slow disks, where this ZFS has autosit."""
        if version.has_autosit:
            from zconsole.collect.streams.sit_out import SitOutWatch  # noqa: PLC0415  # no disk is slow at first

            await SitOutWatch(self._asker, self.store, self._clock, self._slack).run()

    def _heard(self, events: Sequence[Event]) -> None:
        """Read what the events are of."""
        if self._demand is not None:
            self._demand.hear(events)
        self._status.hear(events)
        if any(event.event_class not in QUIET_EVENTS for event in events):
            self._names_due.set()
        recent = self._clock.now() - DISK_EVENT_RECENT_S  # `zpool events -f` repeats all earlier events
        if any(each.event_class in DISK_EVENTS and (each.at or 0) > recent for each in events):
            self._disks.refresh_soon()

    async def _read_machine(self) -> None:
        """Read the host's name; later its identity and user, so that no plan has to wait for these."""
        with suppress(CommandFailed):
            hostname = await read_hostname(self._asker)
            self.store.commit(replace(self.store.state, hostname=hostname))
        await self._clock.sleep(self._slack * MACHINE_AFTER_S)
        from zconsole.collect.machine_identity import read_machine  # noqa: PLC0415  # after the first frame

        with suppress(CommandFailed, ParseError, Stuck):
            machine = await read_machine(self._asker)
            self.store.commit(replace(self.store.state, machine=machine))


def _first(group: BaseExceptionGroup[ZConsoleError]) -> ZConsoleError:
    """First plain error of nested exception groups."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, ZConsoleError):
        raise error
    return error

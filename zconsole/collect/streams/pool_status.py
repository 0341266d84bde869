"""Status and sizes of all pools of a host, read when they may have changed; a hanging pool delays no other.

Pools that answered are read by the same commands; one that did not is read by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from zconsole.analysis.findings.care.scan_restarts_in_events import restarts_in_events
from zconsole.analysis.repair.newly_attached_devices import with_doubt_beside_attached
from zconsole.analysis.vdevs.pool_degraded_since import degraded_since
from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import together
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store, with_reading
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.keep_departed_disk_evidence import keep_departed
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_pool_status_and_space import (
    ListedSpace,
    read_spaces,
    read_statuses,
    statuses_in_line,
    with_space,
)
from zconsole.collect.streams.pool_status_pace import CHANGING_EVERY_S, space_every_s, status_every_s
from zconsole.collect.streams.pool_status_stream import status_lines
from zconsole.collect.streams.restarting_stream import keep
from zconsole.hosts.host import keep_answer, runs_any_command
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import SUSPENDED, Pool
from zconsole.zfs.status.status import status

AT_MOST_EVERY_S: Final = 1.0  # also during a storm of events
HISTORY_EVENT: Final = "sysevent.fs.zfs.history_event"  # of datasets and properties: it may move space
UNTOLD_FOR_S: Final = 15.0  # without events: then they are not permitted, rather than late
ERROR_REPORTS: Final = "ereport."  # they change counters and states, not sizes


@dataclass(slots=True)
class _Known:
    """What was read of one pool, when, and whether something tells that it is not so any more."""

    bare: Pool | None = None  # its status, without sizes
    space: ListedSpace | None = None
    status_at: float | None = None
    followed_at: float | None = None  # when a program that stays told it last
    space_at: float | None = None
    is_status_due: bool = True
    is_space_due: bool = True
    reading: asyncio.Task[None] | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether an earlier reading has not ended."""
        return self.reading is not None and not self.reading.done()


class StatusWatch:
    """Watcher of one host; `was_read` is called after each reading."""

    def __init__(  # noqa: PLR0913 - collaborators
        self,
        asker: Asker,
        store: Store,
        clock: Clock,
        *,
        slack: float,
        was_read: Callable[[], None],
        is_told: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_told` says whether ZFS's events are followed, so that what they tell need not be asked for."""
        self._asker = asker
        self._store = store
        self._clock = clock
        self._slack = slack
        self._was_read = was_read
        self._is_told = is_told
        self._due = asyncio.Event()
        self._known: dict[str, _Known] = {}
        self._stream_due = asyncio.Event()
        self._began_at = 0.0

    def refresh_soon(self) -> None:
        """Read all pools now."""
        for known in self._known.values():
            known.is_status_due = known.is_space_due = True
        self._due.set()

    def hear(self, events: Iterable[Event]) -> None:
        """Read soon what events may have changed."""
        for event in events:
            about = self._known.get(event.pool or "")
            for known in self._known.values() if about is None else (about,):
                known.is_status_due |= event.event_class != HISTORY_EVENT
                known.is_space_due |= not event.event_class.startswith(ERROR_REPORTS)
        self._due.set()

    async def run(self, version: ZfsVersion) -> None:
        """Read until cancelled, or until the link is lost."""
        self._known.clear()
        self._began_at = self._clock.monotonic()
        async with asyncio.TaskGroup() as tasks:
            wanted, follow = partial(self._to_follow, version), partial(self._follow, version)
            tasks.create_task(
                keep(wanted, self._stream_due, follow, clock=self._clock, on_problem=lambda *_: None)
            )
            following = None
            while True:
                if following != (following := self._to_follow(version)):
                    self._stream_due.set()
                if not self._store.state.pools:
                    await self._due.wait()  # until the names are read
                self._start_readings(version, tasks)
                await self._clock.sleep(AT_MOST_EVERY_S)
                await pause(self._clock, self._slack * CHANGING_EVERY_S - AT_MOST_EVERY_S, self._due)

    def report(self, error: ZConsoleError) -> None:
        """Show why no status is read."""
        problem = in_words(error)
        for pool in self._store.state.pools:
            self._store.update_pool(
                pool.name, lambda state: replace(state, pool=replace(state.pool, problem=problem))
            )

    def _start_readings(self, version: ZfsVersion, tasks: asyncio.TaskGroup) -> None:
        """Start what is due: pools that answer together, others each by itself."""
        pools = self._store.state.pools
        self._known = {pool.name: self._known.get(pool.name) or _Known() for pool in pools}
        statuses, spaces = [], []
        for pool in pools:
            known = self._known[pool.name]
            if known.is_under_way:
                continue
            needs_status, needs_space = self._needs(pool, known)
            if _is_doubtful(pool):
                if needs_status:
                    known.reading = tasks.create_task(self._read_one(pool.name, version))
                continue
            statuses += [pool.name] if needs_status else []
            spaces += [pool.name] if needs_space else []
        if statuses or spaces:
            reading = tasks.create_task(self._read_several(statuses, spaces, version))
            for name in {*statuses, *spaces}:
                self._known[name].reading = reading

    def _to_follow(self, version: ZfsVersion) -> tuple[str, ...] | None:
        """Pools whose status one program tells again and again: those that answer, where no event does."""
        has_waited = self._clock.monotonic() - self._began_at > UNTOLD_FOR_S
        can_follow = version.has_json and runs_any_command(self._asker.host)
        if self._is_told() or not has_waited or not can_follow:
            return None
        read = (name for name, known in self._known.items() if known.bare is not None)
        doubtful = {pool.name for pool in self._store.state.pools if _is_doubtful(pool)}
        return tuple(sorted({*read} - doubtful)) or None

    async def _follow(self, version: ZfsVersion, names: tuple[str, ...]) -> None:
        """Take in what that program tells. Ends by an error: the pools are then read as before."""
        async for line in status_lines(self._asker.host, names, self._slack * CHANGING_EVERY_S):
            bare = {name: known.bare for name in names if (known := self._known.get(name)) and known.bare}
            found = await statuses_in_line(self._asker, line, names, version, bare)
            keep_answer(self._asker.host, status(*names, version=version), line)
            for name, pool in found.items():
                if name in self._known:
                    self._known[name].followed_at = self._clock.monotonic()
                    self._take_in(name, pool, None)

    def _needs(self, pool: PoolState, known: _Known) -> tuple[bool, bool]:
        """Whether status and sizes are to be read now."""
        now, is_told = self._clock.monotonic(), self._is_told()
        status_s = self._slack * status_every_s(pool, is_told=is_told)
        is_followed = known.followed_at is not None and now - known.followed_at < 2 * status_s
        space_s = self._slack * space_every_s(pool, is_told=is_told)
        if status_s != pool.status_every_s:
            self._store.update_pool(pool.name, lambda state: replace(state, status_every_s=status_s))
        return (
            known.is_status_due
            or known.status_at is None
            or (not is_followed and now - known.status_at >= status_s),
            known.is_space_due or known.space_at is None or now - known.space_at >= space_s,
        )

    async def _read_several(self, statuses: list[str], spaces: list[str], version: ZfsVersion) -> None:
        """Read pools by the same commands; where that fails, each by itself."""
        for name in statuses:
            self._known[name].is_status_due = False
        for name in spaces:
            self._known[name].is_space_due = False
        try:
            with contained("the status of the pools"):
                async with together() as group:
                    reading = group.create_task(self._statuses(statuses, version, shares=True))
                    listing = group.create_task(self._spaces(spaces, shares=True))
        except ENDS_SESSION:
            raise
        except ZConsoleError:
            async with asyncio.TaskGroup() as group:
                for name in {*statuses, *spaces}:
                    group.create_task(self._read_one(name, version))
            return
        for name in {*statuses, *spaces}:
            self._take_in(name, reading.result().get(name), listing.result().get(name))

    async def _statuses(
        self, names: list[str], version: ZfsVersion, *, shares: bool = False
    ) -> Mapping[str, Pool]:
        bare = {name: known.bare for name in names if (known := self._known.get(name)) and known.bare}
        if not names:
            return {}
        return await read_statuses(self._asker, names, version, known=bare, shares=shares)

    async def _spaces(self, names: list[str], *, shares: bool = False) -> Mapping[str, ListedSpace]:
        return await read_spaces(self._asker, names, shares=shares) if names else {}

    async def _read_one(self, name: str, version: ZfsVersion) -> None:
        """Read one pool: the status first, which tells whether anything else would answer."""
        known = self._known.setdefault(name, _Known())
        known.is_status_due = known.is_space_due = False
        try:
            with contained(f"the status of {name}"):
                pool = (await self._statuses([name], version))[name]
                space = None if pool.is_suspended else (await self._spaces([name]))[name]
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            known.status_at = known.space_at = self._clock.monotonic()
            self._store_reading(name, problem=in_words(error))
        else:
            self._take_in(name, pool, space)

    def _take_in(self, name: str, pool: Pool | None, space: ListedSpace | None) -> None:
        """Store what was read of a pool, with what is known of it."""
        known, now = self._known.get(name), self._clock.monotonic()
        if known is None:
            return  # it is gone
        if pool is not None:
            known.bare, known.status_at = pool, now
        if space is not None:
            known.space, known.space_at = space, now
        if known.bare is None:
            return
        whole = known.bare
        if known.space is not None and not whole.is_suspended:
            whole = with_space(whole, known.space)
        whole = with_doubt_beside_attached(whole, self._store.state.events)
        self._store_reading(name, Reading(whole, known.status_at))

    def _store_reading(self, name: str, reading: Reading[Pool] | None = None, *, problem: str = "") -> None:
        now = self._clock.now()

        def take_in(state: PoolState) -> PoolState:
            fresh = with_reading(state, reading or replace(state.pool, problem=problem), now)
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


def _is_doubtful(pool: PoolState) -> bool:
    """Whether a command about this pool may hang: others are not asked for with it."""
    return pool.pool.value is None or bool(pool.pool.problem) or pool.kstat_state == SUSPENDED

"""Datasets of displayed pools: refreshed at once, after changes, and periodically.

A pool with few snapshots is read completely. Of a larger or unknown one the names are listed, a few datasets
at a time, and values are read for displayed snapshots only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import (
    ENDS_SESSION,
    CommandFailed,
    ParseError,
    ZConsoleError,
)
from zconsole.collect.fault_isolation import contained
from zconsole.collect.host_state_store import Store
from zconsole.collect.interruptible_wait import pause
from zconsole.collect.on_demand.pool_snapshot_listing import SnapshotWatch
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_systems
from zconsole.collect.readings.facts_for_plans import (
    read_datasets,
    read_holds,
    read_kstat_guid,
    read_pool_properties,
)
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.datasets.snapshot_table import SnapshotTable
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import SUSPENDED
from zconsole.storage.snapshot_cache import SnapshotIndex
from zconsole.zfs.zfs_numbers_and_dates import exact_number

EVERY_S: Final = 60.0
AT_MOST_EVERY_S: Final = 1.0  # regardless of the number of changes
REST: Final = 4.0  # minimum pause as a multiple of the last reading's duration
FEW: Final = 5_000  # snapshots up to which all columns are read
TELL_EVERY_S: Final = 0.25  # during a long listing
HISTORY: Final = "sysevent.fs.zfs.history_event"  # sent at every change of a dataset
Indexes = Callable[[], SnapshotIndex]


class DatasetWatch:
    """Reader of datasets and holds of one host's pools, while requested."""

    def __init__(  # noqa: PLR0913 - all but three have good defaults
        self,
        asker: Asker,
        store: Store,
        clock: Clock,
        slack: float = 1.0,
        *,
        indexes: Indexes | None = None,
        few: int = FEW,
    ) -> None:
        """`indexes` opens the saved snapshot listings; up to `few` snapshots are read with all columns."""
        self._asker = asker
        self._store = store
        self._clock = clock
        self._every_s = slack * EVERY_S
        self._indexes = indexes
        self._few = few
        self._wanted: set[str] = set()
        self._due = asyncio.Event()
        self._stale: set[str] = set()  # pools to be read again early
        self._next: dict[str, tuple[float, float]] = {}  # earliest and scheduled time of the next reading
        self._watches: dict[str, SnapshotWatch] = {}
        self._first: dict[str, Sequence[str]] = {}
        self._counts: dict[str, int] = {}  # snapshot counts of completely listed pools
        self._systems: dict[str, dict[str, Dataset]] = {}
        self._told_at = 0.0

    def want(self, pool: str, *, is_wanted: bool) -> None:
        """Start or stop refreshing a pool's datasets."""
        if is_wanted:
            self._wanted.add(pool)
            self._stale.add(pool)
            self._due.set()
        else:
            self._wanted.discard(pool)

    def want_first(self, pool: str, datasets: Sequence[str]) -> None:
        """List the snapshots of these datasets first."""
        self._first[pool] = datasets
        if pool in self._watches:
            self._watches[pool].first = datasets

    def hear(self, events: Iterable[Event]) -> None:
        """Refresh soon if an event shows a change of a dataset."""
        if self._wanted and any(event.event_class == HISTORY for event in events):
            self._stale |= self._wanted
            self._due.set()

    async def run(self) -> None:
        """Read until cancelled. Raises what ends the whole session."""
        while True:
            self._due.clear()
            for name in sorted(self._wanted):
                pool = self._store.state.pool(name)
                now = self._clock.monotonic()
                may, will = self._next.get(name, (now, now))
                is_due = now >= (may if name in self._stale else will)
                if pool is not None and pool.kstat_state != SUSPENDED and is_due:
                    self._stale.discard(name)
                    spared_s = await self._read(name)
                    self._plan(name, now + spared_s)
            await self._clock.sleep(AT_MOST_EVERY_S)
            await pause(self._clock, self._wait(), self._due, keep=True)

    def _plan(self, name: str, began: float) -> None:
        """Schedule the next reading: a long one is repeated more rarely, also after changes."""
        now = self._clock.monotonic()
        rest = 0.0 if name in self._stale else REST * (now - began)
        self._next[name] = (now + rest, now + max(rest, self._every_s))

    def _wait(self) -> float:
        """Seconds until a pool is due, less the minimum interval, which is always waited."""
        now = self._clock.monotonic()
        times = [
            (may if name in self._stale else will) - now
            for name in self._wanted
            for may, will in [self._next.get(name, (now, now + self._every_s))]
        ]
        return max(0.0, min(times, default=self._every_s) - AT_MOST_EVERY_S)

    async def _read(self, name: str) -> float:
        """Read a pool; returns the seconds that the next reading will save."""
        spared_s = 0.0
        try:
            with contained(f"the datasets of {name}"):
                if self._counts.get(name, self._few + 1) > self._few:
                    spared_s = await self._by_columns(name)
                if self._counts.get(name, 0) <= self._few and name in self._wanted:
                    await self._whole(name)
        except ENDS_SESSION:
            raise
        except ZConsoleError as error:
            problem = in_words(error)
            self._store.update_pool(name, lambda state: _with_problem(state, problem))
        return spared_s

    async def _whole(self, name: str) -> None:
        datasets = await read_datasets(self._asker, name)
        holds = await read_holds(self._asker, datasets)
        self._counts[name] = sum(each.type == "snapshot" for each in datasets)
        now = self._clock.monotonic()
        self._store.update_pool(
            name,
            lambda state: replace(
                state, datasets=Reading(datasets, now), holds=Reading(holds, now), listing=Reading()
            ),
        )

    async def _by_columns(self, name: str) -> float:
        """List the names of snapshots, publishing partial results periodically.

        Returns the seconds of the first full listing, where `snapshots_changed` spares the next one.
        """
        watch = await self._watch(name)
        is_first = name not in self._counts
        try:
            refreshing = watch.refresh()
            async with aclosing(refreshing):  # type: ignore[type-var]  # it is an asynchronous generator
                await anext(refreshing)
                self._tell(watch, is_due=True)
                self._systems[name] = await self._read_systems(name)
                self._tell(watch, is_due=True)
                listing_from = self._clock.monotonic()
                async for _ in refreshing:
                    if name not in self._wanted:
                        self._stale.add(name)
                        return 0.0
                    self._tell(watch)
        except CommandFailed:
            if len(watch.table):
                raise
            return 0.0  # an old recording has whole readings only; else `_whole` fails
        self._counts[name] = len(watch.table)
        self._tell(watch, is_due=True)
        spares = is_first and any(each.changed is not None for each in watch.table.datasets)
        return self._clock.monotonic() - listing_from if spares else 0.0

    async def _watch(self, name: str) -> SnapshotWatch:
        """Snapshot listing of a pool, with the saved snapshots loaded."""
        if name not in self._watches:
            guid = await self._guid(name)
            index = self._indexes() if self._indexes is not None and guid else None
            watch = SnapshotWatch(self._asker, self._clock, name, guid, index)
            watch.first = self._first.get(name, ())
            await watch.open()
            self._watches[name] = watch
            if watch.table.datasets:
                self._tell(watch, is_due=True, waiting=len(watch.table.datasets))
        return self._watches[name]

    async def _guid(self, name: str) -> int:
        state = self._store.state.pool(name)
        if state is not None and state.pool.value is not None and state.pool.value.guid:
            return state.pool.value.guid
        guid = await read_kstat_guid(self._asker.host, name)
        if guid is not None:
            return guid
        with suppress(CommandFailed, ParseError, ValueError):
            told = {key: value for _, key, value, _ in await read_pool_properties(self._asker, name)}
            return exact_number(told.get("guid", "0"))
        return 0

    async def _read_systems(self, name: str) -> dict[str, Dataset]:
        return {each.name: each for each in await read_systems(self._asker, name)}

    def _tell(self, watch: SnapshotWatch, *, is_due: bool = False, waiting: int | None = None) -> None:
        now = self._clock.monotonic()
        if not is_due and now - self._told_at < TELL_EVERY_S:
            return
        self._told_at = now
        table = watch.table
        if waiting is None:
            waiting = watch.waiting
        listing = Listing(
            table,
            with_bare(table, self._systems.get(table.pool, {})),
            table.taken_at or None,
            waiting,
            watch.remark if waiting else "",
        )
        self._store.update_pool(
            table.pool,
            lambda state: replace(
                state, datasets=Reading(), holds=Reading(), listing=Reading(listing, taken_at=now)
            ),
        )


def with_bare(table: SnapshotTable, read: Mapping[str, Dataset]) -> Mapping[str, Dataset]:
    """Datasets of a table: as read, or with the properties of the listing only."""
    bare = {
        each.name: Dataset(each.name, each.type, origin=each.origin, createtxg=each.createtxg, guid=each.guid)
        for each in table.datasets
        if each.name not in read
    }
    return {**read, **bare} if bare else read


def _with_problem(state: PoolState, problem: str) -> PoolState:
    return replace(
        state,
        datasets=replace(state.datasets, problem=problem),
        holds=replace(state.holds, problem=problem),
        listing=replace(state.listing, problem=problem),
    )

"""Listing of all snapshots of a pool: from the saved index, then changed datasets, displayed ones first.

`snapshots_changed`, origin and guid of a dataset decide whether its snapshots are listed again. A listing can
be interrupted; what was read is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed, ZConsoleError
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_columns
from zconsole.hosts.host import Completed, Outcome
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotColumns, SnapshotTable
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.snapshot_cache import DamagedIndex, SnapshotIndex
from zconsole.zfs.listing.holds import batches
from zconsole.zfs.listing.snapshots_and_their_datasets import (
    System,
    list_snapshots_of,
    list_systems,
    parse_systems,
)

ROWS_A_COMMAND: Final = 20_000  # about a second of kernel time
MOST_DATASETS: Final = 200  # per command, as far as their names fit
DOUBT_S: Final = 2.0  # `snapshots_changed` has whole seconds, and clocks differ a little
SAVE_EVERY_S: Final = 600.0  # where only the age has changed


class SnapshotWatch:
    """All snapshots of one pool."""

    def __init__(self, asker: Asker, clock: Clock, pool: str, guid: int, index: SnapshotIndex | None) -> None:
        self._asker = asker
        self._clock = clock
        self._index = index
        self._saved: tuple[float, tuple[SnapshotColumns, ...]] | None = None  # time and content
        self.table = SnapshotTable(pool, guid)
        self.first: Sequence[str] = ()  # datasets to be listed first
        self.remark = ""  # why the saved listing could not be loaded

    async def open(self) -> None:
        """Load the saved listing from the index."""
        if self._index is None:
            return
        label, table = self._asker.host.label, self.table
        try:
            known = await patiently(self._index.load, label, table.guid)
        except DamagedIndex as error:
            self.remark = error.message
            return
        except ZConsoleError as error:  # a disk does not respond
            self.remark = f"the index of snapshots is not read: {error.message}"
            return
        if known is not None:
            self.table = replace(known, pool=table.pool, datasets=_renamed(known, table.pool))
            self._saved = (known.taken_at, tuple(each.snapshots for each in self.table.datasets))

    @property
    def waiting(self) -> int:
        """Number of datasets whose snapshots are still to be listed."""
        return sum(1 for _ in self.table.unlisted())

    async def refresh(self) -> AsyncIterator[SnapshotTable]:
        """Update the table, yielding it after every command.

        Raises HostError. After an interruption everything read so far is kept.
        """
        began = self._clock.now()
        systems = await self._systems()
        self.table = merged(self.table, systems)
        yield self.table
        size = 1
        asking: asyncio.Task[Completed] | None = None
        try:
            waiting = self._order(each.name for each in self.table.unlisted())
            part: tuple[str, ...] = ()
            at = 0.0
            while waiting or asking is not None:
                read, read_at = part, at
                completed = None if asking is None else await asking
                asking = None
                if waiting:  # runs on the host while the previous output is parsed
                    part, at = next(iter(batches(waiting[:size]))), self._clock.now()
                    waiting = self._order(waiting[len(part) :])
                    asking = asyncio.ensure_future(self._ask(part))
                    await asyncio.sleep(0)
                if completed is None:
                    continue
                rows = await self._take_in(completed, read, read_at)
                rate = max(1, rows) / len(read)
                size = max(1, min(MOST_DATASETS, 2 * size, int(ROWS_A_COMMAND / rate)))
                yield self.table
        finally:
            if asking is not None:
                asking.cancel()
        self.table = replace(self.table, taken_at=began)
        await self._save()
        yield self.table

    def _order(self, names: Iterable[str]) -> list[str]:
        first = {name: at for at, name in enumerate(self.first)}
        return sorted(names, key=lambda name: first.get(name, len(first)))

    async def _save(self) -> None:
        kept = tuple(each.snapshots for each in self.table.datasets)
        if self._index is None:
            return
        if self._saved is not None:
            at, before = self._saved
            is_same = len(before) == len(kept) and all(map(_is, before, kept))
            if is_same and self.table.taken_at - at < SAVE_EVERY_S:
                return
        with suppress(OSError, ZConsoleError):
            await patiently(self._index.save, self._asker.host.label, self.table)
            self._saved = (self.table.taken_at, kept)

    async def _systems(self) -> tuple[System, ...]:
        pool = self.table.pool
        try:
            answer = await self._asker.ask(list_systems(pool), kind="systems", pool=pool)
        except CommandFailed:  # no `snapshots_changed` before 2.2
            command = list_systems(pool, with_changes=False)
            answer = await self._asker.ask(command, kind="systems", pool=pool)
        return parse_systems(answer)

    async def _ask(self, names: Sequence[str]) -> Completed:
        return await self._asker.run(list_snapshots_of(names), kind="snapshots", pool=self.table.pool)

    async def _take_in(self, completed: Completed, names: Sequence[str], began: float) -> int:
        """Add the snapshots of some datasets; returns their number. A destroyed dataset has none."""
        if completed.outcome is Outcome.UNKNOWN:
            raise failure(completed, self._asker.host.label)
        found = await read_columns(completed.stdout)
        nothing = SnapshotColumns()
        listed = {name: found.get(name, nothing) for name in names}
        self.table = replace(
            self.table,
            datasets=tuple(
                replace(each, snapshots=listed[each.name], listed_at=began) if each.name in listed else each
                for each in self.table.datasets
            ),
        )
        return sum(map(len, listed.values()))


def merged(table: SnapshotTable, systems: Iterable[System]) -> SnapshotTable:
    """Table of the present datasets. Where snapshots may have changed, the old ones stay until listed again.

    Datasets are matched by guid, also after a rename. A promotion changes the origins of both datasets.
    """
    known = {each.guid: each for each in table.datasets}
    return replace(table, datasets=tuple(_listed(known.get(each.guid), each) for each in systems))


def _listed(before: DatasetSnapshots | None, now: System) -> DatasetSnapshots:
    fresh = DatasetSnapshots(now.name, now.guid, now.createtxg, now.origin, now.changed, type=now.type)
    if before is None:
        return fresh
    fresh = replace(fresh, snapshots=before.snapshots)
    if not before.listed_at or now.changed is None or before.changed != now.changed:
        return fresh
    is_sure = now.changed < before.listed_at - DOUBT_S
    if not is_sure or (before.origin is None) != (now.origin is None):
        return fresh
    return replace(fresh, listed_at=before.listed_at)


def _renamed(known: SnapshotTable, pool: str) -> tuple[DatasetSnapshots, ...]:
    """Datasets of a saved table under the pool's present name."""
    if known.pool == pool:
        return known.datasets

    def anew(name: str) -> str:
        return pool + name.removeprefix(known.pool)

    return tuple(
        replace(each, name=anew(each.name), origin=None if each.origin is None else anew(each.origin))
        for each in known.datasets
    )


def _is(one: object, other: object) -> bool:
    return one is other

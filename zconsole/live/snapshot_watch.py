"""Keeping all snapshots of a pool known: first from the index, then what has changed, most wanted first.

What ZFS tells of a dataset without listing its snapshots (`snapshots_changed`, its origin, its guid) decides
whether they are listed anew. A listing can be left at any time; what was read until then stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed
from zconsole.hosts.host import Outcome
from zconsole.live.ask import Asker, failure
from zconsole.live.snapshot_index import SnapshotIndex
from zconsole.model.dataset import Dataset
from zconsole.model.snapshot_table import Listed, SnapshotColumns, SnapshotTable
from zconsole.zfs.datasets import parse_datasets
from zconsole.zfs.holds import batches
from zconsole.zfs.snapshot_listing import (
    CHUNK,
    SnapshotReader,
    System,
    list_details_of,
    list_snapshots_of,
    list_systems,
    parse_systems,
)

ROWS_A_COMMAND: Final = 20_000  # about a second of the kernel's
MOST_DATASETS: Final = 200  # of a command, as far as their names fit
DOUBT_S: Final = 2.0  # `snapshots_changed` has whole seconds, and clocks differ a little


class SnapshotWatch:
    """All snapshots of one pool."""

    def __init__(self, asker: Asker, clock: Clock, pool: str, guid: int, index: SnapshotIndex | None) -> None:
        self._asker = asker
        self._clock = clock
        self._index = index
        known = None if index is None else index.load(asker.host.label, guid)
        self.table = replace(known, pool=pool) if known is not None else SnapshotTable(pool, guid)

    async def refresh(self, wanted: Sequence[str] = ()) -> AsyncIterator[SnapshotTable]:
        """Bring the table up to date; gives it after every command. `wanted` datasets come first.

        Raises HostError. Whoever stops asking keeps what was read.
        """
        systems = await self._systems()
        self.table = merged(self.table, systems)
        yield self.table
        first = {name: at for at, name in enumerate(wanted)}
        waiting = sorted(
            (each for each in self.table.datasets if not each.listed_at),
            key=lambda each: first.get(each.name, len(first)),
        )
        size = 1
        while waiting:
            part = next(iter(batches(each.name for each in waiting[:size])))
            waiting = waiting[len(part) :]
            began = self._clock.now()
            rows = await self._list(part, began)
            rate = max(1, rows) / len(part)
            size = max(1, min(MOST_DATASETS, 2 * size, int(ROWS_A_COMMAND / rate)))
            yield self.table
        self.table = replace(self.table, taken_at=self._clock.now())
        if self._index is not None:
            with suppress(OSError):
                self._index.save(self._asker.host.label, self.table)
        yield self.table

    async def details(self, rows: Iterable[int]) -> dict[int, Dataset]:
        """All columns of some rows, by guid: what is on the screen. Rows that are gone are left out."""
        names = [self.table.name(row) for row in rows]
        found: dict[int, Dataset] = {}
        for part in batches(names):
            completed = await self._asker.run(
                list_details_of(part), kind="snapshot-details", pool=self.table.pool
            )
            if completed.outcome is Outcome.UNKNOWN:
                raise failure(completed, self._asker.host.label)
            for each in parse_datasets(completed.stdout.decode("utf-8", "surrogateescape")):
                if each.guid is not None:
                    found[each.guid] = each
        return found

    async def _systems(self) -> tuple[System, ...]:
        pool = self.table.pool
        try:
            answer = await self._asker.ask(list_systems(pool), kind="systems", pool=pool)
        except CommandFailed:  # before 2.2 there is no such property
            command = list_systems(pool, with_changes=False)
            answer = await self._asker.ask(command, kind="systems", pool=pool)
        return parse_systems(answer.decode("utf-8", "surrogateescape"))

    async def _list(self, names: Sequence[str], began: float) -> int:
        """List the snapshots of some datasets; returns how many there are. One that is gone has none."""
        completed = await self._asker.run(list_snapshots_of(names), kind="snapshots", pool=self.table.pool)
        if completed.outcome is Outcome.UNKNOWN:
            raise failure(completed, self._asker.host.label)
        reader = SnapshotReader()
        for at in range(0, len(completed.stdout), CHUNK):
            reader.feed(completed.stdout[at : at + CHUNK])
            await asyncio.sleep(0)  # whoever else is on this loop comes in between
        found = reader.close()
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
    """The datasets that there are now. Where snapshots may have changed, the old ones stay until then.

    A dataset is known by its guid, also after a rename. Of a promotion both datasets tell by their origins.
    """
    known = {each.guid: each for each in table.datasets}
    return replace(table, datasets=tuple(_listed(known.get(each.guid), each) for each in systems))


def _listed(before: Listed | None, now: System) -> Listed:
    fresh = Listed(now.name, now.guid, now.createtxg, now.origin, now.changed)
    if before is None:
        return fresh
    fresh = replace(fresh, snapshots=before.snapshots)
    if not before.listed_at or now.changed is None or before.changed != now.changed:
        return fresh
    is_sure = now.changed < before.listed_at - DOUBT_S
    if not is_sure or (before.origin is None) != (now.origin is None):
        return fresh
    return replace(fresh, listed_at=before.listed_at)

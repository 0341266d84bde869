"""Scoped listing of a pool: all file systems, volumes and bookmarks, and the snapshots of a scope.

The snapshots of a dataset are listed without those of its neighbours, so that the cost depends on the request
and not on the pool.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.snapshot_scope import scope_of
from zconsole.base.errors import CommandFailed, ZfsMissing
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of, together
from zconsole.collect.listing_room import ListingRoom
from zconsole.collect.read_command_runner import COMMAND_NOT_FOUND, Asker, failure
from zconsole.collect.readings.facts_for_plans import (
    LISTING_TIMEOUT_S,
    SYSTEMS,
    read_datasets,
)
from zconsole.hosts.host import LISTING_MAX_BYTES, Outcome
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_table import SnapshotColumns
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope, SnapshotSelector
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets
from zconsole.zfs.listing.holds import batches
from zconsole.zfs.listing.snapshots_and_their_datasets import (
    CHUNK,
    SnapshotReader,
    list_details_in,
    list_details_of,
    list_snapshots_of,
)

AT_ONCE: Final = 4  # concurrent commands: each is a process on the host and a channel of the connection
MOST_DATASETS: Final = 20  # datasets per command, so that none takes minutes
MOST_NAMED: Final = 400  # snapshots read by name per dataset; beyond that all of them are listed


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Part of a pool within a scope."""

    datasets: tuple[Dataset, ...]  # all file systems, volumes and bookmarks, and the snapshots of the scope
    scope: SnapshotScope

    @property
    def known(self) -> Iterator[Dataset]:
        """Snapshots read with all columns."""
        return (each for each in self.datasets if each.type == "snapshot" and self.scope.has(each.name))


async def read_systems(asker: Asker, pool: str, room: ListingRoom | None = None) -> tuple[Dataset, ...]:
    """File systems, volumes and bookmarks of a pool, without snapshots. Raises HostError."""
    listing = list_datasets(pool, types=(*SYSTEMS, "bookmark"))
    command = replace(listing, timeout_s=LISTING_TIMEOUT_S, max_bytes=LISTING_MAX_BYTES)
    answer = await asker.ask(command, kind="datasets", pool=pool)
    return tuple(parse_datasets((room or ListingRoom()).take(answer)))


async def read_excerpt(
    asker: Asker, pool: str, concerns: Sequence[SnapshotSelector], room: ListingRoom | None = None
) -> Excerpt:
    """Excerpt of a pool for a plan; `room` is shared with the other pools of a reading. Raises HostError.

    After a change between two commands the reading is repeated once: a destroyed dataset, or a clone
    named by its snapshot but missing from the file systems.
    """
    room = room or ListingRoom()
    try:
        found: Excerpt | None = None
        with suppress(CommandFailed):
            found = await _read(asker, pool, concerns, room)
        if found is not None and _is_torn(found):
            found = None
        return found or await _read(asker.anew, pool, concerns, room.again())
    except ZfsMissing:  # an old recording has complete listings only; without zfs there is no listing
        every = await read_datasets(asker, pool)
        return Excerpt(every, SnapshotScope(whole=frozenset(origins_of(every))))


def origins_of(datasets: Iterable[Dataset]) -> Mapping[str, str | None]:
    """File systems and volumes of a listing, with their origins."""
    return {each.name: each.origin for each in datasets if each.type in SYSTEMS}


async def _read(asker: Asker, pool: str, concerns: Sequence[SnapshotSelector], room: ListingRoom) -> Excerpt:
    systems = await read_systems(asker, pool, room)
    scope = _with_fewer_names(scope_of(concerns, origins_of(systems)))
    slots = asyncio.Semaphore(AT_ONCE)
    names = sorted(each for each in scope.named if dataset_of(each) not in scope.whole)
    async with together() as group:
        whole = group.create_task(_whole(asker, sorted(scope.whole), slots, room))
        bare = group.create_task(read_bare(asker, sorted(scope.bare), slots))
        named = group.create_task(read_named(asker, names, slots))
    snapshots: defaultdict[str, list[Dataset]] = defaultdict(list)
    details = {each.name: each for each in named.result()}
    for each in whole.result():
        snapshots[dataset_of(each.name)].append(each)
    for name, columns in bare.result().items():
        snapshots[name] = [details.pop(each.name, each) for each in bare_snapshots(name, columns)]
    for each in details.values():
        snapshots[dataset_of(each.name)].append(each)
    every = (one for each in systems for one in (each, *snapshots.get(each.name, ())))
    return Excerpt(tuple(every), scope)


def _with_fewer_names(scope: SnapshotScope) -> SnapshotScope:
    """Scope with whole datasets where very many of their snapshots are named."""
    counts = Counter(dataset_of(each) for each in scope.named)
    many = frozenset(name for name, count in counts.items() if count > MOST_NAMED)
    return scope | SnapshotScope(whole=many)


def _is_torn(found: Excerpt) -> bool:
    """Whether a snapshot names a clone that the earlier listing of file systems lacks.

    The dataset of a receive in progress is hidden from listings, and has a % in its name.
    """
    origins = origins_of(found.datasets)
    return any(
        origins.get(clone) != each.name and "%" not in clone for each in found.known for clone in each.clones
    )


async def _whole(
    asker: Asker, names: Sequence[str], slots: asyncio.Semaphore, room: ListingRoom
) -> list[Dataset]:
    """All columns of all snapshots of these datasets."""

    async def ask(batch: Sequence[str]) -> list[Dataset]:
        async with slots:
            command = list_details_in(*batch)
            answer = await asker.ask(command, kind=f"snapshots {batch[0]}", pool=pool_of(batch[0]))
            return list(parse_datasets(room.take(answer)))

    return [each for listed in await all_of(map(ask, portions(names))) for each in listed]


async def read_bare(
    asker: Asker, names: Sequence[str], slots: asyncio.Semaphore | None = None
) -> dict[str, SnapshotColumns]:
    """Names, guids and ages of all snapshots of these datasets; datasets without any are left out."""
    free = slots or asyncio.Semaphore(AT_ONCE)

    async def ask(batch: Sequence[str]) -> dict[str, SnapshotColumns]:
        async with free:
            kind = f"snapshots {batch[0]}"
            answer = await asker.ask(list_snapshots_of(batch), kind=kind, pool=pool_of(batch[0]))
            return await read_columns(answer)

    return {name: each for found in await all_of(map(ask, portions(names))) for name, each in found.items()}


async def read_columns(answer: bytes) -> dict[str, SnapshotColumns]:
    """Snapshot columns by dataset, from a listing of names, guids and ages. Raises ParseError."""
    reader = SnapshotReader()
    for at in range(0, len(answer), CHUNK):
        reader.feed(answer[at : at + CHUNK])
        await asyncio.sleep(0)  # yields to other tasks of the event loop
    return reader.close()


def bare_snapshots(dataset: str, columns: SnapshotColumns) -> Iterator[Dataset]:
    """Snapshots with name, guid and age only."""
    for place in range(len(columns)):
        yield Dataset(
            f"{dataset}@{columns.name(place)}",
            "snapshot",
            createtxg=columns.createtxgs[place],
            guid=columns.guids[place],
        )


async def read_named(
    asker: Asker, names: Sequence[str], slots: asyncio.Semaphore | None = None
) -> list[Dataset]:
    """All columns of these snapshots, as far as they exist: zfs reports missing ones."""
    free = slots or asyncio.Semaphore(AT_ONCE)

    async def ask(batch: Sequence[str]) -> list[Dataset]:
        async with free:
            kind = f"snapshots {batch[0]}"
            completed = await asker.run(list_details_of(batch), kind=kind, pool=pool_of(batch[0]))
        if completed.outcome is Outcome.UNKNOWN or completed.reason or completed.status == COMMAND_NOT_FOUND:
            raise failure(completed, asker.host.label)
        return list(parse_datasets(completed.stdout.decode("utf-8", "surrogateescape")))

    return [each for found in await all_of(map(ask, batches(names))) for each in found]


def portions(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Datasets in batches for one command each, bounded by argv length and duration."""
    for batch in batches(names):
        for at in range(0, len(batch), MOST_DATASETS):
            yield batch[at : at + MOST_DATASETS]

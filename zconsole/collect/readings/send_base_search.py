"""Search for send bases of copies among all snapshots of a host's pools, by guid.

Only names, guids and ages are listed, which ZFS reports without opening snapshots; one snapshot is opened per
copy found. Whatever could not be searched in time is reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import field, replace
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.replication.replicas_and_send_bases import Base
from zconsole.analysis.replication.send_bases import GuidSketch, bases_of, oldest_common, sketch_of
from zconsole.base.errors import HostError, ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.read_command_runner import Asker, failure, in_words
from zconsole.collect.read_host import read_kstat_state
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_columns, read_named
from zconsole.collect.readings.facts_for_plans import SYSTEMS
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import last_part, pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.replication import ReplicatedDataset
from zconsole.model.datasets.snapshot_table import SnapshotColumns
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.listing.holds import batches
from zconsole.zfs.listing.replication_guids import list_lineages, parse_lineages
from zconsole.zfs.listing.snapshots_and_their_datasets import list_snapshots_of

WITHIN_S: Final = 60.0
MOST_BESIDE: Final = 20_000  # snapshots searched in the same pool: about a second of ZFS
ROWS_A_COMMAND: Final = 20_000
FIRST_DATASETS: Final = 4  # datasets of the first command; later ones adapt to the snapshots found
MOST_DATASETS: Final = 200


@dataclass(frozen=True, slots=True)
class Bases:
    """Send bases of copies, and the places that could not be searched, in words."""

    bases: tuple[Base, ...] = ()
    unseen: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """Datasets of a pool that share snapshots with ours."""

    kin: list[GuidSketch] = field(default_factory=list)
    rows: int = 0
    problem: str = ""


async def read_bases(
    asker: Asker,
    datasets: Sequence[Dataset],
    scope: SnapshotScope,
    others: Iterable[str],
    *,
    within_s: float = WITHIN_S,
) -> Bases:
    """Snapshots and bookmarks of the scope that are send bases of copies on this host.

    `datasets` are those of its pool, with the snapshots of the scope; `others` the other pools.
    """
    graph = build_graph(datasets)
    systems = [each.name for each in datasets if each.type in SYSTEMS]
    sketches = [each for each in (sketch_of(graph, name) for name in systems) if each is not None]
    own = [each for each in sketches if scope.lists(each.lineage.name)]
    beside = [each.lineage for each in sketches if not scope.lists(each.lineage.name)]
    search = _Search(asker, own)
    if not search.guids:
        return Bases()
    names = tuple(others)
    found = await all_of((
        search.among(beside, within_s, most=MOST_BESIDE),
        *(search.in_pool(name, within_s) for name in names),
    ))  # fmt: skip
    kin = [sketch for each in found for sketch in each.kin]
    times = await _times(asker, graph, oldest_common(own, kin))
    told = ("its own pool has copies of it", *(f"{name} has copies that build on it" for name in names))
    return Bases(
        bases_of(asker.host.label, own, kin, times),
        tuple(
            f"whether {what} is not known: {each.problem}"
            for what, each in zip(told, found, strict=True)
            if each.problem
        ),
    )


class _Search:
    """Search of datasets for snapshots that ours have too."""

    def __init__(self, asker: Asker, own: Sequence[GuidSketch]) -> None:
        self._asker = asker
        self.guids = frozenset(
            guid for each in own for guid in (*each.guids, *(mark.guid for mark in each.lineage.bookmarks))
        )
        self._likely = {last_part(each.lineage.name) for each in own}

    async def in_pool(self, name: str, within_s: float) -> _Found:
        """Shared snapshots in another pool."""
        if await read_kstat_state(self._asker.host, name) == SUSPENDED:
            return _Found(problem="it is suspended")
        try:
            command = replace(list_lineages(name, with_snapshots=False), timeout_s=within_s)
            answer = await self._asker.ask(command, kind="lineages", pool=name)
            systems = parse_lineages(answer)
        except (HostError, ParseError) as error:
            return _Found(problem=in_words(error))
        return await self.among(systems, within_s)

    async def among(
        self, systems: Sequence[ReplicatedDataset], within_s: float, most: int | None = None
    ) -> _Found:
        """Shared snapshots of some datasets, those named like ours first; at most `most` are searched."""
        found = _Found()
        known = {each.name: each for each in systems}
        names = sorted(known, key=lambda name: (last_part(name) not in self._likely, name))
        try:
            async with asyncio.timeout(within_s), aclosing(self._listed(names, found, most)) as listing:
                async for listed, left in listing:
                    found.kin += self._kin(listed, known)
                    if most is not None and found.rows >= most and left:
                        found.problem = f"it has more than {most} snapshots, and no more are looked through"
                        break
        except TimeoutError:
            found.problem = f"looking through its snapshots takes more than {within_s:g} s"
        except (HostError, ParseError) as error:
            found.problem = in_words(error)
        return found

    async def _listed(
        self, names: Sequence[str], found: _Found, most: int | None
    ) -> AsyncGenerator[tuple[dict[str, SnapshotColumns], int]]:
        """Snapshots of the datasets, in batches, with the number of datasets left."""
        at, size = 0, FIRST_DATASETS
        while at < len(names):
            part = next(iter(batches(names[at : at + size])))
            at += len(part)
            kind = f"snapshots {part[0]}"
            answer = await self._asker.run(list_snapshots_of(part), kind=kind, pool=pool_of(part[0]))
            if answer.outcome is Outcome.UNKNOWN or answer.reason:
                raise failure(answer, self._asker.host.label)
            listed = await read_columns(answer.stdout)  # a destroyed dataset has none
            rows = sum(map(len, listed.values()))
            found.rows += rows
            room = ROWS_A_COMMAND if most is None else min(ROWS_A_COMMAND, most - found.rows)
            size = max(1, min(MOST_DATASETS, 4 * size, room * len(part) // max(1, rows)))
            yield listed, len(names) - at

    def _kin(
        self, listed: Mapping[str, SnapshotColumns], known: Mapping[str, ReplicatedDataset]
    ) -> Iterator[GuidSketch]:
        for name, columns in listed.items():
            marks = (mark.guid for mark in known[name].bookmarks)
            if self.guids.isdisjoint(columns.guids) and self.guids.isdisjoint(marks):
                continue
            snapshots = tuple(
                (f"{name}@{columns.name(at)}", columns.guids[at], columns.createtxgs[at])
                for at in range(len(columns))
            )
            yield GuidSketch(known[name], snapshots)


async def _times(asker: Asker, graph: Graph, wanted: Sequence[str]) -> dict[int, int]:
    """Creation times of snapshots and bookmarks by guid, of the known and the wanted ones."""
    missing = [name for name in wanted if graph.datasets[name].creation is None]
    asked = await read_named(asker, missing)
    known = (*graph.datasets.values(), *asked)
    return {each.guid: each.creation for each in known if each.guid is not None and each.creation is not None}

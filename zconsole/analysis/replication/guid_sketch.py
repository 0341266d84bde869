"""What copies build on, from no more of snapshots than their names, guids and the order of their making.

When a snapshot was made tells a source from its copy, and ZFS opens each snapshot to tell it. The oldest one
that two datasets have in common is enough: that one, or none, was there before the copy was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from zconsole.analysis.dependencies.closure import Graph
from zconsole.analysis.replication.replicas import Base, bases, replicas
from zconsole.model.datasets.replication import HostLineages, Lineage, Point
from zconsole.model.names import dataset_of


@dataclass(frozen=True, slots=True)
class Sketch:
    """A file system or volume with its bookmarks, and what was listed of its snapshots, oldest first."""

    lineage: Lineage
    snapshots: tuple[tuple[str, int, int], ...] = ()  # name in full, guid, createtxg

    @property
    def guids(self) -> frozenset[int]:
        """Of its snapshots."""
        return frozenset(guid for _, guid, _ in self.snapshots)


def sketch_of(hung: Graph, name: str) -> Sketch | None:
    """A file system or volume of a graph, as far as its snapshots are there."""
    dataset = hung.datasets[name]
    if dataset.guid is None or dataset.creation is None:
        return None
    marks = (
        Point(one.name, one.guid, one.createtxg, one.creation)
        for one in map(hung.datasets.__getitem__, hung.bookmarks.get(name, ()))
        if one.guid is not None and one.createtxg is not None and one.creation is not None
    )
    listed = map(hung.datasets.__getitem__, hung.snapshots.get(name, ()))
    return Sketch(
        Lineage(name, dataset.type, dataset.guid, dataset.creation, bookmarks=tuple(marks)),
        tuple(
            (one.name, one.guid, one.createtxg)
            for one in listed
            if one.guid is not None and one.createtxg is not None
        ),
    )


def oldest_common(own: Sequence[Sketch], others: Sequence[Sketch]) -> tuple[str, ...]:
    """The snapshots whose age tells which of two datasets was there first, by their names among our own."""
    guids = {each.lineage.name: each.guids for each in (*own, *others)}
    found: dict[str, None] = {}
    for one, other in (*product(own, others), *permutations(own, 2)):
        there = guids[other.lineage.name]
        if not there.isdisjoint(guids[one.lineage.name]):
            found[next(name for name, guid, _ in one.snapshots if guid in there)] = None
    return tuple(found)


def bases_of(
    host: str, own: Sequence[Sketch], others: Sequence[Sketch], times: Mapping[int, int]
) -> tuple[Base, ...]:
    """What the copies of our own datasets on this host build on.

    `times` has the creation of snapshots by their guids, in epoch seconds; of `oldest_common` at least.
    """
    lineages = tuple(_with_snapshots(each, times) for each in (*own, *others))
    names = {each.lineage.name for each in own}
    found = bases(replicas([HostLineages(host, lineages)]))
    return tuple(each for each in found if dataset_of(each.name) in names)


def _with_snapshots(each: Sketch, times: Mapping[int, int]) -> Lineage:
    """Where it was not asked when a snapshot was made, it stands with the one before it."""
    made = each.lineage.creation
    points = []
    for name, guid, createtxg in each.snapshots:
        made = times.get(guid, made)
        points.append(Point(name, guid, createtxg, made))
    return replace(each.lineage, snapshots=tuple(points))

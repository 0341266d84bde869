"""Send bases of copies, from only names, guids and creation order of snapshots.

The creation time of a snapshot distinguishes a source from its copy, but ZFS opens each snapshot to read it.
The oldest common snapshot suffices: either it existed before the copy, or none did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.replication.replicas_and_send_bases import Base, bases, replicas
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost, SendPoint


@dataclass(frozen=True, slots=True)
class GuidSketch:
    """File system or volume with its bookmarks and the listed columns of its snapshots, oldest first."""

    lineage: ReplicatedDataset
    snapshots: tuple[tuple[str, int, int], ...] = ()  # full name, guid, createtxg

    @property
    def guids(self) -> frozenset[int]:
        """Guids of its snapshots."""
        return frozenset(guid for _, guid, _ in self.snapshots)


def sketch_of(graph: Graph, name: str) -> GuidSketch | None:
    """Sketch of a file system or volume in a graph, with the snapshots present there."""
    dataset = graph.datasets[name]
    if dataset.guid is None or dataset.creation is None:
        return None
    marks = (
        SendPoint(one.name, one.guid, one.createtxg, one.creation)
        for one in map(graph.datasets.__getitem__, graph.bookmarks.get(name, ()))
        if one.guid is not None and one.createtxg is not None and one.creation is not None
    )
    listed = map(graph.datasets.__getitem__, graph.snapshots.get(name, ()))
    return GuidSketch(
        ReplicatedDataset(name, dataset.type, dataset.guid, dataset.creation, bookmarks=tuple(marks)),
        tuple(
            (one.name, one.guid, one.createtxg)
            for one in listed
            if one.guid is not None and one.createtxg is not None
        ),
    )


def oldest_common(own: Sequence[GuidSketch], others: Sequence[GuidSketch]) -> tuple[str, ...]:
    """Our snapshots whose creation times decide which of two datasets is older."""
    guids = {each.lineage.name: each.guids for each in (*own, *others)}
    found: dict[str, None] = {}
    for one, other in (*product(own, others), *permutations(own, 2)):
        there = guids[other.lineage.name]
        if not there.isdisjoint(guids[one.lineage.name]):
            found[next(name for name, guid, _ in one.snapshots if guid in there)] = None
    return tuple(found)


def bases_of(
    host: str, own: Sequence[GuidSketch], others: Sequence[GuidSketch], times: Mapping[int, int]
) -> tuple[Base, ...]:
    """Send bases of the copies of our datasets on this host.

    `times` has the creation of snapshots by guid, in epoch seconds; at least of `oldest_common`.
    """
    lineages = tuple(_with_snapshots(each, times) for each in (*own, *others))
    names = {each.lineage.name for each in own}
    found = bases(replicas([ReplicatedHost(host, lineages)]))
    return tuple(each for each in found if dataset_of(each.name) in names)


def _with_snapshots(each: GuidSketch, times: Mapping[int, int]) -> ReplicatedDataset:
    """A snapshot of unknown creation time gets that of the one before."""
    made = each.lineage.creation
    points = []
    for name, guid, createtxg in each.snapshots:
        made = times.get(guid, made)
        points.append(SendPoint(name, guid, createtxg, made))
    return replace(each.lineage, snapshots=tuple(points))

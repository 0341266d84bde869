"""What was listed for something else, as what replication goes by."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.analysis.closure import Graph
from zconsole.model.lineage import Lineage, Point


def lineages_of(hung: Graph) -> Iterator[Lineage]:
    """The file systems and volumes of a graph, with their snapshots and bookmarks, oldest first."""
    for name, each in hung.datasets.items():
        if "@" in name or "#" in name or each.guid is None or each.creation is None:
            continue
        points = (
            tuple(
                Point(one.name, one.guid, one.createtxg, one.creation)
                for one in map(hung.datasets.__getitem__, of.get(name, ()))
                if one.guid is not None and one.createtxg is not None and one.creation is not None
            )
            for of in (hung.snapshots, hung.bookmarks)
        )
        snapshots, marks = points
        yield Lineage(name, each.type, each.guid, each.creation, snapshots=snapshots, bookmarks=marks)

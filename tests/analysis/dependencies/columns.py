"""Datasets as columns and as objects, and filters on both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from tests.analysis.listings import listing_of
from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.snapshot_graph import graph_of
from zconsole.model.datasets.dataset import Dataset

NOW = 1_800_000_000.0
DAY = 86400
GIB = 1 << 30
SHORT = st.text("abAB019_-:. k", min_size=1, max_size=6)


@st.composite
def pools(draw: st.DrawFn) -> tuple[Dataset, ...]:
    """Some datasets with snapshots and bookmarks, of which some were cloned."""
    names = [
        "tank",
        *draw(st.lists(st.sampled_from(["tank/ab", "tank/a", "tank/a/B", "tank/k"]), unique=True)),
    ]
    found, txg = [], 0
    for name in names:
        short = draw(st.lists(SHORT, max_size=12, unique=True))
        found += [
            Dataset(f"{name}#{each}", "bookmark", createtxg=1, guid=9, creation=5) for each in short[:1]
        ]
        for each in short:
            txg += 1
            found.append(
                Dataset(
                    f"{name}@{each}", "snapshot", guid=1000 + txg, createtxg=txg,
                    used_bytes=draw(st.sampled_from([None, 0, 3 * GIB])),
                    creation=draw(st.sampled_from([None, int(NOW) - DAY, int(NOW) - 90 * DAY])),
                    holds=draw(st.sampled_from([None, 0, 2])),
                )
            )  # fmt: skip
    origins = [each.name for each in found if each.type == "snapshot"]
    cloned = draw(st.lists(st.sampled_from(origins), max_size=3)) if origins else []
    clones = {f"tank/clone{at}": origin for at, origin in enumerate(cloned)}
    systems = [Dataset(name, "filesystem", guid=at + 1) for at, name in enumerate(names)]
    systems += [Dataset(name, "volume", origin=origin, guid=77) for name, origin in clones.items()]
    by_origin = {origin: tuple(sorted(c for c, o in clones.items() if o == origin)) for origin in cloned}
    return (*systems, *(replace(each, clones=by_origin.get(each.name, ())) for each in found))


def in_columns(datasets: Sequence[Dataset], *, is_read: bool = True) -> Graph:
    """The graph of a listing of them, with all values read, or none."""
    values = {each.guid: each for each in datasets if each.type == "snapshot" and each.guid is not None}
    return graph_of(listing_of(datasets), values if is_read else {})

"""Listings in columns, made of the datasets that they tell of."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate

from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, SnapshotColumns, SnapshotTable


def columns_of(snapshots: Sequence[Dataset]) -> SnapshotColumns:
    """The snapshots of one dataset, in their order."""
    short = [each.name.partition("@")[2] for each in snapshots]
    return SnapshotColumns(
        "".join(f"{name}\n" for name in short).encode(),
        array("I", accumulate(len(name) + 1 for name in short)),
        array("Q", [each.guid or 0 for each in snapshots]),
        array("Q", [each.createtxg or 0 for each in snapshots]),
    )


def listing_of(datasets: Iterable[Dataset], *, as_of: float | None = 5.0, waiting: int = 0) -> Listing:
    """What `zfs list` of the fast columns tells of these; snapshots by their createtxg."""
    every = tuple(datasets)
    systems = {each.name: each for each in every if each.type != "snapshot"}
    by_dataset: dict[str, list[Dataset]] = {
        name: [] for name, each in systems.items() if each.type != "bookmark"
    }
    for each in every:
        if each.type == "snapshot":
            by_dataset[each.name.partition("@")[0]].append(each)
    listed = tuple(
        DatasetSnapshots(
            name, systems[name].guid or at, 1, systems[name].origin, 5, 5.0,
            columns_of(sorted(kept, key=lambda each: (each.createtxg or 0, each.name))),
            systems[name].type,
        )
        for at, (name, kept) in enumerate(by_dataset.items())
    )  # fmt: skip
    return Listing(SnapshotTable("tank", 7, listed, as_of or 0.0), systems, as_of, waiting)

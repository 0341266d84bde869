"""What is known of a pool with very many snapshots: their names in columns, and its datasets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_table import SnapshotTable

MOST_AROUND: Final = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The snapshots as columns; file systems, volumes and bookmarks as they were listed, by name."""

    table: SnapshotTable
    systems: Mapping[str, Dataset] = field(default_factory=dict)
    as_of: float | None = None  # epoch seconds: when all of it was true; None where it never was whole
    waiting: int = 0  # datasets whose snapshots are still to be listed, or listed anew
    remark: str = ""  # why the last known state is not there

    def around(self, name: str, most: int = MOST_AROUND) -> tuple[Dataset, ...]:
        """Every dataset, and the snapshots of the one of that name, or that the snapshot is of.

        Where these are more than so many, that snapshot alone.
        """
        base = name.partition("@")[0]
        listed = self.table.dataset(base)
        if listed is None:
            return tuple(self.systems.values())
        columns = listed.snapshots
        own = columns.place(name.partition("@")[2])
        places = range(len(columns)) if len(columns) <= most else [] if own is None else [own]
        clones = self.table.clones()
        found = (
            Dataset(
                full, "snapshot", clones=clones.get(full, ()),
                createtxg=columns.createtxgs[at], guid=columns.guids[at],
            )
            for at in places
            for full in [f"{base}@{columns.name(at)}"]
        )  # fmt: skip
        return (*self.systems.values(), *found)

    @property
    def is_whole(self) -> bool:
        """Whether everything was compared with the pool."""
        return not self.waiting

"""Listing of a pool with very many snapshots: datasets as objects, snapshots as columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_table import SnapshotTable

MOST_AROUND: Final = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Datasets and bookmarks as listed, by name, and the snapshots in columns."""

    table: SnapshotTable
    systems: Mapping[str, Dataset] = field(default_factory=dict)
    as_of: float | None = None  # epoch seconds of the last complete listing; None when there has been none
    waiting: int = 0  # datasets whose snapshots are still to be listed
    remark: str = ""  # why there is no saved listing

    def around(self, name: str, most: int = MOST_AROUND) -> tuple[Dataset, ...]:
        """All datasets, and the snapshots of the dataset that `name` is or belongs to.

        When there are more than `most` snapshots, only the named one.
        """
        base = dataset_of(name)
        listed = self.table.dataset(base)
        if listed is None:
            return tuple(self.systems.values())
        columns = listed.snapshots
        own = columns.place(short_of(name))
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
        """Whether every dataset was compared with the pool."""
        return not self.waiting

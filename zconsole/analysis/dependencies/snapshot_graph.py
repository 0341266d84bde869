"""Dependency graph over columnar snapshot tables; names are made on access.

Values of a snapshot that were not listed are unknown until they are read, which happens for few of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, overload

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.datasets.snapshot_table import SnapshotColumns

MOST_NEAR: Final = 1024  # names per dataset whose index is cached: those on the screen and around
AT_ONCE: Final = 4096  # names made in one step
Values = Mapping[int, Dataset]  # values read of snapshots, by guid


class LazyNames(Sequence[str]):
    """Sequence of names made on access, and searchable without making them."""

    __slots__ = ()

    def find(self, name: str) -> int | None:
        """Index of a name; None when it is missing."""
        raise NotImplementedError

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Index of a name; ValueError when it is missing or out of bounds."""
        at = self.find(value) if isinstance(value, str) else None
        if at is None or at < start or (stop is not None and at >= stop):
            raise ValueError(value)
        return at

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and self.find(value) is not None

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return tuple([self.name(each) for each in range(*at.indices(len(self)))])
        return self.name(range(len(self))[at])

    def name(self, at: int) -> str:
        """The name at an index."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[str]:
        return (self.name(at) for at in range(len(self)))


class Names(LazyNames):
    """The full snapshot names of one dataset, oldest first."""

    __slots__ = ("_guess", "_near", "columns", "dataset")

    def __init__(self, dataset: str, columns: SnapshotColumns) -> None:
        self.dataset = dataset
        self.columns = columns
        self._near: dict[str, int] = {}
        self._guess = 0  # index after the last hit, for sequential searches

    def __len__(self) -> int:
        return len(self.columns)

    def name(self, at: int) -> str:
        name = f"{self.dataset}@{self.columns.name(at)}"
        if len(self._near) >= MOST_NEAR:
            self._near.clear()
        self._near[name] = at
        return name

    def find(self, name: str) -> int | None:
        at = self._near.get(name)
        if at is not None:
            return at
        base, _, short = name.partition("@")
        if base != self.dataset:
            return None
        is_next = self._guess < len(self) and self.columns.name(self._guess) == short
        at = self._guess if is_next else self.columns.place(short)
        if at is not None:
            self._guess = at + 1
        return at

    def __iter__(self) -> Iterator[str]:
        prefix, count = f"{self.dataset}@", len(self)
        for start in range(0, count, AT_ONCE):
            for short in self.columns.text(start, min(count, start + AT_ONCE)).split("\n"):
                yield prefix + short


class Picked(LazyNames):
    """Some snapshots of a dataset, by ascending index."""

    __slots__ = ("names", "places")

    def __init__(self, names: Names, places: Sequence[int]) -> None:
        self.names = names
        self.places = places

    def __len__(self) -> int:
        return len(self.places)

    def name(self, at: int) -> str:
        return self.names.name(self.places[at])

    def find(self, name: str) -> int | None:
        place = self.names.find(name)
        if place is None:
            return None
        at = bisect_left(self.places, place)
        return at if at < len(self.places) and self.places[at] == place else None


class Chained(LazyNames):
    """A few names followed by snapshot names."""

    __slots__ = ("_first", "then")

    def __init__(self, first: Sequence[str], then: LazyNames) -> None:
        self._first = first
        self.then = then

    def __len__(self) -> int:
        return len(self._first) + len(self.then)

    def name(self, at: int) -> str:
        return self._first[at] if at < len(self._first) else self.then[at - len(self._first)]

    def find(self, name: str) -> int | None:
        if name in self._first:
            return self._first.index(name)
        at = self.then.find(name)
        return None if at is None else at + len(self._first)


class ListedSnapshots(Mapping[str, Names]):
    """The snapshots of each dataset that has any."""

    __slots__ = ("_listing", "_names")

    def __init__(self, listing: Listing, before: ListedSnapshots | None = None) -> None:
        """Names of `before` are reused where the columns are unchanged."""
        self._listing = listing
        self._names: dict[str, Names] = {}
        for name, known in () if before is None else before.made():
            now = listing.table.dataset(name)
            if now is not None and now.snapshots is known.columns:
                self._names[name] = known

    def made(self) -> Iterator[tuple[str, Names]]:
        """The entries accessed so far."""
        return iter(self._names.items())

    def __getitem__(self, name: str) -> Names:
        names = self._names.get(name)
        if names is None:
            listed = self._listing.table.dataset(name)
            if listed is None or not len(listed.snapshots):
                raise KeyError(name)
            names = self._names[name] = Names(name, listed.snapshots)
        return names

    def __contains__(self, name: object) -> bool:
        listed = self._listing.table.dataset(name) if isinstance(name, str) else None
        return listed is not None and bool(len(listed.snapshots))

    def __iter__(self) -> Iterator[str]:
        return (each.name for each in self._listing.table.datasets if len(each.snapshots))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def total(self) -> int:
        """Number of all snapshots."""
        return len(self._listing.table)


class ListedDatasets(Mapping[str, Dataset]):
    """All datasets by name; a snapshot with its known values."""

    __slots__ = ("_clones", "_snapshots", "_values", "systems")

    def __init__(
        self,
        systems: Mapping[str, Dataset],
        snapshots: ListedSnapshots,
        clones: Mapping[str, tuple[str, ...]],
        values: Values,
    ) -> None:
        self.systems = systems
        self._snapshots = snapshots
        self._clones = clones
        self._values = values

    def __getitem__(self, name: str) -> Dataset:
        found = self.systems.get(name)
        if found is not None:
            return found
        names = self._snapshots[dataset_of(name)]
        place = names.find(name)
        if place is None:
            raise KeyError(name)
        return self.at(names, place, name)

    def is_read(self, guid: int) -> bool:
        """Whether the values of a snapshot were read."""
        return guid in self._values

    def at(self, names: Names, place: int, name: str) -> Dataset:
        """A snapshot by its index."""
        guid = names.columns.guids[place]
        value = self._values.get(guid)
        if value is None:
            return Dataset(
                name,
                "snapshot",
                clones=self._clones.get(name, ()),
                createtxg=names.columns.createtxgs[place],
                guid=guid,
            )
        return value if value.name == name else replace(value, name=name)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name in self.systems:
            return True
        names = self._snapshots.get(dataset_of(name))
        return names is not None and names.find(name) is not None

    def __iter__(self) -> Iterator[str]:
        yield from self.systems
        for names in self._snapshots.values():
            yield from names

    def __len__(self) -> int:
        return len(self.systems) + self._snapshots.total


def graph_of(listing: Listing, values: Values, before: Graph | None = None) -> Graph:
    """Build the graph of a listing; unchanged parts of `before` are reused. `values` may grow later."""
    old = before.datasets if before is not None else None
    if before is not None and isinstance(old, ListedDatasets) and old.systems is listing.systems:
        children, bookmarks, clones = before.children, before.bookmarks, before.clones
    else:
        children, bookmarks, clones = _by_owner(listing.systems)
    of_before = None if before is None else before.snapshots
    snapshots = ListedSnapshots(listing, of_before if isinstance(of_before, ListedSnapshots) else None)
    datasets = ListedDatasets(listing.systems, snapshots, clones, values)
    return Graph(datasets, children, snapshots, bookmarks, clones)


NamesBy = Mapping[str, tuple[str, ...]]


def _by_owner(systems: Mapping[str, Dataset]) -> tuple[NamesBy, NamesBy, NamesBy]:
    """Children, bookmarks and clones, each sorted."""
    children: dict[str, list[str]] = {}
    bookmarks: dict[str, list[str]] = {}
    clones: dict[str, list[str]] = {}
    for name in sorted(systems):
        base, mark, _ = name.partition("#")
        if mark:
            bookmarks.setdefault(base, []).append(name)
            continue
        children.setdefault(parent_of(name), []).append(name)
        origin = systems[name].origin
        if origin is not None:
            clones.setdefault(origin, []).append(name)
    children.pop("", None)
    found = tuple({name: tuple(each) for name, each in of.items()} for of in (children, bookmarks, clones))
    return found[0], found[1], found[2]

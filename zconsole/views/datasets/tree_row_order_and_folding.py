"""Rows of the dataset tree, made on access."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import accumulate
from typing import Final, overload

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.snapshot_graph import Chained, LazyNames, ListedDatasets, Names, Picked
from zconsole.analysis.search.snapshot_filter_in_time_slices import (
    Cloned,
    IncrementalFilter,
    cloned_in,
    parts,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of

NAME: Final = "name"
BY_AGE: Final = frozenset({NAME, "txg"})  # columns in nearly the order of columnar snapshots
BEHIND: Final = "\n"  # between the names of a row that is not the object's own; no name holds it
MOST_STEPS: Final = 8  # of clones of clones, shown below one snapshot


@dataclass(frozen=True, slots=True)
class TreeItem:
    """Row: a dataset, a snapshot, a bookmark, or a clone shown below its origin."""

    name: str  # of the object
    depth: int
    key: str  # the name; of a clone below its origin, all names of the path
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of one depth: a range of names, or one clone below its origin."""

    names: Sequence[str]
    start: int
    end: int
    depth: int
    above: str = ""  # of a link: the key of the parent row

    def item(self, at: int) -> TreeItem:
        """The row at an index of the stretch."""
        name = self.names[self.start + at]
        if self.above:
            return TreeItem(name, self.depth, f"{self.above}{BEHIND}{name}", is_link=True)
        return TreeItem(name, self.depth, name)


class Outline:
    """The rows that are shown now."""

    __slots__ = ("_by_base", "_ends", "_stretches")

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        self._stretches = stretches
        self._ends = list(accumulate(each.end - each.start for each in stretches))
        self._by_base: dict[str, list[int]] | None = None

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: int) -> TreeItem:
        place = bisect_right(self._ends, at)
        stretch = self._stretches[place]
        return stretch.item(at - self._ends[place] + stretch.end - stretch.start)

    def place(self, key: str) -> int | None:
        """The index of the row with a key, if it is shown."""
        if self._by_base is None:
            self._by_base = {}
            for at, stretch in enumerate(self._stretches):
                self._by_base.setdefault(_base(stretch.above or stretch.names[stretch.start]), []).append(at)
        for at in self._by_base.get(_base(key), ()):
            stretch = self._stretches[at]
            first = self._ends[at] - (stretch.end - stretch.start)
            if stretch.above:
                if stretch.item(0).key == key:
                    return first
            elif BEHIND not in key:
                found = _find(stretch, key)
                if found is not None:
                    return first + found - stretch.start
        return None

    def names(self, start: int, end: int) -> Iterator[str]:
        """The objects between two rows, both included, without clones below their origin."""
        for at in range(max(0, start), min(end + 1, len(self))):
            item = self[at]
            if not item.is_link:
                yield item.name


def _base(key: str) -> str:
    return dataset_of(key.partition(BEHIND)[0])


def _find(stretch: Stretch, name: str) -> int | None:
    if stretch.end - stretch.start == 1:
        return stretch.start if stretch.names[stretch.start] == name else None
    try:
        return stretch.names.index(name, stretch.start, stretch.end)
    except ValueError:
        return None


Key = Callable[[str], tuple[bool, float | str]]


class Sorted(Sequence[str]):
    """Names in another order, sorted at the first access."""

    __slots__ = ("_key", "_names", "_order")

    def __init__(self, names: Sequence[str], key: Key) -> None:
        self._names = names
        self._key = key
        self._order: list[str] | None = None

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if self._order is None:
            self._order = sorted(self._names, key=self._key)
        return self._order[at]


class SortedPlaces(LazyNames):
    """Columnar snapshots in another order: those with known values first, then the others."""

    __slots__ = ("_key", "_names", "_order", "_where")

    def __init__(self, names: LazyNames, where: ListedDatasets, key: Key | None) -> None:
        """Without a key, the newest come first."""
        self._names = names
        self._where = where
        self._key = key
        self._order: Sequence[int] | None = None

    def __len__(self) -> int:
        return len(self._names)

    def name(self, at: int) -> str:
        return self._names.name(self._ordered()[at])

    def find(self, name: str) -> int | None:
        at = self._names.find(name)
        if at is None:
            return None
        return len(self) - 1 - at if self._key is None else self._ordered().index(at)

    def _ordered(self) -> Sequence[int]:
        if self._order is None:
            if self._key is None:
                self._order = range(len(self) - 1, -1, -1)
            else:
                known = _known(self._names, self._where)
                first = sorted(known, key=lambda at: self._key(self._names.name(at)))  # type: ignore[misc]
                others = set(known)
                self._order = array("I", (*first, *(at for at in range(len(self)) if at not in others)))
        return self._order


def _known(names: LazyNames, where: ListedDatasets) -> list[int]:
    """The positions of the names with values beyond the listing."""
    match names:
        case Names():
            return [at for at, guid in enumerate(names.columns.guids) if where.is_read(guid)]
        case Picked():
            guids = names.names.columns.guids
            return [at for at, place in enumerate(names.places) if where.is_read(guids[place])]
        case Chained():
            first = len(names) - len(names.then)
            return [*range(first), *(first + at for at in _known(names.then, where))]
        case _:
            return []


@dataclass(slots=True)
class TreeArrangement:
    """Arrangement of rows: what is expanded, folded and filtered, and the order."""

    graph: Graph
    opened: set[str] = field(default_factory=set)  # datasets with visible snapshots
    folded: set[str] = field(default_factory=set)  # datasets with hidden children
    key: Key | None = None  # for sorting
    sieve: IncrementalFilter | None = None
    by: str | None = None  # the column that the key is of
    is_reverse: bool = False
    before: TreeArrangement | None = None  # the previous outline, whose unchanged parts are reused
    cloned: Cloned = field(default_factory=dict)  # snapshots with clones, by dataset
    _blocks: dict[str, tuple[Stretch, ...]] = field(default_factory=dict)
    _order: tuple[str, ...] | None = None
    _roots: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        before, self.before = self.before, None
        self.cloned = cloned_in(self.graph, None if before is None else (before.graph, before.cloned))

    def forget(self, dataset: str | None = None) -> None:
        """Discard the layout of one dataset, or of all."""
        if dataset is None:
            self._blocks.clear()
            self._order = None
        else:
            self._blocks.pop(dataset, None)

    def outline(self) -> Outline:
        """The rows as they are now."""
        blocks = self._blocks
        stretches: list[Stretch] = []
        for name in self.order():
            block = blocks.get(name)
            if block is None:
                block = blocks[name] = tuple(self._block(name))
            stretches += block
        return Outline(stretches)

    def order(self) -> tuple[str, ...]:
        """The datasets that are shown, each below its parent."""
        if self._order is None:
            self._order = tuple(self._walk(self.roots()))
        return self._order

    def every(self) -> tuple[str, ...]:
        """All datasets, visible or not."""
        return tuple(each for root in self.roots() for each in self.graph.tree(root))

    def roots(self) -> tuple[str, ...]:
        """The datasets without a listed parent."""
        if self._roots is None:
            known = self.graph.datasets
            if isinstance(known, ListedDatasets):
                known = known.systems
            self._roots = tuple(
                name for name in known if "@" not in name and "#" not in name and parent_of(name) not in known
            )
        return self._roots

    def _walk(self, names: Sequence[str]) -> Iterator[str]:
        wanted = self._wanted()
        waiting = list(reversed(self._ordered(names)))
        while waiting:
            name = waiting.pop()
            if wanted is not None and name not in wanted:
                continue
            yield name
            if name not in self.folded or wanted is not None:
                waiting.extend(reversed(self._ordered(self.graph.children.get(name, ()))))

    def _wanted(self) -> set[str] | None:
        """The datasets that match a filter, and their ancestors."""
        if self.sieve is None:
            return None
        found = {*self.sieve.found, *self.sieve.itself}
        for name in tuple(found):
            above = parent_of(name)
            while above and above not in found:
                found.add(above)
                above = parent_of(above)
        return found

    def _ordered(self, names: Sequence[str]) -> Sequence[str]:
        return names if self.key is None else sorted(names, key=self.key)

    def shown_parts(self, name: str) -> Sequence[str]:
        """The visible snapshots and bookmarks of a dataset."""
        if self.sieve is not None and name not in self.sieve.itself:
            names: Sequence[str] = self.sieve.found.get(name, ())
        elif name in self.opened:
            names = parts(self.graph, name)
        else:
            return ()
        return names if self.key is None or len(names) < 2 else self._sorted(names, self.key)

    def _sorted(self, names: Sequence[str], key: Key) -> Sequence[str]:
        datasets = self.graph.datasets
        if not isinstance(names, LazyNames) or not isinstance(datasets, ListedDatasets):
            return Sorted(names, key)
        if self.by in BY_AGE:
            return SortedPlaces(names, datasets, None) if self.is_reverse == (self.by == NAME) else names
        return SortedPlaces(names, datasets, key)

    def _block(self, name: str) -> Iterator[Stretch]:
        depth = name.count("/")
        yield Stretch((name,), 0, 1, depth)
        names = self.shown_parts(name)
        start = 0
        for at in self._with_clones(name, names):
            yield Stretch(names, start, at + 1, depth + 1)
            yield from self._links(names[at], names[at], depth + 2)
            start = at + 1
        if start < len(names):
            yield Stretch(names, start, len(names), depth + 1)

    def _with_clones(self, name: str, names: Sequence[str]) -> Iterator[int]:
        """The positions of the snapshots with clones below them."""
        if not names:
            return
        cloned = self.cloned.get(name, ())
        if not cloned:
            return
        if isinstance(names, LazyNames):
            yield from sorted(at for each in cloned if (at := names.find(each)) is not None)
            return
        wanted = set(cloned)
        yield from (at for at, each in enumerate(names) if each in wanted)

    def _links(self, snapshot: str, above: str, depth: int) -> Iterator[Stretch]:
        """The clones of a snapshot, and the clones of those, below it."""
        for clone in self.graph.clones.get(snapshot, ()):
            yield Stretch((clone,), 0, 1, depth, above)
            key = f"{above}{BEHIND}{clone}"
            if key.count(BEHIND) < MOST_STEPS and clone not in above.split(BEHIND):
                for each in self.cloned.get(clone, ()):
                    yield from self._links(each, key, depth + 1)


def link_to(graph: Graph, clone: str) -> str | None:
    """The key of a clone's row below its origin; None for other datasets."""
    dataset = graph.datasets.get(clone)
    return None if dataset is None or dataset.origin is None else f"{dataset.origin}{BEHIND}{clone}"

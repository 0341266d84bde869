"""Datasets, their snapshots and what hangs on those, as rows of one tree that are made when looked at.

A million snapshots are a few stretches of names here: opening, closing and filtering move stretches about,
and a row is found by halving.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from time import monotonic
from typing import Final, overload

from zconsole.analysis.closure import Graph
from zconsole.analysis.sieve import Query

BEHIND: Final = "\n"  # between the names of a place that is not an object's own; no name holds it
MOST_STEPS: Final = 8  # from clone to clone, that are shown below one snapshot
AT_ONCE: Final = 4096  # names that are sifted before the clock is looked at


@dataclass(frozen=True, slots=True)
class Item:
    """One row: a dataset, a snapshot, a bookmark, or a clone shown below what it stands on."""

    name: str  # of what stands there
    depth: int
    key: str  # the name; of a clone below its origin, all names on the way
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of one depth: the names from one place to another, or one clone below its origin."""

    names: Sequence[str]
    start: int
    end: int
    depth: int
    above: str = ""  # of a link: the key of the row that it stands below

    def item(self, at: int) -> Item:
        """The row at that place of the stretch."""
        name = self.names[self.start + at]
        if self.above:
            return Item(name, self.depth, f"{self.above}{BEHIND}{name}", is_link=True)
        return Item(name, self.depth, name)


class Outline:
    """The rows that are shown now."""

    __slots__ = ("_by_base", "_ends", "_stretches")

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        self._stretches = stretches
        self._ends = list(accumulate(each.end - each.start for each in stretches))
        self._by_base: dict[str, list[int]] | None = None

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: int) -> Item:
        place = bisect_right(self._ends, at)
        stretch = self._stretches[place]
        return stretch.item(at - self._ends[place] + stretch.end - stretch.start)

    def place(self, key: str) -> int | None:
        """Where the row of that key is, if it is shown."""
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
        """What stands on its own place between two rows, both included."""
        for at in range(max(0, start), min(end + 1, len(self))):
            item = self[at]
            if not item.is_link:
                yield item.name


def _base(key: str) -> str:
    return key.partition(BEHIND)[0].partition("@")[0].partition("#")[0]


def _find(stretch: Stretch, name: str) -> int | None:
    if stretch.end - stretch.start == 1:
        return stretch.start if stretch.names[stretch.start] == name else None
    try:
        return stretch.names.index(name, stretch.start, stretch.end)
    except ValueError:
        return None


class Sorted(Sequence[str]):
    """Names in another order, which is made when the first of them is looked at."""

    __slots__ = ("_key", "_names", "_order")

    def __init__(self, names: Sequence[str], key: Callable[[str], tuple[bool, float | str]]) -> None:
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


@dataclass(slots=True)
class Sieve:
    """What a filter lets through, dataset by dataset; it stops when time is up, and goes on later."""

    hung: Graph
    query: Query
    now: float
    order: Sequence[str]  # of datasets
    found: dict[str, list[str]] = field(default_factory=dict)  # snapshots and bookmarks, by dataset
    itself: set[str] = field(default_factory=set)  # datasets that are meant themselves
    _at: int = 0  # in the order
    _from: int = 0  # among the parts of that dataset

    @property
    def is_done(self) -> bool:
        """Whether everything was looked at."""
        return self._at >= len(self.order)

    @property
    def count(self) -> int:
        """How many were found so far."""
        return len(self.itself) + sum(map(len, self.found.values()))

    def advance(self, until: float, clock: Callable[[], float] = monotonic) -> None:
        """Go on for as long as there is time."""
        while not self.is_done:
            name = self.order[self._at]
            if self._from == 0 and self.query.finds_dataset(name):
                self.itself.add(name)
                self._at += 1
            else:
                every = parts(self.hung, name)
                some = every[self._from : self._from + AT_ONCE]
                left = self.query.sift(some, self.hung.datasets, self.now) if some else []
                if left:
                    self.found.setdefault(name, []).extend(left)
                self._from += AT_ONCE
                if self._from >= len(every):
                    self._at, self._from = self._at + 1, 0
            if clock() >= until:
                return


def parts(hung: Graph, name: str) -> Sequence[str]:
    """A dataset's bookmarks, whose snapshots are mostly gone, then its snapshots, oldest first."""
    snapshots, bookmarks = hung.snapshots.get(name, ()), hung.bookmarks.get(name, ())
    return (*bookmarks, *snapshots) if bookmarks else snapshots


Key = Callable[[str], tuple[bool, float | str]]


@dataclass(slots=True)
class Layout:
    """Which rows are shown: what is opened, what is folded, what passes, in which order."""

    hung: Graph
    opened: set[str] = field(default_factory=set)  # datasets whose snapshots are shown
    folded: set[str] = field(default_factory=set)  # datasets below which nothing is shown
    key: Key | None = None  # to sort by
    sieve: Sieve | None = None
    _blocks: dict[str, tuple[Stretch, ...]] = field(default_factory=dict)
    _order: tuple[str, ...] | None = None
    _roots: tuple[str, ...] | None = None

    def forget(self, dataset: str | None = None) -> None:
        """Lay out anew: one dataset, or all."""
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
        """All datasets, whatever is shown."""
        return tuple(each for root in self.roots() for each in self.hung.tree(root))

    def roots(self) -> tuple[str, ...]:
        """The datasets above which none is listed."""
        if self._roots is None:
            known = self.hung.datasets
            self._roots = tuple(
                name
                for name in known
                if "@" not in name and "#" not in name and name.rpartition("/")[0] not in known
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
                waiting.extend(reversed(self._ordered(self.hung.children.get(name, ()))))

    def _wanted(self) -> set[str] | None:
        """The datasets that a filter lets through, and those above them."""
        if self.sieve is None:
            return None
        found = {*self.sieve.found, *self.sieve.itself}
        for name in tuple(found):
            above = name.rpartition("/")[0]
            while above and above not in found:
                found.add(above)
                above = above.rpartition("/")[0]
        return found

    def _ordered(self, names: Sequence[str]) -> Sequence[str]:
        return names if self.key is None else sorted(names, key=self.key)

    def shown_parts(self, name: str) -> Sequence[str]:
        """The snapshots and bookmarks of a dataset that are shown."""
        if self.sieve is not None and name not in self.sieve.itself:
            names: Sequence[str] = self.sieve.found.get(name, ())
        elif name in self.opened:
            names = parts(self.hung, name)
        else:
            return ()
        return Sorted(names, self.key) if self.key is not None and len(names) > 1 else names

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
        """The places of the snapshots below which clones are shown."""
        if not names:
            return
        clones = self.hung.clones
        cloned = [each for each in self.hung.snapshots.get(name, ()) if each in clones]
        if not cloned:
            return
        wanted = set(cloned)
        yield from (at for at, each in enumerate(names) if each in wanted)

    def _links(self, snapshot: str, above: str, depth: int) -> Iterator[Stretch]:
        """The clones of a snapshot, and the clones of those, below it."""
        for clone in self.hung.clones.get(snapshot, ()):
            yield Stretch((clone,), 0, 1, depth, above)
            key = f"{above}{BEHIND}{clone}"
            if key.count(BEHIND) < MOST_STEPS and clone not in above.split(BEHIND):
                for each in self.hung.snapshots.get(clone, ()):
                    if each in self.hung.clones:
                        yield from self._links(each, key, depth + 1)


def link_to(hung: Graph, clone: str) -> str | None:
    """The key of a clone's row below its origin; None of what is no clone."""
    dataset = hung.datasets.get(clone)
    return None if dataset is None or dataset.origin is None else f"{dataset.origin}{BEHIND}{clone}"

"""Filter of all snapshots of a pool in time slices, dataset by dataset."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from time import monotonic, process_time
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.snapshot_graph import Chained, LazyNames, ListedDatasets, Names, Picked
from zconsole.analysis.search.dataset_query import Query
from zconsole.analysis.search.name_matcher import NameMatcher
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.snapshot_table import SnapshotColumns

AT_ONCE: Final = 4096  # names filtered between two looks at the clock
MARKS_AT_ONCE: Final = 256  # bookmarks of a dataset in columns
FEWER: Final = 8  # divisor when a regular expression took too long for that many
LIMIT_S: Final = 10.0  # of CPU time, for a regular expression over a whole pool
SPARSE: Final = 64  # with at most one previous hit per this many names, only those are checked again

Places = Sequence[int]  # a range or an array, ascending

NOTHING: Final[Mapping[str, tuple[str, ...]]] = {}


@dataclass(slots=True)
class IncrementalFilter:
    """Filter run that stops when its time slice is over and continues later.

    A regular expression that takes too long over one name, or over all, is abandoned.

    For columnar snapshots names are filtered first. When the remaining ones need values that were not read
    yet, they wait in `lacking` until `learn` is called.
    """

    graph: Graph
    query: Query
    now: float
    order: Sequence[str]  # of datasets
    cloned: Mapping[str, Sequence[str]] = field(default_factory=dict)  # snapshots with clones, by dataset
    before: IncrementalFilter | None = None  # the previous run, if its query is similar
    found: dict[str, Sequence[str]] = field(default_factory=dict)  # snapshots and bookmarks, by dataset
    itself: set[str] = field(default_factory=set)  # datasets that match themselves
    lacking: dict[str, array[int]] = field(default_factory=dict)  # indexes that wait for values
    by_name: dict[str, tuple[SnapshotColumns, Places]] = field(default_factory=dict)  # finished by name
    is_given_up: bool = False  # the result is incomplete
    _at_once: int = AT_ONCE
    _spent_s: float = 0.0  # of CPU time
    _at: int = 0  # in the order
    _from: int = 0  # position among the parts of that dataset
    _names: NameMatcher | None = None  # for the current dataset
    _is_same: bool = False  # whether the previous query was equal
    _is_narrower: bool = False

    def __post_init__(self) -> None:
        if self.before is not None:
            self.before.before = None
            self._is_same = _of_names(self.before.query) == _of_names(self.query)
            self._is_narrower = is_narrower(self.query, self.before.query)

    @property
    def is_done(self) -> bool:
        """Whether everything was filtered, or the run was abandoned."""
        return self.is_given_up or self._at >= len(self.order)

    @property
    def count(self) -> int:
        """Number of hits so far."""
        return len(self.itself) + sum(map(len, self.found.values()))

    @property
    def waits_for(self) -> int:
        """Number of snapshots that wait for values."""
        return sum(map(len, self.lacking.values()))

    def advance(self, until: float, clock: Callable[[], float] = monotonic) -> None:
        """Continue until the time is over."""
        while not self.is_done:
            began = process_time()
            try:
                self._step(self.order[self._at])
            except TimeoutError:
                self.is_given_up = self._at_once == 1
                self._at_once = max(1, self._at_once // FEWER)
            self._spent_s += process_time() - began
            self.is_given_up |= bool(self.query.regexes) and self._spent_s > LIMIT_S and not self.is_done
            if clock() >= until:
                return
        self.before = None

    def _step(self, name: str) -> None:
        """Filter a dataset or part of it. Raises TimeoutError, then without effect."""
        if self._from == 0 and self.query.finds_dataset(name, self.graph.datasets, self.now):
            self.itself.add(name)
            self._at += 1
            return
        snapshots = self.graph.snapshots.get(name, ())
        if isinstance(snapshots, Names):
            is_through = self._sift_names(name, snapshots)
        else:
            is_through = self._sift_each(name, parts(self.graph, name))
        if is_through:
            self._at, self._from, self._names = self._at + 1, 0, None

    def learn(self, dataset: str, most: int) -> None:
        """Values of the first of a dataset's waiting snapshots were read; missing ones are dropped."""
        names, places = self.graph.snapshots.get(dataset), self.lacking.get(dataset)
        if isinstance(names, Names) and places is not None:
            known, _ = self._parted(names, places[:most])
            self._add(dataset, names, self._by_value(names, known))
            del places[:most]
            if not places:
                del self.lacking[dataset]

    def _sift_each(self, name: str, every: Sequence[str]) -> bool:
        some = every[self._from : self._from + self._at_once]
        left = self.query.sift(some, self.graph.datasets, self.now) if some else []
        if left:
            self.found[name] = [*self.found.get(name, ()), *left]
        self._from += len(some)
        return self._from >= len(every)

    def _sift_names(self, name: str, names: Names) -> bool:
        """Filter some columnar snapshots of a dataset, after its bookmarks."""
        columns = names.columns
        if self._from == 0:
            marks = self.graph.bookmarks.get(name, ())
            left = [
                name
                for at in range(0, len(marks), MARKS_AT_ONCE)
                for name in self.query.sift(marks[at : at + MARKS_AT_ONCE], self.graph.datasets, self.now)
            ]
            if left:
                self.found[name] = left
            self._names = NameMatcher(self.query, name)
            self.by_name[name] = (columns, range(0))
        assert self._names is not None  # noqa: S101 - set when the dataset begins
        end = min(len(columns), self._from + self._at_once)
        known = self._known_before(name, columns)
        if known is None:
            some = self._names.sift(columns, self._from, end)
        elif self._is_same:
            some, end = known, len(columns)
        else:
            start = bisect_left(known, self._from)
            if len(known) * SPARSE <= len(columns):
                last = start + self._at_once
                end = known[last] if last < len(known) else len(columns)
            mine = known[start : bisect_left(known, end)]
            is_few = len(mine) * SPARSE <= end - self._from
            some = self._names.narrow(columns, mine) if is_few else self._names.sift(columns, self._from, end)
        self.by_name[name] = (columns, chained(self.by_name[name][1], some))
        self._take(name, names, self._by_clones(name, names, some))
        self._from = end
        return end >= len(columns)

    def _known_before(self, name: str, columns: SnapshotColumns) -> Places | None:
        """Hits of the previous run for these names; None when it does not help."""
        if self.before is None or not (self._is_same or self._is_narrower):
            return None
        known = self.before.by_name.get(name)
        is_whole = not self.before.is_at(name)
        return known[1] if known is not None and is_whole and known[0] is columns else None

    def is_at(self, name: str) -> bool:
        """Whether this dataset is being filtered, or the run was abandoned there."""
        return self._at < len(self.order) and self.order[self._at] == name

    def _by_clones(self, name: str, names: Names, places: Sequence[int]) -> Sequence[int]:
        if not self.query.cloned or not places:
            return places
        cloned = {names.find(each) for each in self.cloned.get(name, ())}
        return [place for place in places if {place in cloned} == set(self.query.cloned)]

    def _take(self, name: str, names: Names, places: Sequence[int]) -> None:
        if not places:
            return
        if self.query.by_value:
            known, lacking = self._parted(names, places)
            if lacking:
                self.lacking.setdefault(name, array("I")).extend(lacking)
            places = self._by_value(names, known)
        self._add(name, names, places)

    def _parted(self, names: Names, places: Iterable[int]) -> tuple[list[int], list[int]]:
        """Indexes with sufficient values, and the others."""
        datasets = self.graph.datasets
        if not isinstance(datasets, ListedDatasets):
            return list(places), []
        is_known, guids = datasets.is_read, names.columns.guids
        known: list[int] = []
        lacking: list[int] = []
        for place in places:
            (known if is_known(guids[place]) else lacking).append(place)
        return known, lacking

    def _by_value(self, names: Names, places: Sequence[int]) -> Sequence[int]:
        datasets = self.graph.datasets
        if not isinstance(datasets, ListedDatasets):
            return ()
        made = {name: datasets.at(names, place, name) for place in places for name in [names.name(place)]}
        where = dict(zip(made, places, strict=True))
        left: Sequence[str] = tuple(made)
        for sift in self.query.by_value:
            left = sift(left, made, self.now)
        return [where[each] for each in left]

    def _add(self, name: str, names: Names, places: Sequence[int]) -> None:
        """Add indexes to the hits."""
        if not places:
            return
        found = self.found.get(name, ())
        if isinstance(found, Chained):
            picked: LazyNames = found.then
        else:
            picked = found if isinstance(found, Picked) else Picked(names, range(0))
            self.found[name] = picked if found is picked or not found else Chained(found, picked)
        if isinstance(picked, Picked):
            picked.places = chained(picked.places, places)


def chained(mine: Sequence[int], more: Sequence[int]) -> Places:
    """Merged ascending indexes; consecutive ones stay a range."""
    if not len(mine):
        return more if isinstance(more, range) else array("I", more)
    if isinstance(mine, range) and isinstance(more, range) and mine.stop == more.start:
        return range(mine.start, more.stop)
    grown = mine if isinstance(mine, array) else array("I", mine)
    if not len(more) or grown[-1] < more[0]:
        grown.extend(more)
    else:
        at = bisect_right(grown, more[0])
        grown[at:] = array("I", sorted([*grown[at:], *more]))
    return grown


def _of_names(query: Query) -> tuple[object, ...]:
    return query.texts, query.regexes, query.globs


def is_narrower(query: Query, before: Query) -> bool:
    """Whether every match of the query also matches the previous one."""
    return (
        all(any(text in longer for longer in query.texts) for text in before.texts)
        and set(before.regexes) <= set(query.regexes)
        and set(before.globs) <= set(query.globs)
    )


def parts(graph: Graph, name: str) -> Sequence[str]:
    """A dataset's bookmarks, then its snapshots, oldest first."""
    snapshots, bookmarks = graph.snapshots.get(name, ()), graph.bookmarks.get(name, ())
    if isinstance(snapshots, LazyNames):
        return Chained(bookmarks, snapshots) if bookmarks else snapshots
    return (*bookmarks, *snapshots) if bookmarks else snapshots


Cloned = dict[str, Sequence[str]]


def cloned_in(graph: Graph, before: tuple[Graph, Cloned] | None = None) -> Cloned:
    """Snapshots with clones, by dataset, oldest first; unchanged parts of `before` are reused."""
    by_dataset: dict[str, list[str]] = {}
    for name in graph.clones:
        by_dataset.setdefault(dataset_of(name), []).append(name)
    known = {} if before is None or before[0].clones is not graph.clones else before[1]
    found: Cloned = {}
    for dataset, cloned in by_dataset.items():
        snapshots = graph.snapshots.get(dataset, ())
        if dataset in known and before is not None and before[0].snapshots.get(dataset) is snapshots:
            found[dataset] = known[dataset]
        elif isinstance(snapshots, Names):
            places = sorted((place, each) for each in cloned if (place := snapshots.find(each)) is not None)
            found[dataset] = [each for _, each in places]
        else:
            wanted = set(cloned)
            found[dataset] = [each for each in snapshots if each in wanted]
    return found

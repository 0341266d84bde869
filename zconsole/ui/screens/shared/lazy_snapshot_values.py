"""Lazy values of snapshots that were listed by name: visible, marked, sorted, or filtered ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Final, Protocol

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.snapshot_graph import ListedDatasets, Names
from zconsole.analysis.search.snapshot_filter_in_time_slices import IncrementalFilter
from zconsole.base.errors import ZConsoleError
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.ui.delayed_calls import Once
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

ASK_AFTER_S: Final = 0.1  # of unmoved rows
MOST_KNOWN: Final = 50_000  # snapshots with kept values beyond the name
MOST_TOGETHER: Final = 20_000  # snapshots of a dataset that are read in one command
SHARE: Final = 4  # where one in so many is wanted, all of a dataset are read
PART: Final = 2000  # names in one question otherwise
SLICE: Final = 500  # snapshots that are processed before a key may come in between


class SnapshotList(Protocol):
    """List of snapshots, as seen by the reader."""

    def graph(self) -> Graph | None:
        """The listing."""

    def in_sight(self, around: int = 0) -> Iterable[str]:
        """The names of the visible rows, and of a number of screenfuls above and below."""

    def sieve(self) -> IncrementalFilter | None:
        """The current filter."""

    def is_known_more(self) -> None:
        """Show newly read values of some snapshots."""


class SnapshotValues:
    """Reader of the values that a list shows. A new question of a kind cancels the one before."""

    def __init__(self, screen: ConsoleScreen, host: str, shown: SnapshotList) -> None:
        self.known: dict[int, Dataset] = {}  # by guid; the oldest are dropped
        self._screen = screen
        self._host = host
        self._list = shown
        self._asked: set[int] = set()  # guids, since the last full listing
        self._asking: frozenset[str] = frozenset()
        self._reading: Once | None = None
        self._moved_at = 0.0
        self._is_reading_lacking = False

    # Known values

    def _columns(self) -> ListedDatasets | None:
        """The datasets, where snapshots are in columns."""
        graph = self._list.graph()
        datasets = graph.datasets if graph is not None else None
        return datasets if isinstance(datasets, ListedDatasets) else None

    async def learn(self, found: Sequence[Dataset]) -> None:
        """Keep newly read values."""
        for start in range(0, len(found), SLICE):
            for each in found[start : start + SLICE]:
                if each.guid is not None:
                    self.known.pop(each.guid, None)
                    self.known[each.guid] = each
                    self._asked.add(each.guid)
            while len(self.known) > MOST_KNOWN:
                del self.known[next(iter(self.known))]
            await asyncio.sleep(0)

    def ask_again(self) -> None:
        """Allow questions to be asked again after a full listing: visible values may have changed."""
        self._asked.clear()
        self._asking = frozenset()

    async def read(self, names: Sequence[str]) -> bool:
        """Ask the host, and keep the answer; return whether one came."""
        try:
            found = await asyncio.wrap_future(self._screen.console.queries.values(self._host, names))
        except ZConsoleError:
            return False  # names are shown all the same, and the connection problem is in the first line
        await self.learn(found)
        return True

    # Visible rows

    def read_visible_values(self) -> None:
        """Ask for the unknown values of the visible rows, once the rows stop moving."""
        if self._columns() is None:
            return
        self._moved_at = monotonic()
        if self._reading is None:
            self._read_in(ASK_AFTER_S)

    def _read_in(self, seconds: float) -> None:
        self._reading = Once(self._screen, seconds, self._read_now)

    def _read_now(self) -> None:
        self._reading = None
        if not self._screen.is_attached:
            return
        still_s = monotonic() - self._moved_at
        if still_s < ASK_AFTER_S:
            self._read_in(ASK_AFTER_S - still_s)
            return
        wanted = self._not_asked(self._list.in_sight())
        if wanted and not wanted.keys() <= self._asking:
            wanted |= self._not_asked(self._list.in_sight(1))
            self._asking = frozenset(wanted)
            self._screen.run_worker(self._read_sight(wanted), group="values", exclusive=True)

    def _not_asked(self, names: Iterable[str]) -> dict[str, int]:
        """The snapshots without a question so far, with their guids."""
        datasets = self._columns()
        found: dict[str, int] = {}
        if datasets is None:
            return found
        for name in names:
            guid = datasets[name].guid if "@" in name and name in datasets else None
            if guid is not None and guid not in self._asked:
                found[name] = guid
        return found

    async def _read_sight(self, wanted: dict[str, int]) -> None:
        await self.read(tuple(wanted))
        self._asked.update(wanted.values())  # including snapshots that are gone, or were not reported
        self._list.is_known_more()
        self.read_visible_values()

    # Values for a filter

    def read_lacking(self) -> None:
        """Read the values that the filter needs, of the snapshots that match by name."""
        sieve = self._list.sieve()
        if sieve is not None and sieve.lacking and not self._is_reading_lacking:
            self._is_reading_lacking = True
            self._screen.run_worker(self._read_lacking(sieve), group="lacking", exclusive=True)

    def stop_reading_lacking(self) -> None:
        """Stop reading: another filter is set."""
        self._is_reading_lacking = False
        self._screen.workers.cancel_group(self._screen, "lacking")

    async def _read_lacking(self, sieve: IncrementalFilter) -> None:
        while sieve is self._list.sieve() and sieve.lacking:
            dataset, places = next(iter(sieve.lacking.items()))
            names = sieve.graph.snapshots.get(dataset)
            count = len(places)
            if not isinstance(names, Names):
                break
            if len(names) <= MOST_TOGETHER and count * SHARE >= len(names):
                await self.read((dataset,))
            else:
                count = min(count, PART)
                await self.read([names.name(place) for place in places[:count]])
            for start in range(0, count, SLICE):
                sieve.learn(dataset, min(SLICE, count - start))
                await asyncio.sleep(0)
            self._list.is_known_more()
        self._is_reading_lacking = False

    # Values for sorting and marking

    async def read_all_of(self, datasets: Iterable[str]) -> tuple[str, ...]:
        """Read the unread snapshots of some datasets; return the names of datasets with too many."""
        graph, columns = self._list.graph(), self._columns()
        if graph is None or columns is None:
            return ()
        many = []
        for dataset in datasets:
            names = graph.snapshots.get(dataset)
            if not isinstance(names, Names) or all(map(self.known.__contains__, names.columns.guids)):
                continue
            if len(names) > MOST_TOGETHER:
                many.append(dataset)
            else:
                await self.read((dataset,))
        return tuple(many)

    def is_made_late(self) -> bool:
        """Whether the sum has to wait until values of the snapshots are read."""
        return self._columns() is not None

    async def read_for(self, names: Iterable[str]) -> str:
        """Read the values for the sum of these; return why that is impossible, or an empty text."""
        many = await self.read_all_of(dict.fromkeys(dataset_of(name) for name in names))
        return f"{many[0]} has too many snapshots to add them up here" if many else ""

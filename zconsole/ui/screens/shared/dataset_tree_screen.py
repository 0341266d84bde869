"""Dataset tree: datasets with their snapshots and clones, expanded, folded, sorted and filtered.

A long listing is indexed in a thread, and a filter runs in slices: a key never waits for either.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import ClassVar, Final

from textual import events

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.snapshot_graph import ListedSnapshots
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.analysis.search.dataset_query import Query, parse_filter
from zconsole.analysis.search.query_terms import taken_as_text, while_typing
from zconsole.analysis.search.snapshot_filter_in_time_slices import IncrementalFilter
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.model.guests.guest import Guest
from zconsole.ui.screens.shared.base_screen import MARGIN
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.lazy_snapshot_values import SnapshotValues
from zconsole.ui.screens.shared.snapshot_marking import SnapshotMarks
from zconsole.views.datasets import datasets_page as views
from zconsole.views.datasets.dataset_columns import (
    NO_GUESTS,
    CellContext,
    DatasetFacts,
    filter_fields,
    shown_set,
    sort_key,
)
from zconsole.views.datasets.tree_row_order_and_folding import BEHIND, Key, Outline, TreeArrangement
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.sort_and_filter_rows import TOO_SLOW
from zconsole.views.layout.styled_text import Line, Lines, line
from zconsole.views.layout.table import ColumnSet, TableLines, place

AT_ONCE: Final = 20_000  # datasets and snapshots that are indexed without a thread of their own
SLICE_S: Final = 0.006  # of filtering, before a key may come in between
SOON_S: Final = 0.001
REDRAW_S: Final = 0.05  # while filtering goes on
REDRAW_FULL_S: Final = 0.5  # the same, when the screen is full and only the number of matches changes
REDRAW_SHARE: Final = 4.0  # multiple of a redraw's duration, before the next one
MOST_ORIGINS: Final = 2000  # snapshots that are read for the findings on clones


@dataclasses.dataclass(slots=True)  # it has an InitVar
class OutlineLines(TableLines):
    """Lines of the tree; keys are found without making every row."""

    outline: Outline | None = None

    def place(self, key: str) -> int | None:
        return None if self.outline is None else self.outline.place(key)


class TreeScreen(ConsoleScreen):
    """Tree whose expanded and folded rows survive a new listing."""

    PARTS: ClassVar[Mapping[str, type]] = {"marks": SnapshotMarks}

    def __init__(self, host: str, pool: str, dataset: str | None = None) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self.values = SnapshotValues(self, host, self)
        self.marks = SnapshotMarks(self, (host, pool), self, self.values)
        self._sought = dataset  # row to select, until it is listed
        self._fields: ColumnSet[DatasetFacts] = shown_set("space", has_guests=False)
        self._guests_read: tuple[Guest, ...] | None = None  # those that are indexed
        self._guests = NO_GUESTS
        self._listed: tuple[Dataset, ...] | None = None  # the listing that is indexed, or being indexed
        self._listing: Listing | None = None  # the same, where it is in columns
        self._index: views.Index | None = None
        self._layout: TreeArrangement | None = None
        self._had: TreeArrangement | None = None  # the previous one
        self._outline = Outline(())
        self._opened: set[str] = set()
        self._folded: set[str] = set()
        self._query: Query | None = None
        self._query_problem = ""
        self._first: tuple[str, ...] = ()  # datasets to be listed before others

    # The listing

    def _take_in(self, listed: tuple[Dataset, ...], now: float) -> None:
        """Index a new listing, a long one in a thread; meanwhile the previous one is shown."""
        self._listed, self._listing = listed, None
        if len(listed) <= AT_ONCE:
            self._indexed(listed, views.index(listed, now))
        else:
            work = partial(self._index_apart, listed, now)
            self.run_worker(work, group="index", exclusive=True, thread=True)

    def _take_in_columns(self, listing: Listing, now: float) -> None:
        """Index a new listing in columns; the previous index is reused."""
        if self._listing is None or self._listing.as_of != listing.as_of:
            self.values.ask_again()
        before = self._index if self._listing is not None else None
        self._listed, self._listing = None, listing
        made = views.index_listing(listing, self.values.known, now, before)
        same: Container[str] = ()
        if self.marks.names and before is not None:
            same = _same(before.graph, made.graph, self.marks.names)
        self._index = made
        self._had, self._layout = self._layout or self._had, None
        if self.marks.names:
            self.call_later(self.marks.keep, made.graph.datasets, same)
        if listing.is_whole:
            self.run_worker(self._read_origins(listing), group="origins", exclusive=True)

    async def _read_origins(self, listing: Listing) -> None:
        """Read the origins of clones and their shared space, for the findings."""
        graph = self._index.graph if self._index is not None else None
        layout = self._layout
        if graph is None or layout is None or not graph.clones:
            return
        cloned = [name for names in layout.cloned.values() for name in names]
        clones = (clone for name in cloned for clone in graph.clones.get(name, ()))
        firsts = [names[0] for clone in clones if (names := graph.snapshots.get(clone))]
        wanted = [*cloned, *firsts][:MOST_ORIGINS]
        if await self.values.read(wanted) and self._listing is listing and self._index is not None:
            self._index = replace(
                self._index,
                findings=await asyncio.to_thread(clone_findings, graph, self.console.states.now()),
            )
            self.draw()

    def _take_in_guests(self, guests: tuple[Guest, ...] | None) -> None:
        """Index the guests where they were read again; their column is shown where the pool has some."""
        if guests is self._guests_read:
            return
        self._guests_read, self._guests = guests, GuestsByDataset(guests or ())
        self._fields = shown_set(self._fields.id, has_guests=bool(self._guests.count(self.pool)))
        if self._shape.column == "guests":
            self._layout = None

    def _known_guests(self) -> GuestsByDataset:
        return self._guests

    def _index_apart(self, listed: tuple[Dataset, ...], now: float) -> None:
        made = views.index(listed, now)
        self.app.call_from_thread(self._indexed, listed, made, is_late=True)

    def _indexed(self, listed: tuple[Dataset, ...], made: views.Index, *, is_late: bool = False) -> None:
        if listed is not self._listed:
            return
        self._index = made
        self._had, self._layout = None, None
        if self.marks.names:
            self.call_later(self.marks.keep, made.graph.datasets)
        if is_late:
            self.draw()

    def _laid_out(self, now: float) -> TreeArrangement:
        """The arrangement of the current listing and options, and with it the rows."""
        if self._layout is None and self._index is not None:
            had, self._had = self._had, None
            self._layout = TreeArrangement(self._index.graph, self._opened, self._folded, before=had)
            self._sort_by(self._layout, now)
            self._begin_sifting(now, None if had is None else had.sieve)
            self._outline = self._layout.outline()
        assert self._layout is not None  # noqa: S101 - a page without an index is the absent one
        return self._layout

    def is_settling(self) -> bool:
        sieve = self.sieve()
        return self._index is None or (sieve is not None and not (sieve.is_done and not sieve.waits_for))

    def named(self, key: str) -> str:
        return clean(key.rpartition(BEHIND)[2])

    def _lay_out(self, dataset: str | None = None) -> None:
        """Lay out one dataset again, or all, and draw."""
        if self._layout is not None:
            self._layout.forget(dataset)
            self._outline = self._layout.outline()
        self.draw()

    def lines(self, page: Page) -> tuple[Lines, Line]:
        if self._index is None:
            return super().lines(page)
        self._total = self._index.datasets + self._index.snapshots + self._index.bookmarks
        cells = self.app.size.width - 1
        drawn = OutlineLines(
            page.table,
            cells,
            MARGIN,
            before=self._rows_before,
            outline=self._outline,
            sorted_by=self._shape.column,
        )
        self._rows_before = drawn
        return drawn, drawn.header(self._shape.column, is_reverse=self._shape.is_reverse)

    def draw(self) -> None:
        super().draw()
        self.values.read_visible_values()
        self._want_first()
        if self._sought is not None and self._index is not None and self._is_ready:
            sought, self._sought = self._sought, None
            self._go_to(sought)

    @property
    def _object(self) -> str:
        """The object under the cursor; of a clone below its origin, the clone."""
        return (self.rows.key or "").rpartition(BEHIND)[2]

    def full_name(self) -> str:
        return self._object

    # For the marks and the reader

    def on_key(self, event: events.Key) -> None:
        """Mark with the space key; in other lists it turns the page."""
        if event.key == "space" and self.rows.has_focus:
            event.stop()
            event.prevent_default()
            self.marks.action_mark_one()

    def in_sight(self, around: int = 0) -> Iterable[str]:
        rows = self.rows.rows_shown
        top = self.rows.scroll_offset.y - around * rows
        end = min(top + (1 + 2 * around) * rows, len(self._outline))
        return [self._outline[at].name for at in range(max(0, top), end)]

    def _want_first(self) -> None:
        """Prefer a part of the snapshots while they are listed: expanded datasets, and visible ones."""
        if self._listing is not None and not self._listing.is_whole:
            bases = (dataset_of(name) for name in self.in_sight())
            first = tuple(dict.fromkeys((*sorted(self._opened), *bases)))
            if first != self._first:
                self._first = first
                self.console.states.want_first(self.host, self.pool, first)

    def sieve(self) -> IncrementalFilter | None:
        return None if self._layout is None else self._layout.sieve

    def is_known_more(self) -> None:
        if self._layout is not None and (self._layout.key is not None or self._layout.sieve is not None):
            self._lay_out()
        else:
            self.draw()

    def _draw_words(self) -> bool:
        is_changed = super()._draw_words()
        self.values.read_visible_values()
        return is_changed

    def graph(self) -> Graph | None:
        return None if self._index is None else self._index.graph

    def snapshot(self) -> str | None:
        key = self.rows.key or ""
        return key if "@" in key and BEHIND not in key else None

    def snapshots_to(self, start: str | None) -> Iterable[str] | None:
        first, last = 0, len(self._outline) - 1
        if start is not None:
            place = self._outline.place(start)
            if place is None:
                return None
            first, last = sorted((place, self.rows.cursor))
        elif (sieve := self.sieve()) is not None and self._is_partial(sieve):
            return None
        else:
            self._sift_to_the_end()
            last = len(self._outline) - 1
        return (name for name in self._outline.names(first, last) if "@" in name)

    def _is_partial(self, sieve: IncrementalFilter) -> bool:
        """Whether more rows may match than are shown, by an unknown number."""
        return sieve.is_given_up or (
            (self._listing is not None or bool(sieve.query.regexes)) and not sieve.is_done
        )

    # Filter and order

    def _set_filter(self, words: str) -> None:
        self._shape = replace(self._shape, words=words)
        self._query, self._query_problem = while_typing(words, self._parse)
        if self._layout is not None and self.shown is not None:
            self._begin_sifting(self.shown.now)
            self._lay_out()

    def _parse(self, words: str) -> Query | None:
        return parse_filter(words, filter_fields(self.graph, self._known_guests))

    def _begin_sifting(self, now: float, before: IncrementalFilter | None = None) -> None:
        """Filter for a moment now, and go on between the keys; an earlier filter is abandoned."""
        self.workers.cancel_group(self, "sift")
        self.values.stop_reading_lacking()
        layout = self._layout
        if layout is None:
            return
        before = layout.sieve if before is None else before
        layout.sieve = None
        if self._query is None:
            return
        layout.sieve = IncrementalFilter(
            layout.graph, self._query, now, layout.every(), layout.cloned, before
        )
        layout.sieve.advance(monotonic() + SLICE_S)
        if not layout.sieve.is_done:
            self.run_worker(self._sift_on(layout.sieve), group="sift", exclusive=True)
        self.values.read_lacking()

    async def _sift_on(self, sieve: IncrementalFilter) -> None:
        """Filter in slices. Textual's timers are unsuitable: they leave out late calls."""
        redraw_at = monotonic() + REDRAW_S
        is_done = False
        while not is_done:
            await asyncio.sleep(SOON_S)
            sieve.advance(monotonic() + SLICE_S)
            is_done, began = sieve.is_done, monotonic()
            if is_done or began > redraw_at:
                self._lay_out()
                is_full = len(self._outline) > self.rows.rows_shown
                least_s = REDRAW_FULL_S if is_full else REDRAW_S
                redraw_at = began + max(least_s, REDRAW_SHARE * (monotonic() - began))
            self.values.read_lacking()

    def _sift_to_the_end(self) -> None:
        sieve = self._layout.sieve if self._layout is not None else None
        if sieve is not None and not sieve.is_done:
            sieve.advance(float("inf"))
            self._lay_out()

    def is_empty_by_filter(self) -> bool:
        sieve = self._layout.sieve if self._layout is not None else None
        return super().is_empty_by_filter() and sieve is not None and sieve.is_done and not sieve.waits_for

    def filter_problem(self) -> str:
        sieve = self.sieve()
        return self._query_problem or (sieve.query.problem if sieve is not None else "")

    def is_misworded(self) -> bool:
        return bool(self._query_problem)

    def taken_as_text(self) -> str:
        columns = ((each.id, each.title) for each in filter_fields(self.graph, self._known_guests))
        return taken_as_text(self._shape.words, columns)

    def filter_words(self) -> Line:
        sieve = self._layout.sieve if self._layout is not None else None
        words = line(("filter ", "dim"), (self._shape.words, "mark"))
        if sieve is not None and not self._query_problem:
            going = "" if sieve.is_done and not sieve.waits_for else " so far"
            if sieve.waits_for:
                going = f"{going}, {sieve.waits_for} are being read"
            words = line(*words, (f" {sieve.count} of {self._total} found{going}, Esc clears", "dim"))
            if sieve.query.problem:
                words = line(*words, (f" {sieve.query.problem}", "warn"))
            if sieve.is_given_up:
                words = line(*words, (f" given up: {TOO_SLOW}, there may be more", "warn"))
        return words

    def _sort_key(self, now: float) -> Key | None:
        if self._shape.column is None or self._index is None:
            return None
        return sort_key(
            self._shape.column,
            self._fields,
            CellContext(self._index.graph, now, self._guests),
            is_reverse=self._shape.is_reverse,
        )

    def _sort_by(self, layout: TreeArrangement, now: float) -> None:
        layout.key = self._sort_key(now)
        layout.by, layout.is_reverse = self._shape.column, self._shape.is_reverse

    def is_match(self, key: str) -> bool:
        """Whether a shown row matches: parents of matches are shown with them."""
        sieve = self.sieve()
        return sieve is None or "@" in key or "#" in key or key in sieve.itself

    def _sort_changed(self) -> None:
        self._sort_anew()

    def _sort_anew(self) -> None:
        if self._layout is not None and self.shown is not None:
            self._sort_by(self._layout, self.shown.now)
        self._lay_out()
        if self._listing is not None and self._shape.column is not None and self._opened:
            self.run_worker(self._read_to_sort(), group="sort", exclusive=True)

    async def _read_to_sort(self) -> None:
        many = await self.values.read_all_of(sorted(self._opened))
        if many:
            self.say(f"{many[0]} has too many snapshots to sort: those come first that were read", "dim")
        self.is_known_more()

    def action_sort(self) -> None:
        """Sort siblings by the next visible column; after the last, the natural order."""
        placed = place(self._fields.columns, self.app.size.width - 1).places
        ids = [None, *(column.id for column, _, _ in placed if column.id != "mark")]
        at = ids.index(self._shape.column) if self._shape.column in ids else 0
        self._shape = replace(self._shape, column=ids[(at + 1) % len(ids)], is_reverse=False)
        self._sort_anew()

    def action_reverse(self) -> None:
        """Reverse the order."""
        super().action_reverse()
        self._sort_anew()

    def _go_to(self, key: str) -> None:
        """Put the cursor on a row: expand its parents, and clear a filter that hides it."""
        if self._outline.place(key) is None:
            if self._query is not None:
                self._set_filter("")
            base = dataset_of(key)
            if base != key:
                self._opened.add(base)
            while base:
                base = parent_of(base)
                self._folded.discard(base)
            self._lay_out()
        self.rows.put_on(key)


def _same(before: Graph, now: Graph, names: Iterable[str]) -> frozenset[str]:
    """The datasets with the same snapshots as before."""
    were, are = before.snapshots, now.snapshots
    if not isinstance(were, ListedSnapshots) or not isinstance(are, ListedSnapshots):
        return frozenset()
    bases = {dataset_of(name) for name in names}
    return frozenset(each for each in bases if each in were and were.get(each) is are.get(each))

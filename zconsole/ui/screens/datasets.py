"""Datasets screen: a pool's datasets, snapshots and clones as one tree, with actions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual.binding import BindingType

from zconsole.actions.intent import Intent, Target
from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.search.dataset_query import HINT
from zconsole.base.errors import ZConsoleError
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset_details import DatasetDetails
from zconsole.model.host.host_state import Reading
from zconsole.ui.delayed_calls import Once
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.dataset_tree_screen import TreeScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.datasets import datasets_page as views
from zconsole.views.datasets.dataset_columns import shown_set
from zconsole.views.datasets.dataset_detail import notes
from zconsole.views.datasets.free_space_proposal import ReclaimAnswer
from zconsole.views.datasets.tree_row_order_and_folding import BEHIND, link_to
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, line

_VIEWS: Final = {  # the action of each set of columns
    "space": "columns_used", "limits": "columns_limits", "mounts": "columns_mounts",
    "identity": "columns_numbers",
}  # fmt: skip
RECLAIM: Final = "reclaim"
LOOK_AFTER_S: Final = 0.3  # rest of the cursor before a question


class DatasetsScreen(TreeScreen):
    """Tree of datasets, read only while the screen is open."""

    PLACE = "datasets"
    ABOUT = ("host", "pool")
    NOTES: ClassVar[tuple[int, int]] = (4, 8)
    FILTER_HINT: ClassVar[str] = HINT
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, pool: str, dataset: str | None = None, first: str = "") -> None:
        """`first`: `reclaim` to ask at once how much space to free."""
        super().__init__(host, pool, dataset)
        self._asks_what_to_free = first == RECLAIM
        self._about: views.ShownDatasets | None = None
        self._details: DatasetDetails | None = None
        self._details_wanted: str | None = None
        self._details_timer: Once | None = None
        self._has_asked_for_guests = False  # and they were read, or could not be

    def on_mount(self) -> None:
        self.console.states.want_datasets(self.host, self.pool, is_wanted=True)
        super().on_mount()
        if self._asks_what_to_free:
            self._begin_reclaim(self.pool)  # which leads back to where it was asked for

    def on_unmount(self) -> None:
        self.console.states.want_datasets(self.host, self.pool, is_wanted=False)

    def wants(self) -> frozenset[Want]:
        """The guests once; a console that has read them follows them by itself."""
        return frozenset() if self._has_asked_for_guests else frozenset({Want("guests", self.host)})

    # What was listed

    def page(self, view: View) -> Page:
        host, state = view.host(self.host), view.pool(self.host, self.pool)
        listed = None if state is None else state.datasets.value
        listing = None if state is None or listed is not None else state.listing.value
        if listed is not None and listed is not self._listed:
            self._take_in(listed, view.now)
        if listing is not None and listing is not self._listing:
            self._take_in_columns(listing, view.now)
        if host is None or state is None or (listed is None and listing is None) or self._index is None:
            self._about = None
            return views.absent(view, self.host, self.pool)
        are_read = host.state.guests != Reading() and host.state.containers != Reading()
        self._has_asked_for_guests |= are_read
        self._take_in_guests(guests_and_containers(host.state))
        self._about = views.ShownDatasets(host, state, self._index, listing, self._guests)
        looking = views.DatasetsViewOptions(
            self._fields, self._laid_out(view.now), self._outline, self.marks.names
        )
        numbers = line((self._query_problem, "warn")) if self._query_problem else self.marks.words()
        return views.page(self._about, view, looking, numbers)

    # What is under the cursor

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        name = (key or "").rpartition(BEHIND)[2]
        self._read_details_soon(name)
        return notes(self._about, name, view, self._details)

    def _read_details_soon(self, name: str) -> None:
        """Ask for details only where the cursor rests."""
        if name == self._details_wanted or self._about is None or name not in self._about.graph.datasets:
            return
        self._details_wanted = name
        if self._details_timer is not None:
            self._details_timer.stop()
        self._details_timer = Once(self, LOOK_AFTER_S, partial(self._begin_reading_details, name))

    def _begin_reading_details(self, name: str) -> None:
        self.run_worker(self._read_details(name), group="look", exclusive=True)

    async def _read_details(self, name: str) -> None:
        dataset = self._about.graph.datasets.get(name) if self._about is not None else None
        if dataset is None or "#" in name:
            return
        try:
            self._details = await asyncio.wrap_future(
                self.console.queries.dataset_details(self.host, name, dataset.origin)
            )
        except ZConsoleError:
            return  # the rest is shown all the same, and the connection problem is in the first line
        self._draw_words()

    # What is expanded

    def action_open(self) -> None:
        """Show or hide the snapshots of the dataset under the cursor; go to a clone."""
        if self._index is None:
            return
        if BEHIND in (self.rows.key or ""):
            self.action_kin()
            return
        name = dataset_of(self._object)
        graph = self._index.graph
        if name not in graph.snapshots and name not in graph.bookmarks:
            listed = None if self._listing is None else self._listing.table.dataset(name)
            if listed is None or listed.listed_at:
                self.say("it has no snapshots", "dim")
                return
            self.say("its snapshots come next", "dim")
        self._opened ^= {name}
        self.rows.put_on(name)
        self._lay_out(name)

    def action_expand(self) -> None:
        """Show all snapshots, or hide them all."""
        if self._index is None:
            return
        name = dataset_of(self._object)
        every = {*self._index.graph.snapshots, *self._index.graph.bookmarks}
        is_opening = not self._opened
        self._opened.clear()
        if is_opening:
            self._opened |= every
        else:
            self.rows.put_on(name)
        self._lay_out()

    def action_fold(self) -> None:
        """Hide or show the children of the dataset under the cursor."""
        if self._index is None:
            return
        name = dataset_of(self._object)
        if name not in self._index.graph.children:
            self.say("there is nothing below it", "dim")
            return
        self._folded ^= {name}
        self.rows.put_on(name)
        self._lay_out()

    def action_kin(self) -> None:
        """Go from a clone to its origin, and from there back to the clone."""
        if self._index is None:
            return
        key, name, graph = self.rows.key or "", self._object, self._index.graph
        if BEHIND in key:
            self._go_to(name)
        elif graph.clones.get(name):
            self._go_to(graph.clones[name][0])
        elif (link := link_to(graph, name)) is not None:
            self._go_to(link)
        else:
            self.say("it is no clone, and has none", "dim")

    # Columns

    def shown_view(self) -> str:
        return _VIEWS[self._fields.id]

    def _choose(self, set_id: str) -> None:
        self._fields = shown_set(set_id, has_guests=bool(self._guests.count(self.pool)))
        if self._shape.column not in {None, *views.shown_columns(self._fields)}:
            self._shape = replace(self._shape, column=None)
            self._sort_anew()
        self.draw()
        self.say(f"columns: {self._fields.title}", "dim")

    def action_columns_used(self) -> None:
        """Show the columns of space."""
        self._choose("space")

    def action_columns_limits(self) -> None:
        """Show the columns of quotas and reservations."""
        self._choose("limits")

    def action_columns_mounts(self) -> None:
        """Show the columns of mounts, keys, compression."""
        self._choose("mounts")

    def action_columns_numbers(self) -> None:
        """Show the columns of ages, holds, numbers."""
        self._choose("identity")

    # Marks

    def action_destroy_marked(self) -> None:
        """Plan to destroy the marked snapshots, or the object under the cursor."""
        if self.marks.names:
            first, *others = self.marks.names
            self.console.carry_out(self.host, Intent("destroy", first, tuple(others)))
            return
        target = self._target()
        if target is not None:
            self.console.act(self.host, target, "destroy")

    def action_reclaim(self) -> None:
        """Ask how much space to free, and find snapshots that free it."""
        dataset = dataset_of(self._object)
        if self._about is not None and dataset in self._about.graph.datasets:
            self._begin_reclaim(dataset)

    def _begin_reclaim(self, dataset: str) -> None:
        self.console.gate.expect_dialog()
        self.run_worker(self._reclaim(dataset), group="reclaim", exclusive=True)

    async def _reclaim(self, dataset: str) -> None:
        is_taken = await self.console.ask_what_to_free(self.host, dataset, self._take_proposal)
        if self._asks_what_to_free and not is_taken:
            self.leave()
        self._asks_what_to_free = False

    async def _take_proposal(self, answer: ReclaimAnswer) -> bool:
        """Mark the snapshots of a proposal, and plan to destroy them where that is wanted."""
        instead = answer.instead
        if instead is not None:
            return await self.console.within(self.host, lambda flow: flow.carry_out(instead))
        names = answer.snapshots
        before, marked = self._object, tuple(self.marks.names)
        if names:
            self.marks.names.clear()
            self._opened |= {dataset_of(name) for name in names}
            self._lay_out()
            self.marks.mark(names)
            self._go_to(names[0])
        if not answer.is_to_plan or not names:
            return True
        wanted = Intent("destroy", names[0], tuple(names[1:]))
        if await self.console.within(self.host, lambda flow: flow.carry_out(wanted)):
            return True
        self.marks.names.clear()
        self.marks.mark(marked)
        self._go_to(before)
        return False

    # Other screens

    def action_calendar(self) -> None:
        """Show the snapshot families of the dataset under the cursor, and their gaps."""
        dataset = dataset_of(self._object)
        if self._about is None or self.shown is None or dataset not in self._about.graph.datasets:
            return
        self.run_worker(self._open_calendar(dataset, self.shown.now), group="calendar", exclusive=True)

    async def _open_calendar(self, dataset: str, now: float) -> None:
        if self.values.is_made_late():
            self.say("reading when each was taken ...", "dim")
        problem = await self.values.read_for([dataset])
        if problem:
            self.say(f"{dataset} has too many snapshots for that", "warn")
        elif (graph := self.graph()) is not None:
            from zconsole.ui.screens.snapshot_calendar import CalendarScreen  # noqa: PLC0415  # the same

            snapshots = tuple(graph.datasets[each] for each in graph.snapshots.get(dataset, ()))
            self.app.push_screen(CalendarScreen(self.host, dataset, snapshots, now))

    def action_diff(self) -> None:
        """Show the changes since the snapshot under the cursor."""
        found = self._snapshots()
        if found is not None:
            self.console.open_diff(self.host, *found)

    def action_browse(self) -> None:
        """Show the files in the snapshot under the cursor."""
        found = self._snapshots()
        if found is not None:
            self.console.open_files(self.host, *found)

    def _snapshots(self) -> tuple[Sequence[str], str] | None:
        """The snapshots of the dataset under the cursor, and the selected one, or the newest."""
        key = self._object
        graph = self.graph()
        names = () if graph is None else graph.snapshots.get(dataset_of(key), ())
        if not names:
            self.say("it has no snapshots", "dim")
            return None
        return names, key if key in names else names[-1]

    def subject(self) -> tuple[str, str]:
        return self.host, self.pool

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)

    def acted_on(self) -> tuple[str, Target] | str:
        """The dataset or snapshot under the cursor."""
        target = self._target()
        return "there is no dataset under the cursor" if target is None else (self.host, target)

    def _target(self) -> Target | None:
        return self._about.target(self._object) if self._about is not None else None

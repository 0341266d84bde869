"""Journal screen: runs with user and outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.binding import BindingType

from zconsole.base.errors import ZConsoleError
from zconsole.model.journal import Entry
from zconsole.model.run import Run
from zconsole.ui.flows.run_in_background import show_again
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.changes import journal as views
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, line

SHOWN_LIVE: Final = line(
    ("It goes on: ", "info"), ("Enter", "key"), " shows it live, with the key that stops it"
)


class JournalScreen(ConsoleScreen):
    """Runs, newest first; read when the screen is opened, and again on request."""

    PLACE = "journal"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] | None = None  # until the runs are read
        self._problem = ""

    def on_mount(self) -> None:
        self._read()
        super().on_mount()

    def page(self, view: View) -> Page:
        del view
        return views.page(self._entries, self._problem)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        told = views.notes(self._entry(key))
        return (SHOWN_LIVE, *told) if self._going_on(key) is not None else told

    def action_open(self) -> None:
        """Show everything known of the run under the cursor; one of this console that goes on, live."""
        entry, run = self._entry(self.rows.key), self._going_on(self.rows.key)
        if run is not None:
            show_again(self.console, run)
        elif entry is not None:
            self.app.push_screen(EntryScreen(entry))

    def action_refresh(self) -> None:
        """Read the journal again."""
        self._read()

    def _read(self) -> None:
        self.run_worker(self._show_what_is_read(), name="journal", exclusive=True)

    async def _show_what_is_read(self) -> None:
        try:
            self._entries, self._problem = await asyncio.wrap_future(self.console.queries.journal()), ""
        except ZConsoleError as error:
            self._problem = str(error)
        self.draw()

    def _going_on(self, key: str | None) -> Run | None:
        """The run of a row, where it is of this console and has not ended."""
        return next((run for run in self.console.runs_going_on() if run.id == key), None)

    def _entry(self, key: str | None) -> Entry | None:
        return next((entry for entry in self._entries or () if entry.id == key), None)


class EntryScreen(TextScreen):
    """One run."""

    PLACE = "entry"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self._entry = entry

    def heading(self) -> tuple[Line, Line]:
        first = line((self._entry.host, "title"), (" · ", "dim"), (self._entry.title, "title"))
        return first, line((self._entry.id, "dim"))

    def text(self) -> Sequence[Line]:
        return views.document(self._entry, is_full=True)

"""Snapshot browser, folder by folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind
from zconsole.base.errors import ZConsoleError
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.snapshot_contents import FileType, FolderComparison
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.datasets import snapshot_files as views
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line


class FilesScreen(ConsoleScreen):
    """One folder at a time; read when the screen is opened, and again on request."""

    PLACE = "files"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, snapshots: Sequence[str], snapshot: str, path: str = "") -> None:
        super().__init__()
        self.host = host
        self._snapshots = tuple(snapshots)
        self._snapshot = snapshot
        self._path = path
        self._browsed: FolderComparison | None = None  # until it is read
        self._problem = ""
        self._left = ""  # the previous folder, for the cursor

    def on_mount(self) -> None:
        self._read()
        super().on_mount()

    def page(self, view: View) -> Page:
        del view
        return views.page(self.host, self._snapshot, self._path, self._browsed, self._problem)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return views.notes(self._browsed, key)

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._path, self._browsed is None

    def action_open(self) -> None:
        """Open the folder under the cursor."""
        entry = views.entry_of(self._browsed, self.rows.key)
        if entry is None:
            return
        if entry.type is not FileType.FOLDER:
            self.say("Enter opens folders; a restores a copy", "dim")
        else:
            self._go(f"{self._path}/{entry.name}" if self._path else entry.name)

    def action_back(self) -> None:
        """Clear the filter, go a folder up, or leave."""
        if self._shape.words or not self._path:
            super().action_back()
            return
        above, _, self._left = self._path.rpartition("/")
        self._go(above)

    def action_diff(self) -> None:
        """Show the differences between this snapshot and now."""
        self.console.open_diff(self.host, self._snapshots, self._snapshot)

    def acted_on(self) -> tuple[str, Target] | str:
        """The entry under the cursor, to restore it."""
        entry = views.entry_of(self._browsed, self.rows.key)
        if entry is None:
            return "there is no file under the cursor"
        path = f"{self._path}/{entry.name}" if self._path else entry.name
        return self.host, Target(TargetKind.FILE, pool_of(self._snapshot), self._snapshot, path=path)

    def action_refresh(self) -> None:
        """Read the folder again."""
        self._read()

    def _go(self, path: str) -> None:
        self._path, self._browsed, self._problem = path, None, ""
        self._shape = replace(self._shape, words="")
        self._read()
        self.draw()

    def _read(self) -> None:
        self.run_worker(self._show_what_is_read(), name="files", exclusive=True)

    async def _show_what_is_read(self) -> None:
        path = self._path
        try:
            asked = self.console.queries.browse(self.host, self._snapshot, path)
            self._browsed, self._problem = await asyncio.wrap_future(asked), ""
        except ZConsoleError as error:
            said = getattr(error, "said", "")
            self._problem = f"{error.message}: {said}" if said else error.message
        self.draw()
        if self._left:
            self.rows.put_on(self._left)
            self._left = ""

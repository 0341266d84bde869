"""Screen of a pool's history: what was changed, and by whom."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ZConsoleError
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.copyable_values import CopyableValue
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.pools import command_history as views
from zconsole.zfs.listing.history import HistoryRecord


class PoolHistoryScreen(ConsoleScreen):
    """Commands and destructions, newest first; read when the screen is opened, and again on request."""

    PLACE = "history"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    ABOUT = ("host", "pool")

    def __init__(self, host: str, pool: str) -> None:
        super().__init__()
        self._host = host
        self._pool = pool
        self._records: tuple[HistoryRecord, ...] | None = None  # until they are read
        self._problem = ""
        self._has_internal = False
        self._chosen: views.ChosenRecords | None = None

    def on_mount(self) -> None:
        self._read()
        super().on_mount()

    def subject(self) -> tuple[str, str]:
        return self._host, self._pool

    def page(self, view: View) -> Page:
        host = view.host(self._host)
        called = f"{host.name if host is not None else self._host} · {self._pool}"
        return views.page(called, self._chosen, problem=self._problem, now=view.now)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return views.notes(self._record(key), view.now)

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._has_internal, id(self._records)

    def copyable(self) -> Iterable[CopyableValue]:
        record = self._record(self.rows.key)
        return () if record is None else (CopyableValue("Command", record.text),)

    def action_internal(self) -> None:
        """Show internal records too, or hide them."""
        self._has_internal = not self._has_internal
        self._choose()

    def action_refresh(self) -> None:
        """Read the history again."""
        self._read()

    def _read(self) -> None:
        self.run_worker(self._show_what_is_read(), name="history", exclusive=True)

    async def _show_what_is_read(self) -> None:
        try:
            read = await asyncio.wrap_future(self.console.queries.pool_history(self._host, self._pool))
            self._records, self._problem = read, views.NEEDS_ROOT if read is None else ""
        except ZConsoleError as error:
            self._problem = str(error)
        self._choose()

    def _choose(self) -> None:
        """Choose the records to show, once for many drawings."""
        if self._records is not None:
            self._chosen = views.choose(self._records, has_internal=self._has_internal)
        self.draw()

    def _record(self, key: str | None) -> HistoryRecord | None:
        known, at = self._records or (), natural(key or "")
        return known[at] if at is not None and at < len(known) else None

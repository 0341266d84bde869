"""Screen of the commands that the console ran."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.hosts.command_log import LoggedCommand
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.changes import command_log as views
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.copyable_values import CopyableValue
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line


class CommandsScreen(ConsoleScreen):
    """Commands that changed something; read-only commands on request."""

    PLACE = "commands"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self) -> None:
        super().__init__()
        self._ran: Sequence[tuple[str, LoggedCommand]] = ()
        self._has_reads = False

    def page(self, view: View) -> Page:
        queries = self.console.queries
        ran = [(host.state.host, each) for host in view.hosts for each in queries.commands(host.state.host)]
        self._ran = sorted(ran, key=lambda pair: pair[1].at)
        return views.page(self._ran, has_reads=self._has_reads)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return views.notes(self._ran, key)

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._has_reads

    def action_reads(self) -> None:
        """Show read-only commands as well, or hide them."""
        self._has_reads = not self._has_reads
        self.draw()

    def copyable(self) -> Iterable[CopyableValue]:
        whole = views.whole(self._ran, self.rows.key)
        return () if whole is None else (CopyableValue("Command", whole),)

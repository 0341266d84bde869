"""What is wrong, worst first, and one finding in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.model.finding import Finding
from zconsole.ui.keymap import bindings
from zconsole.ui.present import findings as present
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.page import Page
from zconsole.ui.present.view import HostView, View
from zconsole.ui.screens.base import ConsoleScreen
from zconsole.ui.screens.text import TextScreen


class FindingsScreen(ConsoleScreen):
    """All findings of all hosts."""

    PLACE = "findings"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def page(self, view: View) -> Page:
        return present.page(view)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return present.notes(view, key)

    def action_open(self) -> None:
        """The evidence of the finding under the cursor."""
        found = present.finding_of(self.shown, self.rows.key) if self.shown is not None else None
        if found is not None:
            self.app.push_screen(FindingScreen(*found))


class FindingScreen(TextScreen):
    """One finding as it was when it was opened: the sentence, what it means, the numbers."""

    PLACE = "finding"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: HostView, finding: Finding) -> None:
        super().__init__()
        self._host = host
        self._finding = finding

    def heading(self) -> tuple[Line, Line]:
        return line((self._host.name, "title"), (" · finding", "dim")), line((self._finding.id, "dim"))

    def text(self) -> Sequence[Line]:
        return tuple(present.details(self._host, self._finding))

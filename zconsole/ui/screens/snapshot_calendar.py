"""Snapshot calendar screen: the families of a dataset's snapshots, and their gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.model.datasets.dataset import Dataset
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.views.datasets.snapshot_calendar import calendar_lines
from zconsole.views.layout.styled_text import Line, line


class CalendarScreen(TextScreen):
    """Snapshots of one dataset as they were when the screen was opened."""

    PLACE = "calendar"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, dataset: str, snapshots: Sequence[Dataset], now: float) -> None:
        super().__init__()
        self._host = host
        self._dataset = dataset
        self._snapshots = snapshots
        self._now = now

    def heading(self) -> tuple[Line, Line]:
        head = line((self._host, "title"), (" · ", "dim"), (self._dataset, "title"), (" calendar", "dim"))
        return head, line(("by family; one character is one period, the newest at the right", "dim"))

    def text(self) -> Sequence[Line]:
        return tuple(calendar_lines(self._snapshots, self._now, self.app.size.width - 2))

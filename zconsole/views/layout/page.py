"""A screen's contents as values: two lines on top, a table, and what is said of the selected row."""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import Table


@dataclass(frozen=True, slots=True)
class Page:
    """One moment of a screen that shows a table."""

    answer: Line  # the first line: what matters most
    fresh: Line  # at its right end: how live it is
    numbers: Line  # the second line
    table: Table

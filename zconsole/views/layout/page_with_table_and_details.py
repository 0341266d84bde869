"""Page of a screen as a value: two lines on top, a table, and the details of the selected row."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import Table


@dataclass(frozen=True, slots=True)
class Page:
    """One moment of a screen that shows a table."""

    answer: Line  # the first line: the most important fact
    fresh: Line  # at its right end: the freshness
    numbers: Line  # the second line
    table: Table

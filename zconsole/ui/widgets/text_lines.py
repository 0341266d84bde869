"""A few lines of text at a fixed place, repainted one by one when they change."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from zconsole.ui.paint import Paint
from zconsole.ui.present.cells import EMPTY, Line


class TextLines(Widget):
    """As many lines as it is high; what does not fit is not shown."""

    DEFAULT_CSS = "TextLines { height: 1; }"

    def __init__(self, paint: Paint, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.paint = paint
        self._lines: tuple[Line, ...] = ()

    def show(self, lines: tuple[Line, ...]) -> None:
        """Replace the lines and repaint what is different."""
        before, self._lines = self._lines, lines
        changed = [
            Region(0, y, self.size.width, 1)
            for y in range(max(len(before), len(lines)))
            if (before[y] if y < len(before) else EMPTY) != (lines[y] if y < len(lines) else EMPTY)
        ]
        if changed:
            self.refresh(*changed)

    def repaint(self, paint: Paint) -> None:
        """Take another theme."""
        self.paint = paint
        self.refresh()

    def render_line(self, y: int) -> Strip:
        spans = self._lines[y] if y < len(self._lines) else EMPTY
        return self.paint.strip(spans, self.size.width)

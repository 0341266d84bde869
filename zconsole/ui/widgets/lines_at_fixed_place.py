"""Text lines at a fixed place, repainted one by one when they change."""

from __future__ import annotations

from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.style_cache import WidgetStyles
from zconsole.views.layout.styled_text import EMPTY, Line


class TextLines(Widget):
    """Lines up to the height of the widget; the rest is not shown."""

    DEFAULT_CSS = "TextLines { height: 1; }"

    class Clicked(Message):
        """Message of a click on a line."""

        def __init__(self, lines: TextLines, at: Offset) -> None:
            super().__init__()
            self.lines, self.at = lines, at

        @property
        def control(self) -> TextLines:
            """The lines that were clicked."""
            return self.lines

    def __init__(self, paint: Paint, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.paint = paint
        self._lines: tuple[Line, ...] = ()
        self._looks = WidgetStyles()
        self._strips: dict[int, tuple[Line, Strip]] = {}  # by the row

    def show(self, lines: tuple[Line, ...]) -> bool:
        """Replace the lines and repaint what is different; returns whether anything is."""
        before, self._lines = self._lines, lines
        width = self.outer_size.width
        changed = [
            Region(0, y, width, 1)
            for y in range(max(len(before), len(lines)))
            if (before[y] if y < len(before) else EMPTY) != (lines[y] if y < len(lines) else EMPTY)
        ]
        if changed:
            self.refresh(*changed)
        return bool(changed)

    def line_at(self, row: int) -> Line:
        """The line of a row; an empty one below the last."""
        return self._lines[row] if 0 <= row < len(self._lines) else EMPTY

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""
        self.paint = paint
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Tell the screen where the mouse was."""
        self.post_message(self.Clicked(self, event.offset))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render without the cache for borders and padding, of which it has none: see `RowView`."""
        width = self.outer_size.width
        if self._looks.are_others(self, self.paint, width):
            self._strips.clear()
        strips = [self._strip(y, width) for y in crop.line_range]
        if crop.column_span == (0, width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]

    def render_line(self, y: int) -> Strip:
        return self.render_lines(Region(0, y, self.outer_size.width, 1))[0]

    def _strip(self, y: int, width: int) -> Strip:
        spans = self._lines[y] if y < len(self._lines) else EMPTY
        kept = self._strips.get(y)
        if kept is not None and kept[0] == spans:
            return kept[1]
        strip = self.paint.strip(spans, width, style=self._looks.style)
        self._strips[y] = (spans, strip)
        return strip

"""List of any number of lines that repaints only the changed ones.

Lines are requested when they are looked at, so a million cost the same as ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, Final

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.style_cache import WidgetStyles
from zconsole.views.layout.styled_text import EMPTY, FindsPlaces, FixedLines, Line, Lines

WHEEL_ROWS: Final = 3
SIDEWAYS: Final = 8  # cells that one key press scrolls sideways
KEPT_STRIPS: Final = 512  # lines that were visible a moment ago
_Wanted = tuple[Line, str | None]  # a line, and the style laid over it


class RowView(ScrollView, can_focus=True):
    """List under a fixed header; one line has the cursor."""

    DEFAULT_CSS = """
    RowView {
        height: 1fr;
        overflow: hidden;
        scrollbar-size: 0 0;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("left", "sideways(-1)", show=False),
        Binding("right", "sideways(1)", show=False),
    ]

    class Moved(Message):
        """Message of a moved cursor."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, RowView.Moved)

    class Chosen(Message):
        """Message of a second click on the line under the cursor."""

    class TextClicked(Message):
        """Message of a click on a line on which no cursor stands."""

        def __init__(self, spans: Line, cell: int, *, is_again: bool) -> None:
            super().__init__()
            self.spans, self.cell, self.is_again = spans, cell, is_again

    class HeaderClicked(Message):
        """Message of a click on the header, at a cell of the whole line."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, paint: Paint, *, id: str | None = None, has_cursor: bool = True) -> None:  # noqa: A002
        super().__init__(id=id)
        self.paint = paint
        self.has_cursor = has_cursor
        self.cursor = 0
        self.lost: str | None = None  # the key of the row under the cursor until it left the list
        self._is_moved = False  # by the user; before that the cursor stays on top while the list is filling
        self._was_filling = True
        self._lines: Lines = FixedLines(())
        self._header: Line = EMPTY
        self._left = 0
        self._widest = 0
        self._painted: dict[int, _Wanted] = {}  # by the row of the screen
        self._strips: dict[int, tuple[_Wanted, Strip]] = {}  # by index in the list; -1 is the header
        self._looks = WidgetStyles()

    # Contents

    def show(
        self, lines: Lines, header: Line = EMPTY, *, is_filling: bool = False, is_wanted: bool = True
    ) -> bool:
        """Replace the lines, keep the cursor on the same row, and repaint the differences.

        Returns whether there were any to be seen.

        `is_filling`: more will come soon, and an untouched cursor stays on top, also of the lines with which
        the list is full. `is_wanted`: the user has asked for other lines than those before, so that nothing
        is lost that the cursor stood on.
        """
        key = self.stands_on() if self._is_moved or not (is_filling or self._was_filling) else None
        self._was_filling = is_filling
        if self.lost is not None and not is_wanted and self._place_in(lines, self.lost) is not None:
            key = self.lost  # it was missing for a moment only
        self._lines = lines
        has_other_header = header != self._header
        if has_other_header:
            has_moved = bool(header) != bool(self._header)
            self._header = header
            self.refresh() if has_moved else self._refresh_row(-1)
        self._fit()
        self._keep_cursor(key)
        if is_wanted or (self.lost is not None and self.key == self.lost):
            self.lost = None
        elif key is not None and self.key != key and len(lines):
            self.lost = self.lost or key
        return self._refresh_changed() or has_other_header

    def stands_on(self) -> str | None:
        """The object of the cursor; lines of plain text are none."""
        if not self.has_cursor or not 0 <= self.cursor < len(self._lines):
            return None
        return self._lines.key(self.cursor) if self._lines.is_selectable(self.cursor) else None

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""
        self.paint = paint
        self._strips.clear()
        self._painted.clear()
        self.refresh()

    @property
    def key(self) -> str | None:
        """The key of the line under the cursor."""
        return self._lines.key(self.cursor) if 0 <= self.cursor < len(self._lines) else None

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._lines)

    @property
    def position(self) -> str:
        """The range of visible lines; empty while all are visible."""
        if self.count <= self.rows_shown:
            return ""
        first = self.scroll_offset.y + 1
        return f"{first}-{min(self.count, first + self.rows_shown - 1)} of {self.count}"

    @property
    def _top(self) -> int:
        """Rows of the header."""
        return 1 if self._header else 0

    @property
    def rows_shown(self) -> int:
        """Lines that fit below the header."""
        return max(0, self.outer_size.height - self._top)

    def _fit(self) -> None:
        size = Size(self.outer_size.width, len(self._lines) + self._top)
        if size != self.virtual_size:
            self.virtual_size = size

    def _keep_cursor(self, key: str | None) -> None:
        """Keep the cursor on its row; where the row is gone, on its successor."""
        count = len(self._lines)
        if not count:
            self.cursor = 0
            return
        if key is not None and not (self.cursor < count and self._lines.key(self.cursor) == key):
            found = self._find(key)
            if found is not None:
                self._put_cursor(found)
                return
        at = min(self.cursor, count - 1) if self._is_moved or key is not None else 0
        if not self._lines.is_selectable(at):
            at = self._selectable(at, 1)
        self._put_cursor(at)

    def _find(self, key: str) -> int | None:
        return self._place_in(self._lines, key)

    def _place_in(self, lines: Lines, key: str) -> int | None:
        """The index of a key; of a very long list without an index, one near the cursor."""
        if isinstance(lines, FindsPlaces):
            return lines.place(key)
        count = len(lines)
        near = range(max(0, self.cursor - 200), min(count, self.cursor + 200))
        places = near if count > 10_000 else range(count)
        return next((index for index in places if lines.key(index) == key), None)

    def _put_cursor(self, at: int) -> None:
        before = self.cursor
        if at == before:
            return
        self.cursor = at
        self._follow()
        self._refresh_row(before)
        self._refresh_row(at)
        self.post_message(self.Moved())

    def _selectable(self, at: int, step: int) -> int:
        """The next selectable line from an index on; in the other direction where there is none."""
        count = len(self._lines)
        for direction in (step or 1, -(step or 1)):
            place = at
            while 0 <= place < count:
                if self._lines.is_selectable(place):
                    return place
                place += 1 if direction > 0 else -1
        return min(max(at, 0), max(0, count - 1))

    # Keys and mouse

    def has(self, key: str) -> bool:
        """Whether a line has a key."""
        return self._place(key) is not None

    def _place(self, key: str) -> int | None:
        lines = self._lines
        if isinstance(lines, FindsPlaces):
            return lines.place(key)
        return next((i for i in range(len(lines)) if lines.key(i) == key), None)

    def put_on(self, key: str) -> None:
        """Put the cursor on the line with a key, where there is one."""
        found = self._place(key)
        if found is not None:
            self._is_moved, self.lost = True, None
            self._put_cursor(found)

    def seek(self, find: Callable[[Lines, int], int | None]) -> bool:
        """Put the cursor on the line that `find` returns for the lines and the present one, if any."""
        found = find(self._lines, self.cursor)
        if found is not None:
            self._go(found, 0)
        return found is not None

    def show_from(self, place: int) -> None:
        """Scroll a line to the top, or as far up as the lines below it allow."""
        self._scroll_to_row(place)

    def action_move(self, step: int) -> None:
        """Move one line up or down; without a cursor, scroll."""
        self._go(self.cursor + step, step) if self.has_cursor else self._scroll(step)

    def action_page(self, step: int) -> None:
        """Move a screenful up or down."""
        rows = max(1, self.rows_shown - 1) * step
        self._go(self.cursor + rows, step) if self.has_cursor else self._scroll(rows)

    def action_jump(self, place: int) -> None:
        """Go to the first or the last line."""
        last = len(self._lines) - 1
        if self.has_cursor:
            self._go(0 if place == 0 else last, 1 if place == 0 else -1)
        else:
            self._scroll_to_row(0 if place == 0 else last)
        if place == 0:
            self._scroll_to_row(0)

    def action_sideways(self, step: int) -> None:
        """Scroll sideways to cut text; where all fits, the key is left to the screen."""
        if self._widest <= self.outer_size.width:
            raise SkipAction
        left = min(max(0, self._left + step * SIDEWAYS), max(0, self._widest - self.outer_size.width))
        if left != self._left:
            self._left = left
            self.refresh()

    def _go(self, at: int, step: int) -> None:
        count = len(self._lines)
        self._is_moved, self.lost = True, None
        if count:
            self._put_cursor(self._selectable(min(max(at, 0), count - 1), step))
            self._follow()

    def _follow(self) -> None:
        """Scroll until the cursor is visible."""
        top, rows = round(self.scroll_target_y), self.rows_shown
        if rows <= 0:
            return
        if self.cursor < top:
            self._scroll_to_row(self.cursor if self._anything_above() else 0)
        elif self.cursor >= top + rows:
            self._scroll_to_row(self.cursor - rows + 1)

    def _anything_above(self) -> bool:
        """Whether a line above the cursor is selectable; headings above the first one are shown too."""
        return any(self._lines.is_selectable(index) for index in range(max(0, self.cursor - 3), self.cursor))

    def _scroll(self, rows: int) -> None:
        self._scroll_to_row(round(self.scroll_target_y) + rows)

    def _scroll_to_row(self, row: int) -> None:
        """Scroll to a row at once: an animation would send every frame."""
        self.scroll_to(y=row, animate=False, force=True)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll(WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._scroll(-WHEEL_ROWS)

    def on_click(self, event: events.Click) -> None:
        """Select the line under the mouse; open it when it was selected already."""
        if event.y < self._top:
            self.post_message(self.HeaderClicked(event.x + self._left))
            return
        at = event.y - self._top + self.scroll_offset.y
        if not 0 <= at < len(self._lines):
            return
        if not self._lines.is_selectable(at):
            cell, is_again = event.x + self._left, event.chain > 1
            self.post_message(self.TextClicked(self._lines.line(at), cell, is_again=is_again))
            return
        if at == self.cursor and event.chain > 1:
            self.post_message(self.Chosen())
        self._is_moved, self.lost = True, None
        self._put_cursor(at)

    # Painting

    def on_resize(self) -> None:
        self._fit()
        self._follow()

    def watch_has_focus(self, _has_focus: bool) -> None:
        self._refresh_row(self.cursor)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._painted.clear()
        if not self.has_cursor and round(old_value) != round(new_value):
            self.post_message(self.Moved())  # only visible lines change

    def _refresh_changed(self) -> bool:
        """Repaint the visible lines that differ from the painted ones; returns whether any does."""
        painted = self._painted
        width, height = self.outer_size
        regions: list[Region] = []
        first = last = -1
        for y, _, wanted in self._wanted(range(self._top, height)):
            if painted.get(y) == wanted:
                continue
            if y != last + 1 and last >= 0:
                regions.append(Region(0, first, width, last + 1 - first))
                first = -1
            first, last = first if first >= 0 else y, y
        if last >= 0:
            self.refresh(*regions, Region(0, first, width, last + 1 - first))
        return last >= 0

    def _refresh_row(self, index: int) -> None:
        """Repaint one line where it is visible; -1 is the header."""
        y = 0 if index < 0 else index - self.scroll_offset.y + self._top
        if (self._top if index >= 0 else 0) <= y < self.outer_size.height:
            self.refresh(Region(0, y, self.outer_size.width, 1))

    def _wanted(self, rows: Iterable[int]) -> Iterator[tuple[int, int, _Wanted]]:
        """For rows of the screen: the index of the line, the line, and the style laid over it."""
        lines, top, first = self._lines, self._top, self.scroll_offset.y
        count, overlay = len(lines), self._overlay()
        for y in rows:
            index = first + y - top
            if y < top:
                yield y, -1, (self._header, None)
            elif index >= count:
                yield y, index, (EMPTY, None)
            else:
                yield y, index, (lines.line(index), overlay if index == self.cursor else None)

    def _overlay(self) -> str | None:
        """The style laid over the line with the cursor."""
        if (
            not self.has_cursor
            or self.cursor >= len(self._lines)
            or not self._lines.is_selectable(self.cursor)
        ):
            return None
        return "cursor" if self.has_focus else "cursor_blurred"

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render the lines of a region, without the cache for borders and padding: a list has none."""
        width = self.outer_size.width
        if self._looks.are_others(self, self.paint, width, self._left) or len(self._strips) > KEPT_STRIPS:
            self._strips.clear()
        strips = [self._strip(y, index, wanted) for y, index, wanted in self._wanted(crop.line_range)]
        if crop.column_span == (0, width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]

    def render_line(self, y: int) -> Strip:
        """Render one line of the screen."""
        return self.render_lines(Region(0, y, self.outer_size.width, 1))[0]

    def _strip(self, y: int, index: int, wanted: _Wanted) -> Strip:
        """The strip of the line at an index, at a row of the screen: a lookup, unless it is new."""
        self._painted[y] = wanted
        kept = self._strips.get(index)
        if kept is not None and kept[0] == wanted:
            return kept[1]
        spans, overlay = wanted
        cells = self.outer_size.width
        strip, widest = self.paint.measured_strip(
            spans, cells, left=self._left, overlay=overlay, style=self._looks.style
        )
        self._widest = max(self._widest, widest)
        self._strips[index] = (wanted, strip)
        return strip

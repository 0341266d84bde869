"""Menu of lines to choose from: actions, disks, vdevs. Unavailable lines stay visible with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.ui.dialogs.base_dialog import Dialog, pasted_after, typed_after
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.layout.sort_and_filter_rows import has_words
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, Span, fit, line, plain, wrap
from zconsole.views.layout.wrapped_rows import wrapped_lines

_FRAME: Final = 4  # lines of the border, the heading and the keys
_NOTES: Final = 2  # lines on the line under the cursor; more where the longest of them needs more
_MOST_NOTES: Final = 5
_MARK: Final = 4  # cells in front of a line with a mark
_WIDEST: Final = 120
NUMBERS: Final = "123456789"  # of the first lines; each chooses its line at once
NO_NUMBER: Final = "  "  # in front of the lines behind those
NO_KEYS: Final = "text that came at once is not taken as keys: press / to filter by it"


class MenuDialog(Dialog[tuple[str, ...] | None]):
    """Dialog that returns the keys of the chosen lines, or None.

    `closed` says why a line cannot be chosen; `keys` choose a line at once, as do the numbers of the
    first nine.
    With `is_many`, space marks lines and Enter takes the marked ones, which may be none. `/` filters the
    lines by typed words; Enter chooses then as before, and ends the typing where several are wanted.
    `start` are the keys of a former answer: marked, or the first of them under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("slash", "filter", show=False),
        Binding("enter", "choose", show=False),
        Binding("home,g", "jump(0)", show=False),
        Binding("end,G", "jump(-1)", show=False),
    ]
    DEFAULT_CSS = """
    MenuDialog { align: center middle; background: $background; }
    MenuDialog Vertical {
        width: 100%; max-width: 120; height: auto; max-height: 100%; border: solid $primary; padding: 0 1;
    }
    MenuDialog #notes { height: 2; }
    """

    def __init__(  # noqa: PLR0913  # each is one part of the dialog
        self,
        paint: Paint,
        heading: Line,
        rows: FixedLines,
        *,
        header: Line = EMPTY,
        closed: Mapping[str, str] | None = None,
        keys: Mapping[str, str] | None = None,
        explained: Mapping[str, Line] | None = None,
        is_many: bool = False,
        start: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._heading_words = heading
        self._lines = rows
        self._header = header
        self._why_not = closed or {}
        self._keys = keys or {}
        self._explained = explained or {}
        self._is_many = is_many
        self._start = tuple(start)
        self._marked = [key for key in start if is_many and key not in self._why_not]
        self._typed = ""
        self._is_typing = False
        self._note_lines = _NOTES
        self._tallest = 0  # lines of the list
        self._heading = TextLines(paint, id="heading")
        self.rows = RowView(paint, id="choices")
        self._notes = TextLines(paint, id="notes")
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._heading, self.rows, self._notes, self._ways)

    def on_mount(self) -> None:
        self.rows.focus()
        cells = min(_WIDEST, self.app.size.width) - 4
        self._heading.show((fit(self._heading_words, cells),))
        self._note_lines = self._longest_note(cells)
        self._notes.styles.height = self._note_lines
        self._show_rows()
        self._show_keys()
        known = self._ids()
        first = next(
            (key for key in (*self._start, *known) if key in known and key not in self._why_not), None
        )
        if first is not None:
            self.rows.put_on(first)
        self._explain()

    def learn(self, rows: FixedLines, closed: Mapping[str, str]) -> None:
        """Update the lines and the reasons why some cannot be chosen."""
        self._lines, self._why_not = rows, closed
        if self.is_mounted:
            self._show_rows()
            self._explain()

    def _shown(self) -> FixedLines:
        """The lines that have all typed words, in any case."""
        if not self._typed:
            return self._lines
        found = [at for at, spans in enumerate(self._lines.lines) if has_words(plain(spans), self._typed)]
        return FixedLines(
            tuple(self._lines.line(at) for at in found), tuple(self._lines.key(at) for at in found)
        )

    def _ids(self) -> Sequence[str]:
        shown = self._shown()
        return [shown.key(at) for at in range(len(shown))]

    def _show_keys(self) -> None:
        """The line of keys, or the filter and what ends it."""
        done = " continue   " if self._is_many else " choose   "
        if self._is_typing or self._typed:
            ended = " end typing   " if self._is_many and self._is_typing else done
            marks = (("Space", "key"), (" mark   ", "dim")) if self._is_many and not self._is_typing else ()
            cursor = "_" if self._is_typing else ""
            asked = (("filter: ", "dim"), (self._typed + cursor, "mark"), "   ")
            told = line(
                *asked, *marks, ("Enter", "key"), (ended, "dim"), ("Esc", "key"), (" show all", "dim")
            )
        else:
            marks = (("Space", "key"), (" mark   ", "dim")) if self._is_many else ()
            ways = (("/", "key"), (" filter   ", "dim"), ("Esc", "key"), (" go back", "dim"))
            told = line(*marks, ("Enter", "key"), (done, "dim"), *ways)
        self._ways.show((fit(told, min(_WIDEST, self.app.size.width) - 4),))

    @on(RowView.Moved)
    def _explain(self) -> None:
        cells = min(_WIDEST, self.app.size.width) - 4
        if self._typed and not self._ids():
            self._notes.show((EMPTY, fit(line(("no line has these words: Esc shows all", "warn")), cells)))
            return
        key = self.rows.key or ""
        words = self._explained.get(key, EMPTY)
        why = self._why_not.get(key, "")
        shown = line((f"unavailable: {why}", "warn")) if why else words
        told = tuple(wrap(shown, cells))
        if len(told) > self._note_lines:
            told = (*told[: self._note_lines - 1], fit(told[self._note_lines - 1], cells))
        self._notes.show((*[EMPTY] * (self._note_lines - len(told)), *told))

    def _longest_note(self, cells: int) -> int:
        """The lines that the longest explanation takes, as far as there is room for it."""
        refusals = [line(f"unavailable: {why}") for why in self._why_not.values()]
        longest = max((len(tuple(wrap(e, cells))) for e in (*refusals, *self._explained.values())), default=0)
        return max(_NOTES, min(longest, _MOST_NOTES))

    @on(RowView.Chosen)
    def action_choose(self) -> None:
        """Take the line under the cursor, if it can be chosen; where several are wanted, end the typing."""
        if self._is_typing and self._is_many:
            self._is_typing = False
            self._show_keys()
        elif self._ids():
            self._take(self.rows.key)

    def action_leave(self) -> None:
        """Show all lines again; without a filter, leave without a choice."""
        if self._is_typing or self._typed:
            self._filter_by("", is_typing=False)
        else:
            self.dismiss(None)

    def action_filter(self) -> None:
        """Filter by the words that are typed next."""
        self._filter_by(self._typed, is_typing=True)

    def _filter_by(self, typed: str, *, is_typing: bool) -> None:
        self._typed, self._is_typing = typed, is_typing
        self._show_rows()
        self._show_keys()
        self._explain()

    def action_jump(self, place: int) -> None:
        """Go to the first or last line."""
        self.rows.action_jump(place)

    def on_key(self, event: events.Key) -> None:
        """Type into the filter; else choose a line by its number or key, or mark one of several by space."""
        if self._is_typing:
            if (typed := typed_after(event, self._typed)) is not None:
                self._filter_by(typed, is_typing=True)
            return
        wanted = self._keys.get(event.key) or self._by_number(event.key)
        if wanted is not None:
            event.stop()
            event.prevent_default()
            self.rows.put_on(wanted)
            self._take(wanted)
        elif event.key == "space" and self._is_many:
            event.stop()
            event.prevent_default()
            self._mark(self.rows.key)

    def on_paste(self, event: events.Paste) -> None:
        """Take the text into the filter; without one it chooses nothing."""
        if self._is_typing:
            self._filter_by(pasted_after(event, self._typed), is_typing=True)
        else:
            event.stop()
            self._notes.show((EMPTY, line((NO_KEYS, "warn"))))

    def _by_number(self, key: str) -> str | None:
        """The line with a number; numbers mark no line of several."""
        at = int(key) - 1 if key in NUMBERS and not self._is_many else -1
        shown = self._ids()
        return shown[at] if 0 <= at < len(shown) else None

    def _mark(self, key: str | None) -> None:
        """Mark or unmark a line; the order of marking is kept."""
        if key is None or key in self._why_not:
            return
        if key in self._marked:
            self._marked.remove(key)
        else:
            self._marked.append(key)
        self._show_rows()
        self._explain()

    def _show_rows(self) -> None:
        """Show the lines, explanations whole as far as there is room; the list grows, and never shrinks."""
        shown, cells = self._shown(), min(_WIDEST, self.app.size.width) - 4
        keys = tuple(shown.key(at) for at in range(len(shown)))
        marks = [self._mark_of(at, key) for at, key in enumerate(keys)]
        lines = tuple((mark, *spans) for mark, spans in zip(marks, shown.lines, strict=True))
        top = 1 if self._header else 0
        wrapped = wrapped_lines(FixedLines(lines, keys), cells, self._room() - top)
        self._tallest = max(self._tallest, 3, min(len(wrapped) + top, self._room()))
        self.rows.styles.height = self._tallest
        before = _MARK if self._is_many else len(NO_NUMBER)
        self.rows.show(wrapped, (Span(" " * before), *self._header) if self._header else EMPTY)

    def _room(self) -> int:
        """The lines that there are for the list."""
        return self.app.size.height - self.without_frame(_FRAME) - self._note_lines

    def _mark_of(self, at: int, key: str) -> Span:
        """The mark or the number before a line."""
        style = "dim" if key in self._why_not else "key"
        if self._is_many:
            return Span("[x] " if key in self._marked else "[ ] ", style)
        return Span(f"{NUMBERS[at]} " if at < len(NUMBERS) else NO_NUMBER, style)

    def _take(self, key: str | None) -> None:
        if self._is_many:
            self.dismiss(tuple(self._marked))
        elif key is None or key in self._why_not:
            self._explain()
        else:
            self.dismiss((key,))

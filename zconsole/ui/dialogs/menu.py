"""Menu of lines to choose from: actions, disks, vdevs. Unavailable lines stay visible with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from zconsole.ui.dialogs.chooser import NO_LINE, Chooser
from zconsole.ui.line_to_strip import Paint
from zconsole.views.changes.action_menu import none_to_mark, nothing_possible
from zconsole.views.layout.sort_and_filter_rows import has_words
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, Span, fit, line, plain, wrap, wrap_end
from zconsole.views.layout.wrapped_rows import wrapped_lines

_FRAME: Final = 3  # lines of the border and the keys
_LEAST_ROWS: Final = 3  # lines of the list
_MOST_HEADING: Final = 3  # lines of the heading
_LOW_HEADING: Final = 2  # lines of it on a low terminal
_NOTES: Final = 2  # lines on the line under the cursor; more where the longest of them needs more
_MOST_NOTES: Final = 5
CLOSED_LINE: Final = "this line cannot be chosen now: above is why; Esc goes back"
_MARK: Final = 4  # cells in front of a line with a mark
NUMBERS: Final = "123456789"  # of the first lines
NO_NUMBER: Final = "  "  # in front of the lines behind those

Rows = FixedLines | Callable[[int], FixedLines]  # or what they are on a terminal of so many cells


class MenuDialog(Chooser):
    """Chooser of lines that are all known.

    `closed` says why a line cannot be chosen; `keys` choose a line at once, as do the numbers of the
    first nine. The heading ends with what it is about, which is never cut. `start` are the keys of a former
    answer: marked, or the first of them under the cursor. `found` are further lines, shown only where a
    filter finds them. A number only goes to its line where not `numbers_take`.
    """

    DEFAULT_CSS: ClassVar[str] = "MenuDialog #notes { height: 2; }"

    def __init__(  # noqa: PLR0913  # each is one part of the dialog
        self,
        paint: Paint,
        heading: Line,
        rows: Rows,
        *,
        header: Line = EMPTY,
        closed: Mapping[str, str] | None = None,
        keys: Mapping[str, str] | None = None,
        explained: Mapping[str, Line] | None = None,
        is_many: bool = False,
        start: Sequence[str] = (),
        found: FixedLines | None = None,
        numbers_take: bool = True,
        ends: str = "",
    ) -> None:
        """`ends` is what would change it where none of the lines can be chosen."""
        super().__init__(paint, is_many=is_many)
        self._heading_words = heading
        self._rows_at = rows
        self._header = header
        self._why_not = closed or {}
        self._keys = keys or {}
        self._explained = explained or {}
        self._start = tuple(start)
        self._found = found or FixedLines(())
        self._marked = [key for key in start if is_many and key not in self._why_not]
        self._numbers_take = numbers_take
        self._ends = ends
        self._is_refused = False  # Enter was pressed on a line that cannot be chosen
        self._note_lines = _NOTES
        self._heading_lines = 1
        self._tallest = 0  # lines of the list

    def on_mount(self) -> None:
        self.rows.focus()
        self.lay_out()
        self.show_rows()
        known = self._ids()
        first = next(
            (key for key in (*self._start, *known) if key in known and key not in self._why_not), None
        )
        if first is not None:
            self.rows.put_on(first)
        self.explain()

    def lay_out(self) -> None:
        heading = wrap_end(self._heading_words, self.cells, _LOW_HEADING if self.is_low else _MOST_HEADING)
        heading = (*self._nothing(), *heading)
        self._heading.styles.height = self._heading_lines = max(1, len(heading))
        self._heading.show(heading)
        room = self.app.size.height - self.without_frame(_FRAME) - self._heading_lines - _LEAST_ROWS
        self._notes.styles.height = self._note_lines = max(0, min(self._longest_note(self.cells), room))
        self._tallest = 0

    def learn(self, rows: Rows, closed: Mapping[str, str]) -> None:
        """Update the lines and the reasons why some cannot be chosen."""
        self._rows_at, self._why_not = rows, closed
        if self.is_mounted:
            self.lay_out()
            self.show_rows()
            self.explain()

    def _nothing(self) -> Sequence[Line]:
        """Above the heading, that none of the lines can be chosen, why, and what would change it."""
        known = self._lines
        keys = [known.key(at) for at in range(len(known))]
        if not keys or any(key not in self._why_not for key in keys):
            return ()
        reasons = [self._why_not[key] for key in keys]
        words = none_to_mark(reasons) if self._is_many else nothing_possible(reasons, self._ends)
        return tuple(wrap(words, self.cells))[: _LOW_HEADING if self.is_low else _MOST_HEADING]

    @property
    def _lines(self) -> FixedLines:
        rows = self._rows_at
        return rows if isinstance(rows, FixedLines) else rows(self.app.size.width)

    def _shown(self) -> FixedLines:
        """The lines that have all typed words, in any case."""
        if not self._typed:
            return self._lines
        known = [
            (each.line(at), each.key(at)) for each in (self._lines, self._found) for at in range(len(each))
        ]
        shown = [(spans, key) for spans, key in known if has_words(plain(spans), self._typed)]
        return FixedLines(tuple(spans for spans, _ in shown), tuple(key for _, key in shown))

    def _ids(self) -> Sequence[str]:
        shown = self._shown()
        return [shown.key(at) for at in range(len(shown))]

    def texts(self) -> Iterator[tuple[str, str]]:
        shown = self._shown()
        for at in range(len(shown)):
            if shown.key(at) not in self._why_not:
                yield shown.key(at), plain(shown.line(at))

    def explain(self) -> None:
        key = self.rows.key or ""
        done = "continue" if self._is_many else "" if key in self._why_not else "choose"
        keys = line((CLOSED_LINE, "warn")) if self._is_refused else self.keys_line(done)
        self._ways.show((fit(keys, self.cells),))
        if self._typed and not self._ids():
            above = [EMPTY] * (self._note_lines - 1)
            self._notes.show((*above, fit(line((NO_LINE, "warn")), self.cells)))
            return
        words = self._explained.get(key, EMPTY)
        why = self._why_not.get(key, "")
        shown = line((f"unavailable: {why}", "warn")) if why else words
        told = tuple(wrap(shown, self.cells)) if self._note_lines else ()
        if len(told) > self._note_lines:
            told = (*told[: self._note_lines - 1], fit(told[self._note_lines - 1], self.cells))
        self._notes.show((*[EMPTY] * (self._note_lines - len(told)), *told))

    def _longest_note(self, cells: int) -> int:
        """The lines that the longest explanation takes, as far as there is room for it."""
        refusals = [line(f"unavailable: {why}") for why in self._why_not.values()]
        longest = max((len(tuple(wrap(e, cells))) for e in (*refusals, *self._explained.values())), default=0)
        return max(_NOTES, min(longest, _MOST_NOTES))

    def line_of_key(self, key: str) -> str | None:
        """The line with a key of its own, or with a number; numbers mark no line of several."""
        at = int(key) - 1 if key in NUMBERS and not self._is_many else -1
        shown = self._ids()
        return self._keys.get(key) or (shown[at] if 0 <= at < len(shown) else None)

    def is_enough(self, key: str) -> bool:
        """Not a digit where the choice acts at once, or where it may be the first of two: `1` of `10`."""
        return key not in NUMBERS or (self._numbers_take and len(self._ids()) <= len(NUMBERS))

    def mark(self) -> None:
        """Mark or unmark a line; the order of marking is kept."""
        key = self.rows.key
        if key is None or key in self._why_not or key not in self._ids():
            return
        if key in self._marked:
            self._marked.remove(key)
        else:
            self._marked.append(key)
        self.show_rows()
        self.explain()

    def show_rows(self) -> None:
        """Show the lines, explanations whole as far as there is room; the list grows, and never shrinks."""
        shown = self._shown()
        keys = tuple(shown.key(at) for at in range(len(shown)))
        marks = [self._mark_of(at, key) for at, key in enumerate(keys)]
        lines = tuple((mark, *spans) for mark, spans in zip(marks, shown.lines, strict=True))
        top = 1 if self._header else 0
        wrapped = wrapped_lines(FixedLines(lines, keys), self.cells, self._room() - top)
        self._tallest = max(self._tallest, _LEAST_ROWS, min(len(wrapped) + top, self._room()))
        self.rows.styles.height = self._tallest
        before = _MARK if self._is_many else len(NO_NUMBER)
        self.rows.show(wrapped, (Span(" " * before), *self._header) if self._header else EMPTY)

    def _room(self) -> int:
        """The lines that there are for the list."""
        frame = self.without_frame(_FRAME)
        return self.app.size.height - frame - self._heading_lines - self._note_lines

    def _mark_of(self, at: int, key: str) -> Span:
        """The mark or the number before a line; while a filter is typed numbers choose nothing."""
        style = "dim" if key in self._why_not else "key"
        if self._is_many:
            return Span("[x] " if key in self._marked else "[ ] ", style)
        has_number = at < len(NUMBERS) and not self.is_filtering
        return Span(f"{NUMBERS[at]} " if has_number else NO_NUMBER, style)

    def take(self) -> None:
        key = self.rows.key
        if self._is_many:
            self.dismiss(tuple(self._marked))
        elif key is None or key in self._why_not or not self._ids():
            self._is_refused = key in self._why_not and bool(self._ids())
            self.explain()
            self._is_refused = False
        else:
            self.dismiss((key,))

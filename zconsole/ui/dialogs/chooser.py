"""Base of all choosers: a list that is filtered by typing, with one rule for the keys of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_filter import AfterClosing
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.layout.sort_and_filter_rows import place_of_words
from zconsole.views.layout.styled_text import Line, line

LONGEST: Final = 60  # characters of a filter
WIDEST: Final = 120
MOVES: Final = {"j": 1, "k": -1}
AROUND: Final = 4  # cells of the frame and its padding
NO_LINE: Final = "no line has these words: Esc shows all"


class Chooser(Dialog[tuple[str, ...] | None]):
    """Dialog that returns the keys of the chosen lines, or None.

    As long as nothing is typed, a key that stands in front of a line chooses that line, `j` and `k` move, and
    `q` and Backspace go back. Any other character is typed into the filter, and behind the first one those
    too; `/` begins the filter, so that it may begin with any character. Esc shows all lines
    again, and without a filter goes back. Where several lines are wanted, space marks the line under the
    cursor, and Enter takes the marked ones once all lines are shown.
    """

    AFTER_CLOSING = AfterClosing.FOR_SCREEN
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("enter", "choose", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
    ]
    DEFAULT_CSS = """
    Chooser { align: center middle; background: $background; }
    Chooser Vertical {
        width: 100%; max-width: 120; height: auto; max-height: 100%; border: solid $primary; padding: 0 1;
    }
    """

    def __init__(self, paint: Paint, *, is_many: bool) -> None:
        super().__init__()
        self._is_many = is_many
        self._typed = ""
        self._is_begun = False  # by `/`: the next character is text, whatever it is
        self._heading = TextLines(paint, id="heading")
        self.rows = RowView(paint, id="choices")
        self._notes = TextLines(paint, id="notes")
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._heading, self.rows, self._notes, self._ways)

    # Contents; overridden

    def lay_out(self) -> None:
        """Give the parts their lines, for the present size of the terminal."""
        raise NotImplementedError

    def show_rows(self) -> None:
        """Show the lines that the filter leaves."""
        raise NotImplementedError

    def explain(self) -> None:
        """Show what there is to say of the line under the cursor, and the keys."""
        raise NotImplementedError

    def texts(self) -> Iterable[tuple[str, str]]:
        """The keys and texts of the shown lines that can be chosen."""
        raise NotImplementedError

    def line_of_key(self, key: str) -> str | None:
        """The line in front of which a key stands."""
        del key
        return None

    def is_enough(self, key: str) -> bool:
        """Whether a key in front of a line takes it at once; else the cursor goes there, for Enter."""
        del key
        return True

    def take(self) -> None:
        """Take the line under the cursor, or the marked ones, if they can be chosen."""
        raise NotImplementedError

    def mark(self) -> None:
        """Mark or unmark the line under the cursor."""

    # The filter

    @property
    def cells(self) -> int:
        """The width of the lines."""
        return min(WIDEST, self.app.size.width) - AROUND

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is typed, or begun."""
        return self._is_begun or bool(self._typed)

    def keys_line(self, done: str) -> Line:
        """The keys; while a filter is typed, the filter in front of them. Enter does `done`, if anything."""
        marks = (("Space", "key"), (" mark   ", "dim")) if self._is_many else ()
        if not self.is_filtering:
            enter = (("Enter", "key"), (f" {done}   ", "dim")) if done else ()
            return line(*marks, *enter, ("Esc", "key"), (" go back   type to filter", "dim"))
        asked = (("filter: ", "dim"), (f"{self._typed}_", "mark"), "   ")
        enter = (("Enter", "key"), (f" {done}   ", "dim")) if done and not self._is_many else ()
        end = ("Enter" if self._is_many else "Esc", "key")
        return line(*asked, *marks, *enter, end, (" show all", "dim"))

    def _filter_by(self, typed: str) -> None:
        """Show what has the words, with the cursor on the line that begins with them first."""
        self._typed, self._is_begun = typed.lstrip()[:LONGEST], False
        self.show_rows()
        if self._typed:
            places = [(place_of_words(text, self._typed), key) for key, text in self.texts()]
            best = min((place for place, _ in places), default=0)
            self.rows.put_on(next((key for place, key in places if place == best), self.rows.key or ""))
        self.explain()

    def _begin_filter(self) -> None:
        self._is_begun = True
        self.show_rows()
        self.explain()

    def on_resize(self) -> None:
        """Lay out anew; the rows follow their cursor once they have their lines."""
        self.lay_out()
        self.show_rows()
        self.explain()

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Choose by a key in front of a line, mark by space, or type into the filter."""
        if self._handled(event):
            event.stop()
            event.prevent_default()

    def _handled(self, event: events.Key) -> bool:
        key, character = event.key, event.character if event.is_printable else None
        chosen = None if self.is_filtering else self.line_of_key(key)
        if chosen is not None:
            self.rows.put_on(chosen)
            if self.is_enough(key):
                self.take()
            else:
                self.explain()
        elif key == "space" and self._is_many:
            self.mark()
        elif key == "slash" and not self.is_filtering:
            self._begin_filter()
        elif key == "backspace" and self._typed:
            self._filter_by(self._typed[:-1])
        elif key == "backspace" or (key == "q" and not self.is_filtering):
            self.action_leave()
        elif key in MOVES and not self.is_filtering:
            self.rows.action_move(MOVES[key])
        elif character is not None:
            self._filter_by(self._typed + character)
        else:
            return False
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Filter by the first line of pasted text, or of letters that come together."""
        event.stop()
        event.prevent_default()
        first = event.text.splitlines()[0] if event.text else ""
        self._filter_by(self._typed + "".join(each for each in first if each.isprintable()))

    @on(RowView.Moved)
    def _moved(self) -> None:
        self.explain()

    @on(RowView.Chosen)
    def action_choose(self) -> None:
        """Take the line under the cursor; where several are wanted, first show all lines again."""
        if self._is_many and self.is_filtering:
            self._filter_by("")
        else:
            self.take()

    def action_leave(self) -> None:
        """Show all lines again; without a filter, leave without a choice."""
        if self.is_filtering:
            self._filter_by("")
        else:
            self.dismiss(None)

    def action_jump(self, place: int) -> None:
        """Go to the first or last line."""
        self.rows.action_jump(place)

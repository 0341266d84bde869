"""Disk chooser: a ranked list, filtered by typing, and read again while it is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.actions.disk_choices import DiskChoice
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.dialogs.base_dialog import Dialog, pasted_after, typed_after
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.changes.disk_choices import (
    LEAST_WORDS,
    column_titles,
    column_widths,
    disk_lines,
    freshness,
    why_refused,
)
from zconsole.views.layout.styled_text import Line, Span, fit, line, wrap

_FRAME: Final = 4  # lines of the border, the heading and the keys
_FILTER: Final = 1
_NOTES: Final = 3  # lines on the disk under the cursor, as in the CSS
_WIDEST: Final = 120
_TICK_S: Final = 1.0
AGAIN_S: Final = 30.0  # between two readings of the host


@dataclass(frozen=True, slots=True)
class KnownDisks:
    """The choices, their age in seconds, and why they could not be read again."""

    choices: Sequence[DiskChoice]
    age_s: float | None
    is_reading: bool = False
    problem: str = ""


class DiskDialog(Dialog[tuple[str, ...] | None]):
    """Dialog that returns the words of the chosen disks, or None. Unsuitable disks are shown with the reason.

    `disks` is asked each second for what is known, `read_again` every 30 s for a new reading. With `is_many`,
    space marks disks and Enter takes the marked ones. `start` are the words of a former answer.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("enter", "choose", show=False),
        Binding("tab", "used", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
    ]
    DEFAULT_CSS = """
    DiskDialog { align: center middle; background: $background; }
    DiskDialog Vertical {
        width: 100%; max-width: 120; height: auto; max-height: 100%; border: solid $primary; padding: 0 1;
    }
    DiskDialog #notes { height: 3; }
    """

    def __init__(  # noqa: PLR0913  # each is one part of the dialog
        self,
        paint: Paint,
        heading: Sequence[Line],
        disks: Callable[[], KnownDisks],
        read_again: Callable[[], None],
        *,
        is_many: bool = False,
        start: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._words = heading
        self._disks = disks
        self._read_again = read_again
        self._choices: Sequence[DiskChoice] = ()
        self._typed = ""
        self._shows_used = False
        self._start = tuple(start)
        self._marked: list[str] | None = list(start) if is_many else None
        self._heading = TextLines(paint, id="heading")
        self._filter = TextLines(paint, id="filter")
        self.rows = RowView(paint, id="choices")
        self._notes = TextLines(paint, id="notes")
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._heading, self._filter, self.rows, self._notes, self._ways)

    def on_mount(self) -> None:
        self._heading.styles.height = len(self._words)
        self.rows.focus()
        self.renew()
        usable = [each.word for each in self._choices if not each.why_not]
        first = next((word for word in (*self._start, *usable) if word in usable), None)
        if first is not None:
            self.rows.put_on(first)
        self._explain()
        self.set_interval(_TICK_S, self.renew)
        self.set_interval(AGAIN_S, self._read_again)

    def on_resize(self) -> None:
        self._show_rows()
        self._explain()

    def renew(self) -> None:
        """Show the newest choices."""
        known = self._disks()
        fresh = freshness(known.age_s, is_reading=known.is_reading, problem=known.problem)
        asked = line("filter: ", (self._typed, "key")) if self._typed else line(("type to filter", "dim"))
        self._heading.show(tuple(fit(each, self._cells) for each in self._words))
        self._filter.show((fit(line(*asked, ("   ", "dim"), *fresh), self._cells),))
        if known.choices != self._choices:
            self._choices = known.choices
            taken = {each.word for each in known.choices if not each.why_not}
            if self._marked is not None:
                self._marked = [word for word in self._marked if word in taken]
            self._show_rows(is_wanted=False)
            self._explain()

    @property
    def _cells(self) -> int:
        return min(_WIDEST, self.app.size.width) - 4

    def _show_rows(self, *, is_wanted: bool = True) -> None:
        shown = disk_lines(
            self._choices, self._cells, typed=self._typed, shows_used=self._shows_used, marked=self._marked
        )
        room = self.app.size.height - self.without_frame(_FRAME) - _FILTER - _NOTES - (len(self._words) - 1)
        self.rows.styles.height = max(3, min(len(shown) + 1, room))
        titles = column_titles(self._cells, column_widths(self._choices), is_marked=self._marked is not None)
        self.rows.show(shown, titles, is_wanted=is_wanted)
        self._ways.show((fit(self._keys(), self._cells),))

    def _keys(self) -> Line:
        marks = (("Space", "key"), (" mark   ", "dim")) if self._marked is not None else ()
        done = " continue   " if self._marked is not None else " plan with this disk   "
        back = " clear the filter   " if self._typed else " back   "
        used = " hide disks in use" if self._shows_used else " show disks in use"
        choice = self._chosen()
        is_usable = self._marked is not None or (choice is not None and not choice.why_not)
        return line(
            *marks,
            *((("Enter", "key"), (done, "dim")) if is_usable else ()),
            ("Esc", "key"),
            (back, "dim"),
            ("Tab", "key"),
            (used, "dim"),
        )

    def _chosen(self) -> DiskChoice | None:
        return next((each for each in self._choices if each.word == self.rows.key), None)

    @on(RowView.Moved)
    def _explain(self) -> None:
        if self.rows.lost is not None:
            self._notes.show((line(("the disk that was here is gone: choose again", "warn")),))
            return
        choice = self._chosen()
        if choice is None:
            self._notes.show(())
            return
        about = line((" ".join(filter(None, (choice.model, choice.serial, choice.word))), "dim"))
        more = choice.words if len(choice.words) > LEAST_WORDS else ""  # may be cut in its line
        words = (f"refused: {why_refused(choice)}", "warn") if choice.why_not else (more, "ok")
        told = list(wrap(line(words), self._cells))
        if len(told) > _NOTES - 1:
            told[_NOTES - 2] = fit((*told[_NOTES - 2], Span(" …", "dim")), self._cells)
        self._notes.show((fit(about, self._cells), *told[: _NOTES - 1]))
        self._ways.show((fit(self._keys(), self._cells),))

    def action_back(self) -> None:
        """Clear the filter; without one, leave without a choice."""
        if self._typed:
            self._filter_by("")
        else:
            self.dismiss(None)

    def action_used(self) -> None:
        """Show the disks in use, or hide them."""
        self._shows_used = not self._shows_used
        self._show_rows()
        self._explain()

    def action_jump(self, place: int) -> None:
        """Go to the first or last disk."""
        self.rows.action_jump(place)

    @on(RowView.Chosen)
    def action_choose(self) -> None:
        """Take the disk under the cursor, or the marked ones, if a plan accepts them."""
        choice = self._chosen()
        if self._marked is not None:
            self.dismiss(tuple(self._marked))
        elif choice is not None and not choice.why_not and self.rows.lost is None:
            self.dismiss((choice.word,))
        else:
            self._explain()

    def on_key(self, event: events.Key) -> None:
        """Filter by typed text; space marks where several disks are wanted."""
        if event.key == "space" and self._marked is not None and not self._typed:
            self._mark()
            event.stop()
            event.prevent_default()
        elif (typed := typed_after(event, self._typed)) is not None:
            self._filter_by(typed)

    def on_paste(self, event: events.Paste) -> None:
        """Filter by the text, such as a serial number."""
        self._filter_by(pasted_after(event, self._typed))

    def _filter_by(self, typed: str) -> None:
        self._typed = typed
        self._show_rows()
        self.renew()
        self._explain()

    def _mark(self) -> None:
        """Mark or unmark the disk under the cursor; the order of marking is kept."""
        choice = self._chosen()
        if choice is None or choice.why_not or self._marked is None:
            return
        if choice.word in self._marked:
            self._marked.remove(choice.word)
        else:
            self._marked.append(choice.word)
        self._show_rows()

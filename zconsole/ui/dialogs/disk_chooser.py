"""Disk chooser: a ranked list, filtered by typing, and read again while it is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.actions.disk_choices import DiskChoice
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.dialogs.chooser import Chooser
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.views.changes.disk_choices import (
    LEAST_WORDS,
    column_titles,
    column_widths,
    disk_lines,
    freshness,
    matches,
    ranked_beside_marked,
    why_not_beside,
    why_refused,
)
from zconsole.views.layout.styled_text import Line, Span, fit, line, wrap, wrap_end

_FRAME: Final = 3  # lines of the border and the keys
_FRESH: Final = 1
_NOTES: Final = 3  # lines on the disk under the cursor, where there is room for them
_LEAST_ROWS: Final = 4  # lines of the list: the titles, a group, its first disks
_MOST_HEADING: Final = 2  # lines of each line of the heading
_TICK_S: Final = 1.0
AGAIN_S: Final = 30.0  # between two readings of the host


@dataclass(frozen=True, slots=True)
class KnownDisks:
    """The choices, their age in seconds, and why they could not be read again."""

    choices: Sequence[DiskChoice]
    age_s: float | None
    is_reading: bool = False
    problem: str = ""


class DiskDialog(Chooser):
    """Chooser of disks that returns their words. Unsuitable disks are shown with the reason.

    `disks` is asked each second for what is known, `read_again` every 30 s for a new reading. `start` are the
    words of a former answer. Of disks for one vdev the rest is ranked anew beside the first that is marked.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "used", show=False)]
    DEFAULT_CSS = "DiskDialog #notes { height: 3; }"

    def __init__(  # noqa: PLR0913  # each is one part of the dialog
        self,
        paint: Paint,
        heading: Sequence[Line],
        disks: Callable[[], KnownDisks],
        read_again: Callable[[], None],
        *,
        is_many: bool = False,
        is_for_one_vdev: bool = False,
        start: Sequence[str] = (),
    ) -> None:
        super().__init__(paint, is_many=is_many)
        self._words = heading
        self._disks = disks
        self._read_again = read_again
        self._known: Sequence[DiskChoice] = ()
        self._choices: Sequence[DiskChoice] = ()  # the same in their order on the screen
        self._shows_used = False
        self._is_for_one_vdev = is_for_one_vdev
        self._start = tuple(start)
        self._note_lines = _NOTES
        self._room = _LEAST_ROWS
        self._marked: list[str] | None = list(start) if is_many else None
        self._freshness = TextLines(paint, id="freshness")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self._heading, self._freshness, self.rows, self._notes, self._ways)

    def on_mount(self) -> None:
        self.lay_out()
        self.rows.focus()
        self.renew()
        usable = [each.word for each in self._choices if not each.why_not]
        first = next((word for word in (*self._start, *usable) if word in usable), None)
        if first is not None:
            self.rows.put_on(first)
        self.explain()
        self.set_interval(_TICK_S, self.renew)
        self.set_interval(AGAIN_S, self._read_again)

    def lay_out(self) -> None:
        words = self._words[:1] if self.is_low else self._words
        heading = [part for each in words for part in wrap_end(each, self.cells, _MOST_HEADING)]
        self._heading.styles.height = len(heading)
        self._heading.show(tuple(heading))
        room = self.app.size.height - self.without_frame(_FRAME) - len(heading)
        self._freshness.display = room > _FRESH + _LEAST_ROWS
        room -= _FRESH if self._freshness.display else 0
        self._notes.styles.height = self._note_lines = max(0, min(_NOTES, room - _LEAST_ROWS))
        self._room = room - self._note_lines

    def renew(self) -> None:
        """Show the newest choices."""
        known = self._disks()
        fresh = freshness(known.age_s, is_reading=known.is_reading, problem=known.problem)
        self._freshness.show((fit(fresh, self.cells),))
        if known.choices != self._known:
            self._known = known.choices
            taken = {each.word for each in known.choices if not each.why_not}
            if self._marked is not None:
                self._marked = [word for word in self._marked if word in taken]
            self._show_rows(is_wanted=False)
            self.explain()

    def show_rows(self) -> None:
        self._show_rows(is_wanted=True)

    def _show_rows(self, *, is_wanted: bool) -> None:
        marked = self._marked if self._is_for_one_vdev and self._marked else ()
        self._choices = ranked_beside_marked(self._known, marked)
        shown = disk_lines(
            self._choices, self.cells, typed=self._typed, shows_used=self._shows_used, marked=self._marked
        )
        self.rows.styles.height = max(_LEAST_ROWS, min(len(shown) + 1, self._room))
        titles = column_titles(self.cells, column_widths(self._choices), is_marked=self._marked is not None)
        self.rows.show(shown, titles, is_wanted=is_wanted)

    def texts(self) -> Iterator[tuple[str, str]]:
        for each in self._choices:
            if not each.why_not and matches(each, self._typed):
                yield each.word, f"{each.serial} {each.model}"

    def _keys(self) -> Line:
        choice = self._chosen()
        is_usable = self._marked is not None or (choice is not None and not choice.why_not)
        keys = self.keys_line("continue" if self._is_many else "plan with it" if is_usable else "")
        if self.is_filtering:
            return keys  # disks in use are among those that match
        used = " hide disks in use" if self._shows_used else " disks in use"
        return (*keys, *line("   ", ("Tab", "key"), (used, "dim")))

    def _chosen(self) -> DiskChoice | None:
        return next((each for each in self._choices if each.word == self.rows.key), None)

    def explain(self) -> None:
        self._ways.show((fit(self._keys(), self.cells),))
        if self.rows.lost is not None:
            self._notes.show((line(("the disk that was here is gone: choose again", "warn")),))
            return
        choice = self._chosen()
        if choice is None:
            self._notes.show(())
            return
        about = line((" ".join(filter(None, (choice.model, choice.serial, choice.word))), "dim"))
        more = choice.words if len(choice.words) > LEAST_WORDS else ""  # may be cut in its line
        words = (more, "ok")
        if choice.why_not:
            words = (f"refused: {why_refused(choice)}", "warn")
        elif choice.not_beside:
            words = (why_not_beside(choice), "warn")
        told = list(wrap(line(words), self.cells))
        shown = (fit(about, self.cells), *told)
        if told and self._note_lines == 1:
            shown = tuple(told)  # the serial number stands in the line under the cursor
        if len(shown) > self._note_lines > 0:
            last = fit((*shown[self._note_lines - 1], Span(" …", "dim")), self.cells)
            shown = (*shown[: self._note_lines - 1], last)
        self._notes.show(shown)

    def action_used(self) -> None:
        """Show the disks in use, or hide them."""
        self._shows_used = not self._shows_used
        self.show_rows()
        self.explain()

    def take(self) -> None:
        choice = self._chosen()
        if self._marked is not None:
            self.dismiss(tuple(self._marked))
        elif choice is not None and not choice.why_not and self.rows.lost is None:
            self.dismiss((choice.word,))
        else:
            self.explain()

    def mark(self) -> None:
        """Mark or unmark the disk under the cursor; the order of marking is kept."""
        choice = self._chosen()
        if choice is None or choice.why_not or self._marked is None:
            return
        if choice.word in self._marked:
            self._marked.remove(choice.word)
        else:
            self._marked.append(choice.word)
        self.show_rows()
        self.explain()

"""Base layout of all screens: two title lines, rows, detail pane, footer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, cast

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip

from zconsole.base.fixed_width_formatting import duration
from zconsole.ui.delayed_calls import Once
from zconsole.ui.key_bindings_and_palette import keys_on_rows
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.screens_by_name import Want
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.ui.widgets.style_cache import WidgetStyles
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.click_targets import ClickTarget, target_at
from zconsole.views.layout.key_help import action_at, footer_line, time_line
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.screen_key_registry import EVERYWHERE, is_in, key_of
from zconsole.views.layout.sort_and_filter_rows import TOO_SLOW, SortFilter
from zconsole.views.layout.styled_text import EMPTY, Line, Lines, Span, fit, line, line_width, plain, spread
from zconsole.views.layout.table import TableLines
from zconsole.views.layout.wrapped_rows import wrapped_rows

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

SAID_FOR_S: Final = 4.0  # how long a remark stays
SAID_IN_TOUR_S: Final = 2.0  # in front of the next step of the tour
RULES_OF_TWO: Final = 6  # cells of the signs around two remarks
_AROUND: Final = 3  # cells of the rule around a remark
_LEAST_REMARK: Final = 20  # cells that say something
TALL: Final = 30  # rows from which on the detail pane is taller
LOW: Final = 16  # rows below which the list has the room: a line of details
ROWS_FOR_DETAILS: Final = 3  # that wrapped rows leave free
LOWEST: Final = 10  # rows below which there are none
MARGIN: Final[Line] = (Span(" "),)
NOTES_LOW: Final = 3
NOTES_TALL: Final = 6
HEAD_LINES: Final = 2
RULE_AND_FOOTER_LINES: Final = 2
FILL_AFTER_S: Final = 0.05  # until skipped parts are drawn; a key comes first


class ShownTime(Protocol):
    """Shown time of a screen with a timeline."""

    @property
    def at(self) -> float | None:
        """Epoch seconds; None is now, or the moment of the pause."""

    def begin(self) -> None:
        """Start with the opened screen."""

    def fresh(self) -> Line | None:
        """The text in place of the freshness; None while the screen shows now."""

    def words(self) -> Line | None:
        """The moment, on the line between rows and details."""

    def track(self, cells: int) -> Line | None:
        """The rest of that line."""


class DrawnScreen(Screen[None], inherit_css=False):
    """Screen that draws given states; it asks no host and keeps no data of its own."""

    PLACE: ClassVar[str] = ""
    HAS_NOTES: ClassVar[bool] = True
    HAS_CURSOR: ClassVar[bool] = True
    WRAPS_ROWS: ClassVar[bool] = False  # the text of the last column, where rows are left free
    NO_MATCH_HINT: ClassVar[str] = ""  # where else it may be found
    NUMBERS_FROM: ClassVar[int] = LOWEST  # rows of a terminal from which on the head has its second line
    NEEDS_NUMBERS: ClassVar[bool] = False  # the second line of the head, also on the lowest terminals
    NOTES: ClassVar[tuple[int, int]] = (NOTES_LOW, NOTES_TALL)  # lines of details, on low and tall terminals

    COMPONENT_CLASSES: ClassVar[set[str]] = Screen.COMPONENT_CLASSES
    DEFAULT_CSS = """
    DrawnScreen { layout: vertical; overflow-y: auto; background: $background; color: $foreground; }
    DrawnScreen > .screen--selection {
        background: $screen-selection-background; color: $screen-selection-foreground;
    }
    DrawnScreen #head { height: 2; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.view: View | None = None
        self.frozen: View | None = None  # the state that is shown while paused
        self.time: ShownTime | None = None
        self._shape = SortFilter()
        self._said: Line = EMPTY
        self._told: tuple[str, ...] = ()  # what the details say
        self._noted: tuple[Line, ...] = ()  # what each line of the details is a part of
        self._said_timer: Once | None = None
        self._asked_before: object = None
        self._total = 0
        self._rows_taken = 0  # lines of the list, with its header
        self.drawn_alike = 0  # drawings since the last one that changed anything
        self._notes_grown = 0  # lines of the pane below the list; it grows only, so that nothing jumps back
        self._rows_before: TableLines | None = None  # the last drawn rows
        self._is_ready = False  # its widgets exist
        self._is_new = False  # they have been made since it was last in front
        self._drawn_sizes: tuple[Size, Size] | None = None  # of the terminal, and of the list
        self._is_filling = False  # a drawing is scheduled
        self._looks = WidgetStyles()
        self._blank = Strip([])
        paint = self.console.paint
        self._head = TextLines(paint, id="head")
        self.rows = RowView(paint, id="rows", has_cursor=self.HAS_CURSOR)
        self._rule_line = TextLines(paint, id="rule")
        self._notes = TextLines(paint, id="notes")
        self._footer = TextLines(paint, id="footer")

    @property
    def console(self) -> ConsoleApp:
        """The app, with its own type."""
        return cast("ConsoleApp", self.app)

    def compose(self) -> ComposeResult:
        yield from (self._head, self.rows, self._rule_line, self._notes, self._footer)

    def on_mount(self) -> None:
        if self.time is not None:
            self.time.begin()
        self._is_ready = self._is_new = True
        self.rows.focus()
        self._arrange()
        self.show(self.console.view())

    def on_screen_resume(self) -> None:
        if not self._is_new:  # it has been drawn this moment
            self.show(self.console.view())
        self._is_new = False

    def on_resize(self, _event: events.Resize) -> None:
        if self._is_ready and self._drawn_sizes != (self.app.size, self.rows.outer_size):
            self._arrange()
            self.draw()

    def _arrange(self) -> None:
        """Give the detail pane its usual height."""
        self._notes_grown = 0
        self._notes.styles.height = self._note_lines()
        self._head.styles.height = self._head_lines
        self._notes.display = self.HAS_NOTES

    @property
    def _head_lines(self) -> int:
        """The lines above the list: on low terminals one, where the numbers can be done without."""
        return 1 if self.app.size.height < self.NUMBERS_FROM and not self.NEEDS_NUMBERS else HEAD_LINES

    def _note_lines(self) -> int:
        if not self.HAS_NOTES:
            return 0
        low, tall = self.NOTES
        height = self.app.size.height
        if height < LOW:
            return int(height >= LOWEST)
        return tall if height >= TALL else low

    def _note_room(self, wanted: int) -> int:
        """The lines for details: more than usual where they need more and the list leaves rows free."""
        least = self._note_lines()
        free = self.app.size.height - self._head_lines - self._rows_taken - RULE_AND_FOOTER_LINES
        self._notes_grown = max(least, min(max(wanted, self._notes_grown), free))
        if self._notes.styles.height is None or self._notes.styles.height.value != self._notes_grown:
            self._notes.styles.height = self._notes_grown
        return self._notes_grown

    def _room_for_rows(self) -> int:
        """The rows of the list below its header, where the details keep their lines, and some to grow."""
        details = max(self._note_lines() + ROWS_FOR_DETAILS, self._notes_grown)
        return self.app.size.height - self._head_lines - 1 - RULE_AND_FOOTER_LINES - details

    # Contents of a screen; overridden

    def page(self, view: View) -> Page:
        """The page at this moment."""
        raise NotImplementedError

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        """The details of the selected row."""
        del view, key
        return ()

    def wants(self) -> frozenset[Want]:
        """The readings to be made while this screen is in front."""
        return frozenset()

    def is_filling(self, view: View) -> bool:
        """Whether more rows will come soon, so that an untouched cursor stays on top."""
        del view
        return False

    def is_settling(self) -> bool:
        """Whether the rows are still changing to the user's last request."""
        return False

    def asked_for(self) -> tuple[object, ...]:
        """The user's selection of rows; where it changes, no row counts as lost."""
        at = None if self.time is None else self.time.at
        return self._shape, self.frozen is None, self.app.size, at

    def named(self, key: str) -> str:
        """The user's name of a row."""
        del key
        return "what the cursor stood on"

    def put_on_host(self, host: str) -> None:
        """Put the cursor on a host, where the screen lists hosts."""

    def clicked(self, target: ClickTarget, *, is_again: bool) -> None:
        """Go to what was clicked beside the rows; `is_again`: for the second time, quickly."""

    def refuses(self, key: str) -> bool:
        """Whether to ignore a key once: it ends the tour, or its target has left the list."""
        if key == "escape" and self.rows.has_focus and self._tour_line():
            self.console.tour = None
            self._draw_words()
            return True
        if self.rows.lost is None or not self.rows.has_focus or key not in keys_on_rows(self.PLACE):
            return False
        if self.rows.stands_on() is None:
            return False  # no other row can be taken for it
        gone, self.rows.lost = self.named(self.rows.lost), None
        self.say(f"{gone} is not in the list any more; the same key again is for this row", "warn")
        return True

    def is_behind(self) -> bool:
        """Whether time ran out before everything was drawn, so that another drawing is needed."""
        return False

    def lines(self, page: Page) -> tuple[Lines, Line]:
        """The rows, and the header above them."""
        self._total = len(page.table.rows)
        table = self._shape.of(page.table, self.shown.now if self.shown is not None else 0.0)
        cells = self.app.size.width - 1
        if self.WRAPS_ROWS:
            table = wrapped_rows(table, cells, self._room_for_rows())
        drawn = self._rows_before = TableLines(
            table, cells, MARGIN, before=self._rows_before, sorted_by=self._shape.column
        )
        has_cells = any(row.line is None for row in page.table.rows)
        head = drawn.header(self._shape.column, is_reverse=self._shape.is_reverse) if has_cells else EMPTY
        return drawn, head

    # Drawing

    def show(self, view: View) -> None:
        """Show the newest states; a paused screen does not change."""
        self.view = view
        self.draw()
        if self.console.front() is self:
            self.console.want(self.wants())

    @property
    def shown(self) -> View | None:
        """The shown states: the newest, or those of the pause."""
        return self.frozen or self.view

    def draw(self) -> None:
        """Update the widgets; each repaints its changes."""
        shown = self.shown
        if shown is None or not self._is_ready or not self.app.size.width:
            return
        self._drawn_sizes = (self.app.size, self.rows.outer_size)
        page = self.page(shown)
        cells = self.app.size.width
        fresh = page.fresh
        if self.frozen is not None and self.view is not None:
            fresh = self.paused_words()
        lines, title = self.lines(page)
        numbers = line((self._shape.problem, "warn")) if self._shape.problem else page.numbers
        head = (
            with_margin(spread(page.answer, fresh, cells - 2)),
            with_margin(fit(numbers, cells - 2)),
        )
        is_wrong = bool(numbers) and numbers[0].style in {"warn", "bad"}
        is_changed = self._head.show(head[-1:] if is_wrong and self._head_lines == 1 else head)
        asked = self.asked_for()
        is_wanted, self._asked_before = asked != self._asked_before or self.is_settling(), asked
        was_lost = self.rows.lost
        self._rows_taken = len(lines) + bool(title)
        is_changed |= self.rows.show(lines, title, is_filling=self.is_filling(shown), is_wanted=is_wanted)
        if self.rows.lost is not None and was_lost is None:
            self.say(f"{self.named(self.rows.lost)} is not in the list any more", "warn")
        is_changed |= self._draw_words()
        self.drawn_alike = 0 if is_changed else self.drawn_alike + 1
        if self.is_behind() and not self._is_filling:
            self._is_filling = True
            Once(self, FILL_AFTER_S, self._fill)

    def _fill(self) -> None:
        self._is_filling = False
        self.draw()

    def _draw_words(self) -> bool:
        """Draw the rule, the pane below it, and the keys; returns whether any of it is another."""
        shown = self.shown
        if shown is None:
            return False
        cells = self.app.size.width
        told: Sequence[Line] = ()
        if self.HAS_NOTES:
            told = self._of_filter() or self.notes(shown, self.rows.key)
        self._told = tuple(map(plain, told))
        is_changed = self._rule_line.show((self._rule(cells),))
        if self.HAS_NOTES:
            pieces = [(words, with_margin(each)) for words in told for each in wrapped(words, cells - 2)]
            self._noted = tuple(words for words, _ in pieces)
            lines = [each for _, each in pieces]
            room = self._note_room(len(lines))
            if len(lines) > room > 0:
                lines[room - 1] = fit((*lines[room - 1], Span(" …", "dim")), cells - 1)
            is_changed |= self._notes.show(tuple(lines[:room]))
        return self._footer.show((self.footer(cells),)) or is_changed

    def is_empty_by_filter(self) -> bool:
        """Whether the filter leaves no row, all of them looked at."""
        return bool(self._shape.words) and not self.rows.count and not self.is_behind()

    def filter_problem(self) -> str:
        """What is wrong with the filter; empty for nothing."""
        return self._shape.problem

    def is_misworded(self) -> bool:
        """Whether a word of the filter cannot be understood, so that rows are shown that it would hide."""
        return self._shape.is_misworded

    def taken_as_text(self) -> str:
        """A word of the filter that looks like a comparison with a column that there is not."""
        return self._shape.taken_as_text

    def _of_filter(self) -> tuple[Line, ...]:
        """What is wrong with the filter, and that nothing matches; nothing while it does its work."""
        if not self._shape.words:
            return ()
        if self.is_misworded():
            return (line((self.filter_problem(), "warn")),)
        if not self.is_empty_by_filter():
            return ()
        why = self.filter_problem() or self.taken_as_text()
        return (*self._of_no_match(), *((line((why, "warn")),) if why else ()))

    def _of_no_match(self) -> tuple[Line, ...]:
        """That nothing matches, and the way out."""
        _, total = self.matching()
        words = line(
            ("no row matches ", "warn"), (self._shape.words, "mark"), (f": 0 of {total}; ", "warn"),
            ("Esc", "key"), " shows all",
        )  # fmt: skip
        return (words, line((self.NO_MATCH_HINT, "dim"))) if self.NO_MATCH_HINT else (words,)

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""
        for widget in (self._head, self._rule_line, self._notes, self._footer):
            widget.repaint(paint)
        self.rows.repaint(paint)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the background behind the widgets: one blank line, repeated."""
        paint = self.console.paint
        if self._looks.are_others(self, paint, crop.width):
            self._blank = paint.strip(EMPTY, crop.width, style=self._looks.style)
        return [self._blank] * crop.height

    def paused_words(self) -> Line:
        """The text in place of the freshness, while the screen is paused."""
        if self.frozen is None or self.view is None:
            return EMPTY
        fresh = None if self.time is None else self.time.fresh()
        return fresh or line((f"PAUSED {duration(self.view.monotonic - self.frozen.monotonic)}", "warn"))

    def footer(self, cells: int) -> Line:
        """The most useful keys."""
        is_now = self.time is None or self.frozen is None
        if not is_now:
            return time_line(self.PLACE, cells)
        return footer_line(self.PLACE, cells, self.key_titles(), self.unusable())

    def unusable(self) -> frozenset[str]:
        """Actions of the footer, by id, that would do nothing now."""
        return frozenset()

    def key_titles(self) -> dict[str, str]:
        """Other titles of actions in the footer, by id, for the present row."""
        return {}

    def remarks(self, called: Line) -> list[Line]:
        """Remarks on the line between rows and details: filter, order, hidden rows, and the last message.

        `called` is the alert that stays.
        """
        said = []
        toured = self._tour_line()
        if self._said:
            said.append(self._said)
        both = line_width(self._said) + line_width(toured) + RULES_OF_TWO
        if toured and not (self._said and both > self.app.size.width):
            said.append(toured)  # else when the answer to a key has been read
        if runs := self.console.runs_going_on():
            from zconsole.views.changes.run import runs_line  # noqa: PLC0415  # where one goes on

            said.append(runs_line(runs, key_of("journal") if is_in(self.PLACE, "journal") else ""))
        if called and not self._shape.words:
            said.append(called)
        if self._shape.words:
            said.append(self.filter_words())
        position = self.rows.position
        if position:
            said.append(line((position, "dim")))
        if called and self._shape.words:
            said.append(called)  # behind what the rows are
        moment = None if self.time is None else self.time.words()
        if moment is None:
            return said
        return [*said, moment] if self._said else [moment, *said]

    def filter_words(self) -> Line:
        """The filter, and how many rows match."""
        given_up = f" given up: {TOO_SLOW}, all" if self._shape.is_given_up else ""
        matching, total = self.matching()
        return line(
            ("filter ", "dim"),
            (self._shape.words, "mark"),
            (given_up, "warn"),
            (f" {matching} of {total}, Esc clears", "dim"),
        )

    def _tour_line(self) -> Line:
        """The step of the tour; its offer gives way to an alert and to a filter."""
        tour = self.console.tour
        if tour is None or (tour.is_offered and (self._shape.words or self._alert_line())):
            return EMPTY
        return tour.line(self.PLACE)

    def _alert_line(self) -> Line:
        """The alert that stays; what the details say is only counted."""
        if not self.console.is_first_frame_shown:
            return EMPTY
        return self.console.alerts.line(self.PLACE, self._told)

    def matching(self) -> tuple[int, int]:
        """How many rows match the filter, and how many there are."""
        return self.rows.count, self._total

    def dashes(self, cells: int) -> Line:
        """The rest of that line."""
        track = None if self.time is None else self.time.track(cells)
        return track or (Span("─" * max(0, cells), "rule"),)

    def _rule(self, cells: int) -> Line:
        """The line between rows and details; that of an alert gives way to the others."""
        inner: list[Span] = []
        called = self._alert_line()
        for each in shortened_to(self.remarks(called), cells, called):
            inner += [Span("─ ", "rule"), *each, Span(" ", "rule")]
        used = sum(span.width for span in inner)
        return fit((*inner, *self.dashes(cells - used)), cells)

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""
        self._said = line((words, style))
        if self._said_timer is not None:
            self._said_timer.stop()
        self._said_timer = Once(
            self, SAID_FOR_S if self.console.tour is None else SAID_IN_TOUR_S, self._unsay
        )
        self._draw_words()

    def forget_said(self) -> None:
        """Discard an outdated remark; it disappears with the next drawing."""
        self._said = EMPTY

    def _unsay(self) -> None:
        self.forget_said()
        self._draw_words()

    @on(TextLines.Clicked)
    async def _on_line_clicked(self, event: TextLines.Clicked) -> None:
        """Do what the key under the mouse does; go to what a line of the details is on."""
        event.stop()
        if event.lines is self._notes and event.at.y < len(self._noted):
            self._follow(target_at(self._noted[event.at.y], 0), is_again=False)
        if event.lines is not self._footer:
            return
        found = action_at(self.PLACE, self.footer(self.app.size.width), event.at.x)
        if found is not None and not self.refuses(found.keys[0]):
            await self.run_action(found.id if EVERYWHERE not in found.where else f"app.{found.id}")

    @on(RowView.TextClicked)
    def _on_text_clicked(self, event: RowView.TextClicked) -> None:
        event.stop()
        self._follow(target_at(event.spans, event.cell), is_again=event.is_again)

    def _follow(self, target: ClickTarget | None, *, is_again: bool) -> None:
        if target is not None:
            self.clicked(target, is_again=is_again)

    @on(RowView.Moved)
    def _on_moved(self, event: RowView.Moved) -> None:
        event.stop()
        self._draw_words()


def shortened_to(remarks: Sequence[Line], cells: int, giving_way: Line) -> list[Line]:
    """Remarks of which one is cut so that all fit, unless too little of it were left."""
    widths = [sum(span.width for span in each) for each in remarks]
    room = cells - sum(widths) - _AROUND * len(widths) + sum(span.width for span in giving_way)
    if giving_way not in remarks or room < _LEAST_REMARK:
        return list(remarks)
    return [_cut_before_count(each, room) if each == giving_way else each for each in remarks]


def _cut_before_count(words: Line, room: int) -> Line:
    """An alert with its words cut, and not the number of the others behind them."""
    *told, count = words
    if not told or not count.text.startswith(" · ") or room - count.width < _LEAST_REMARK:
        return fit(words, room)
    return (*fit(tuple(told), room - count.width), count)


def with_margin(spans: Line) -> Line:
    """A line with the same margin as all others."""
    return (*MARGIN, *spans)

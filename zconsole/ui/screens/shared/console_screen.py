"""Base of all screens: filter, sort, pause, close, open other screens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from zconsole.ui.screens.shared.base_screen import DrawnScreen
from zconsole.ui.screens_by_name import screen_class
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.ui.widgets.text_input import TextBox
from zconsole.views.layout.screen_key_registry import ACTIONS, actions, is_in
from zconsole.views.layout.styled_text import Lines, line
from zconsole.views.layout.table import TableLines, column_at

if TYPE_CHECKING:
    from zconsole.actions.intent import Target
    from zconsole.views.layout.click_targets import ClickTarget
    from zconsole.views.layout.copyable_values import CopyableValue

VIEW: Final = "view"  # the meaning of the keys that choose one of several views of a screen


class ConsoleScreen(DrawnScreen):
    """Screen with the common keys."""

    ABOUT: ClassVar[tuple[str, ...]] = ()  # arguments of its class where a key opens it: host, pool
    PARTS: ClassVar[Mapping[str, type]] = {}  # attributes with actions, and their classes
    FILTER_HINT: ClassVar[str] = "text  sd*  state:degraded  used>80%  older:1h  /regex/"

    DEFAULT_CSS = """
    ConsoleScreen #filter-line { display: none; height: 1; background: $surface; }
    ConsoleScreen #slash { width: 1; height: 1; }
    ConsoleScreen #filter {
        width: 1fr; height: 1; border: none; padding: 0; background: $surface; color: $foreground;
    }
    ConsoleScreen #filter > .input--placeholder { color: $text-muted; }
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Give the screen the actions of its parts, except for those that it defines itself."""
        super().__init_subclass__(**options)
        for part, kind in vars(cls).get("PARTS", {}).items():
            for name in vars(kind):
                if name.startswith("action_") and name not in vars(cls):
                    setattr(cls, name, _forwarded(part, name))

    def __init__(self) -> None:
        super().__init__()
        self._before_filter: str | None = None  # the row under the cursor
        self._box = TextBox(placeholder=self.FILTER_HINT, id="filter")
        self._slash = TextLines(self.console.paint, id="slash")
        self._filter_line = Horizontal(self._slash, self._box, id="filter-line")

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if widget is self._notes:
                yield self._filter_line
            yield widget

    @on(RowView.Chosen)
    async def _on_chosen(self) -> None:
        await self.run_action("open")

    def clicked(self, target: ClickTarget, *, is_again: bool) -> None:
        """Open a finding; at the second click a pool, at its disk."""
        if target.finding:
            self._open_finding(target)
        elif is_again:
            self.console.open_pool(target.host, target.pool, target.leaf)

    def _open_finding(self, target: ClickTarget) -> None:
        from zconsole.views.findings.finding_list_and_detail import point_of  # noqa: PLC0415  # of a click

        found = point_of(self.shown, target.finding) if self.shown is not None else None
        if found is not None and self.shown is not None:
            self.console.open("finding", *found, self.shown.now)

    # Actions that most screens have

    def action_back(self) -> None:
        """Clear the filter; otherwise leave this screen, unless it is the first."""
        if self._shape.words:
            self._set_filter("")
        else:
            self.leave()

    def action_clear(self) -> None:
        """Clear the filter."""
        self._set_filter("")

    def action_leave(self) -> None:
        """Leave this screen, or the console."""
        if not self.leave() and self.is_active:
            self.app.call_later(self.app.action_quit)

    def leave(self) -> bool:
        """Go back, once, to the previous screen; False where there is none."""
        is_left = self.is_active and len(self.app.screen_stack) > 1
        if is_left:
            self.app.pop_screen()
        return is_left

    def action_filter(self) -> None:
        """Ask for the filter of the rows."""
        self._box.value = self._shape.words
        self._rule_line.display = False
        self._slash.show((line(("/", "key")),))
        self._filter_line.display = True
        self._box.focus()

    @on(Input.Changed, "#filter")
    def _on_filter_changed(self, event: Input.Changed) -> None:
        if self._filter_line.display:
            self._set_filter(event.value)

    @on(Input.Submitted, "#filter")
    def _on_filter_submitted(self) -> None:
        """Close the filter, with the cursor on a match: not on a row that is only the way to one.

        It stays open with a word that cannot be understood, which would be left out.
        """
        if self._shape.words and self.is_misworded():
            self._draw_words()
            return
        self._close_filter()
        if self._shape.words and self.rows.key is not None and not self.is_match(self.rows.key):
            self._seek(1)  # there may be none yet: a large tree is filtered after the key

    def on_key(self, event: events.Key) -> None:
        """Handle keys of the filter: Escape clears and closes it; arrows go on to the rows."""
        if not self._box.has_focus:
            return
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self._set_filter("")
            self._close_filter()
        elif event.key in {"up", "down"}:
            event.stop()
            self.rows.action_move(1 if event.key == "down" else -1)

    def _close_filter(self) -> None:
        self._filter_line.display = False
        self._rule_line.display = True
        self.rows.focus()
        self._draw_words()

    def _set_filter(self, words: str) -> None:
        """Filter the rows; after a filter that left none, the cursor is where it was before."""
        if not self._shape.words:
            self._before_filter = self.rows.stands_on()
        had_rows = self.rows.stands_on() is not None
        self._shape = replace(self._shape, words=words)
        self.forget_said()
        self.draw()
        if not words and not had_rows and self._before_filter is not None:
            self.rows.put_on(self._before_filter)

    # Matches, problems, views

    def is_match(self, key: str) -> bool:
        """Whether a shown row matches the filter; lists show only those that do."""
        del key
        return True

    def action_next(self) -> None:
        """Go to the next match of the filter, or to the next problem."""
        self._to_next(1)

    def action_previous(self) -> None:
        """Go to the match or the problem before."""
        self._to_next(-1)

    def _to_next(self, step: int) -> None:
        if self.is_misworded():
            self.say("the filter has a wrong word", "warn")
        elif not self._seek(step):
            said = "no row matches the filter" if self._shape.words else "no row here shows a problem"
            self.say(said, "dim")

    def _seek(self, step: int) -> bool:
        """Go to the next match of the filter, or without one to the next problem, if there is any."""
        from zconsole.ui.screens.shared.next_match_or_problem import (  # noqa: PLC0415  # of one key
            next_place,
            shows_problem,
        )

        is_filtered = bool(self._shape.words)

        def found(lines: Lines, start: int) -> int | None:
            if is_filtered:
                return next_place(lines, start, step, lambda at: self.is_match(lines.key(at)))
            return next_place(lines, start, step, lambda at: shows_problem(lines.line(at)))

        return self.rows.seek(found)

    def shown_view(self) -> str:
        """The id of the action of the view that is shown, on a screen with several."""
        return ""

    def action_next_view(self) -> None:
        """Show the next view of this screen."""
        self._turn_view(1)

    def action_view_before(self) -> None:
        """Show the view before."""
        self._turn_view(-1)

    def _turn_view(self, step: int) -> None:
        views = [action.id for action in actions(self.PLACE) if action.meaning == VIEW]
        at = views.index(self.shown_view()) if self.shown_view() in views else -1
        getattr(self, f"action_{views[(at + step) % len(views)]}")()

    # The object of actions

    def acted_on(self) -> tuple[str, Target] | str:
        """The host and the object that the cursor or the screen is on; otherwise why there is none."""
        return ""

    def action_act(self) -> None:
        """Offer the actions of the object under the cursor."""
        found = self.acted_on()
        if isinstance(found, str):
            self.say(found, "dim")
        else:
            self.console.act(*found)

    # Copying, and the command line

    def copyable(self) -> Iterable[CopyableValue]:
        """The values that the cursor is on, the most likely first: of a disk its serial number."""
        from zconsole.views.layout.copyable_values import (  # noqa: PLC0415  # of one key
            NAME,
            SERIAL,
            CopyableValue,
            of_row,
        )

        name = self.full_name()
        if name:
            yield CopyableValue(NAME, name)
        serial = self.serial()
        if serial:
            yield CopyableValue(SERIAL, serial)
        drawn, at = self._rows_before, self.rows.cursor
        if drawn is not None and at < len(drawn) and drawn.key(at) == self.rows.key:
            shown = [column.id for column, _, _ in drawn.placed.places]
            yield from of_row(drawn.table, drawn.table.rows[at], shown)

    def full_name(self) -> str:
        """The whole name of what the cursor is on, where its row shows a part of it; empty for none."""
        return ""

    def serial(self) -> str:
        """The serial number of the disk that the cursor or the screen is on; empty for none."""
        return ""

    def action_copy(self) -> None:
        """Copy what the cursor is on; of several values one is chosen."""
        from zconsole.ui.flows.copy_value import copy, copy_one_of  # noqa: PLC0415  # of one key
        from zconsole.views.layout.copyable_values import distinct  # noqa: PLC0415  # the same

        values = distinct(self.copyable())
        if not values:
            self.say("there is nothing to copy here", "dim")
        elif len(values) == 1:
            copy(self.console, values[0])
        else:
            self.console.gate.expect_dialog()
            self.console.run_worker(copy_one_of(self.console, values), name="copy")

    def action_command(self) -> None:
        """Open the command line."""
        self.console.open_command_line()

    # Order

    @on(RowView.HeaderClicked)
    def _on_header_clicked(self, event: RowView.HeaderClicked) -> None:
        """Sort by the column whose title was clicked, in its natural order; a second click reverses it."""
        event.stop()
        if self._rows_before is None or not is_in(self.PLACE, "sort"):
            return
        column = column_at(self._rows_before.placed, event.cell - 1)
        if column is not None and column == self._shape.column:
            self._shape = replace(self._shape, is_reverse=not self._shape.is_reverse)
        elif column is not None:
            self._shape = replace(self._shape, column=column, is_reverse=False)
        self._sort_changed()

    def _sort_changed(self) -> None:
        self.draw()

    def action_sort(self) -> None:
        """Sort by the next visible column; after the last, the natural order."""
        shown = self.shown
        if shown is None:
            return
        drawn = TableLines(self.page(shown).table, self.app.size.width - 1)
        ids: list[str | None] = [None, *(column.id for column, _, _ in drawn.placed.places)]
        at = ids.index(self._shape.column) if self._shape.column in ids else 0
        self._shape = replace(self._shape, column=ids[(at + 1) % len(ids)], is_reverse=False)
        self.draw()

    def action_reverse(self) -> None:
        """Reverse the order."""
        self._shape = replace(self._shape, is_reverse=not self._shape.is_reverse)
        if self._shape.column is None:
            self.say("o sorts first; then O turns the order round", "dim")
        self.draw()

    def action_top(self) -> None:
        """Go to the first row."""
        self.rows.action_jump(0)

    def action_bottom(self) -> None:
        """Go to the last row."""
        self.rows.action_jump(-1)

    def action_pause(self) -> None:
        """Freeze the screen; press again to go on."""
        self.toggle_pause()

    def toggle_pause(self) -> None:
        """Freeze the screen, or go on to the newest state."""
        self.frozen = None if self.frozen is not None else self.view
        self.draw()

    def action_refresh(self) -> None:
        """Ask the collectors to read everything now."""
        self.console.states.refresh()
        self.say("reading everything again")

    def action_faster(self) -> None:
        """Set a shorter interval."""
        self.say(f"an I/O sample every {self.console.change_interval(-1):g} s")

    def action_slower(self) -> None:
        """Set a longer interval."""
        self.say(f"an I/O sample every {self.console.change_interval(1):g} s")

    def subject(self) -> tuple[str, str]:
        """The host and the pool of the screen, or of the row under the cursor; empty for none."""
        return "", ""

    def open(self, place: str) -> None:
        """Open another screen on the subject of this one or its row, as far as its class takes it."""
        known = dict(zip(("host", "pool"), self.subject(), strict=True))
        kind: type[ConsoleScreen] = screen_class(place)
        about = [known[each] for each in kind.ABOUT]
        if all(about):
            self.app.push_screen(kind(*about))
        else:
            self.say(f"there is no {kind.ABOUT[-1]} under the cursor", "dim")

    def action_keys(self) -> None:
        """Show all keys."""
        self.console.open_help(self.PLACE)

    def action_tour(self) -> None:
        """Begin the tour."""
        self.console.begin_tour()
        self.draw()

    def action_themes(self) -> None:
        """Choose a theme."""
        self.console.open_themes()


def _opening(place: str) -> Callable[[ConsoleScreen], None]:
    def act(screen: ConsoleScreen) -> None:
        screen.open(place)

    return act


for _action in ACTIONS:
    if _action.opens:
        setattr(ConsoleScreen, f"action_{_action.id}", _opening(_action.opens))


def _forwarded(part: str, name: str) -> Callable[[ConsoleScreen], None]:
    def act(screen: ConsoleScreen) -> None:
        getattr(getattr(screen, part), name)()

    return act

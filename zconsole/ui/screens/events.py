"""Events screen, live, and one event in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.model.pools.event import Event
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens.shared.base_screen import LOW
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.pools import event_list_and_detail as views


class EventsScreen(ConsoleScreen):
    """Events, newest last; the cursor stays with the newest until the user moves it up."""

    PLACE = "events"
    NUMBERS_FROM = LOW
    NO_MATCH_HINT = "who changed or destroyed what on a pool, since it was made: H on the pool"
    WRAPS_ROWS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self) -> None:
        super().__init__()
        self._is_following = True
        self._known = views.EventList()

    def page(self, view: View) -> Page:
        return views.page(view, self._known)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return views.notes(view, self._known.find(view, key))

    def draw(self) -> None:
        was_last = self.rows.cursor >= self.rows.count - 1 if self._is_ready else True
        super().draw()
        if (was_last or self._is_following) and self.rows.count:
            self._is_following = False
            self.rows.action_jump(-1)
            self._draw_words()

    def action_open(self) -> None:
        """Show every field of the event under the cursor."""
        found = self._known.find(self.shown, self.rows.key) if self.shown is not None else None
        if found is not None:
            host, event = found
            self.app.push_screen(EventScreen(host.name, event))


class EventScreen(TextScreen):
    """All fields of one event."""

    PLACE = "event"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, event: Event) -> None:
        super().__init__()
        self._host = host
        self._event = event

    def heading(self) -> tuple[Line, Line]:
        first = line(
            (self._host, "title"), (" · ", "dim"), (self._event.short_class, views.style_of(self._event))
        )
        return first, line((self._event.pool or "", "dim"))

    def text(self) -> Sequence[Line]:
        return views.fields(self._event)

"""ARC screen: cache, write throttle, intent log and transaction groups, live and past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.model.host.host_state import HostState
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import TimeTravel, WatchedPast
from zconsole.ui.screens_by_name import Want
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import place
from zconsole.views.pools import arc_zil_txg_page as views
from zconsole.views.pools.arc_zil_txg_counters import CounterRow


class ArcScreen(ConsoleScreen):
    """Screen whose statistics are read while it is open; their history is kept after it closes."""

    PLACE = "arc"
    ABOUT = ("host",)
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host = host
        self._shown: tuple[CounterRow | str, ...] = ()
        past = WatchedPast(
            lambda: (host, ""),  # the whole host's
            times=self._kept_times,
            lasts_s=lambda: views.OLD_S,
            view_at=self._view_at,
        )
        self.time: TimeTravel = TimeTravel(self, past)

    def _kept_times(self) -> Sequence[float]:
        state = self._state()
        return () if state is None else views.times(state)

    def _view_at(self, at: float) -> View | None:
        from zconsole.ui.past_host_states_with_findings import arc_then  # noqa: PLC0415  # who never goes back needs none of it

        state, console = self._state(), self.console
        return None if state is None else arc_then(console.states, console.config, state, at, views.OLD_S)

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("arc", self.host)})

    def page(self, view: View) -> Page:
        placed = place(views.COLUMNS, self.app.size.width - 1)
        cells = next((cells for column, _, cells in placed.places if column.id == views.STRIP), 0)
        self._shown = views.known(view, self.host, cells)
        if self.time.at is not None and not self._shown:
            return views.nothing_then(view, self.host, self._kept_times())
        return views.page(view, self.host, self._shown)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        found = (each for each in self._shown if isinstance(each, CounterRow) and each.key == key)
        return tuple(views.notes(next(found, None)))

    def _state(self) -> HostState | None:
        return next((state for state in self.console.states.newest() if state.host == self.host), None)

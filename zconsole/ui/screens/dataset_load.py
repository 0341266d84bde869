"""Screen of dataset I/O in a pool, live and in the last hour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.model.guests.guest import Guest
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import TimeTravel, WatchedPast
from zconsole.ui.screens_by_name import Want
from zconsole.views.guests.guests_on_dataset import load_lines
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.pools import dataset_load as views


class LoadScreen(ConsoleScreen):
    """Dataset I/O; the counters are read only while the screen is open."""

    PLACE = "load"
    ABOUT = ("host", "pool")
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self, host: str, pool: str) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self._ranking = views.Ranking()
        self._ranking_then = views.Ranking()
        self._guests = views.NO_GUESTS
        self._guests_read: tuple[Guest, ...] = ()
        past = WatchedPast(
            lambda: (host, pool), times=self._kept_times, lasts_s=self._lasts_s, view_at=self._view_at
        )
        self.time: TimeTravel = TimeTravel(self, past)

    def _kept_times(self) -> Sequence[float]:
        return self.console.states.load_times(self.host, self.pool)

    def _lasts_s(self) -> float:
        return views.lasts_s(self._kept_times())

    def _view_at(self, at: float) -> View | None:
        from zconsole.ui.past_host_states_with_findings import load_then  # noqa: PLC0415  # who never goes back needs none of it

        console = self.console
        recent = console.states.loads(self.host, self.pool, at, views.RANKED)
        self._ranking_then = views.ranked(recent, at)
        return load_then(
            console.states, console.config, (self.host, self.pool), self._ranking_then.sample, at
        )

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("objsets", self.host, self.pool), Want("guests", self.host)})

    def page(self, view: View) -> Page:
        if self.time.at is not None and self._ranking_then.sample is None:
            return views.nothing_then(view, self.host, self.pool, self._kept_times())
        host = view.host(self.host)
        if host is not None and self.time.at is None:
            self._take_in(guests_and_containers(host.state))
        guests = self._guests if self.time.at is None else views.NO_GUESTS  # they are of the present
        return views.page(view, self.host, self.pool, self._shown_ranking, guests)

    def _take_in(self, guests: tuple[Guest, ...]) -> None:
        """Index the guests where they were read again."""
        if guests is not self._guests_read:
            self._guests_read, self._guests = guests, GuestsByDataset(guests)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        told = tuple(views.notes(self._shown_ranking.find(key)))
        if key is None or self.time.at is not None:  # the guests' I/O is of the present
            return told
        return (*told[:1], *load_lines(self._guests, key), *told[1:])

    @property
    def _shown_ranking(self) -> views.Ranking:
        return self._ranking if self.time.at is None else self._ranking_then

    def action_open(self) -> None:
        """Open the dataset tree at the dataset under the cursor."""
        found = self._shown_ranking.find(self.rows.key)
        dataset = found.io.name if found is not None and found.datasets == 1 else None
        self.console.open("datasets", self.host, self.pool, dataset)

"""Who causes the load on a pool, live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.ui.keymap import bindings
from zconsole.ui.present import load as present
from zconsole.ui.present.cells import Line
from zconsole.ui.present.page import Page
from zconsole.ui.present.view import View
from zconsole.ui.screens.base import ConsoleScreen
from zconsole.ui.screens.drawn import Want


class LoadScreen(ConsoleScreen):
    """The counters are read while the screen is there, and not otherwise."""

    PLACE = "load"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, pool: str) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self._ranking = present.Ranking()

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("objsets", self.host, self.pool)})

    def page(self, view: View) -> Page:
        return present.page(view, self.host, self.pool, self._ranking)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return tuple(present.notes(self._ranking.find(key)))

    def action_open(self) -> None:
        """The dataset under the cursor among the others, to be acted on."""
        self.console.open_datasets(self.host, self.pool, self.rows.key)

"""A host's cache, write throttle, intent log and transaction groups, live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.ui.keymap import bindings
from zconsole.ui.present import arc as present
from zconsole.ui.present.arc_items import Item
from zconsole.ui.present.cells import Line
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import place
from zconsole.ui.present.view import View
from zconsole.ui.screens.base import ConsoleScreen
from zconsole.ui.screens.drawn import Want


class ArcScreen(ConsoleScreen):
    """The statistics are read while the screen is there; their past is kept when it is left."""

    PLACE = "arc"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host = host
        self._shown: tuple[Item | str, ...] = ()

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("arc", self.host)})

    def page(self, view: View) -> Page:
        placed = place(present.COLUMNS, self.app.size.width - 1)
        cells = next((cells for column, _, cells in placed.places if column.id == present.STRIP), 0)
        self._shown = present.known(view, self.host, cells)
        return present.page(view, self.host, self._shown)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        found = (each for each in self._shown if isinstance(each, Item) and each.key == key)
        return tuple(present.notes(next(found, None)))

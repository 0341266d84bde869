"""One pool: its vdev tree, live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.targets import target_of_pool, target_of_vdev
from zconsole.ui.keymap import bindings
from zconsole.ui.present import pool as present
from zconsole.ui.present.cells import Line
from zconsole.ui.present.columns import SETS, columns
from zconsole.ui.present.detail import notes
from zconsole.ui.present.history import History
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import place
from zconsole.ui.present.view import View
from zconsole.ui.screens.base import ConsoleScreen


class PoolScreen(ConsoleScreen):
    """The tree never reorders unless the user sorts."""

    PLACE = "pool"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, pool: str) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self._set = SETS["io"]
        self._history = History()
        self._about: present.Subject | None = None

    def page(self, view: View) -> Page:
        self._about = present.subject(view, self.host, self.pool, self._about)
        if self._about is None:
            return present.absent(view, self.host, self.pool, self._set)
        history = self._history if self._has_room_for_history() else None
        return present.page(self._about, view, self._set, history)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return notes(self._about, key)

    def _has_room_for_history(self) -> bool:
        """Whether the strip is shown; it is not drawn for nothing."""
        placed = place(columns(self._set), self.app.size.width - 1)
        return any(column.id == "history" for column, _, _ in placed.places)

    def action_datasets(self) -> None:
        """The pool's datasets."""
        self.console.open_datasets(self.host, self.pool)

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)

    def action_act(self) -> None:
        """What can be done to the vdev under the cursor, or to the pool."""
        node = self._about.node(self.rows.key or "") if self._about is not None else None
        if self._about is None:
            self.say("the pool has not been read yet", "dim")
        elif node is None:
            self.console.act(self.host, target_of_pool(self.pool))
        else:
            self.console.act(self.host, target_of_vdev(self._about.pool, node.vdev))

    def _choose(self, columns_id: str) -> None:
        self._set = SETS[columns_id]
        if self._sort not in {None, "vdev", "state"}:
            self._sort = None
        self.draw()
        self.say(f"columns: {self._set.title}", "dim")

    def action_columns_io(self) -> None:
        """Operations, bandwidth, waits, busy."""
        self._choose("io")

    def action_columns_latency(self) -> None:
        """Waits by queue."""
        self._choose("latency")

    def action_columns_queues(self) -> None:
        """Operations waiting and at the disk."""
        self._choose("queues")

    def action_columns_errors(self) -> None:
        """Errors and notes."""
        self._choose("errors")

    def action_columns_space(self) -> None:
        """Space."""
        self._choose("space")

    def action_columns_identity(self) -> None:
        """Serial numbers, models, paths."""
        self._choose("identity")

"""One pool's datasets and snapshots, to be acted on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target
from zconsole.ui.keymap import bindings
from zconsole.ui.present import datasets as present
from zconsole.ui.present.cells import Line
from zconsole.ui.present.page import Page
from zconsole.ui.present.view import View
from zconsole.ui.screens.base import ConsoleScreen


class DatasetsScreen(ConsoleScreen):
    """They are read while the screen is there, and not otherwise."""

    PLACE = "datasets"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, pool: str, dataset: str | None = None) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self._sought = dataset  # until it was there
        self._opened: set[str] = set()
        self._about: present.Subject | None = None

    def on_mount(self) -> None:
        self.console.source.want_datasets(self.host, self.pool, is_wanted=True)
        super().on_mount()

    def on_unmount(self) -> None:
        self.console.source.want_datasets(self.host, self.pool, is_wanted=False)

    def page(self, view: View) -> Page:
        self._about = present.subject(view, self.host, self.pool, self._about)
        if self._about is None:
            return present.absent(view, self.host, self.pool)
        return present.page(self._about, view, self._opened)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return present.notes(self._about, key, view)

    def draw(self) -> None:
        super().draw()
        if self._sought is not None and self._about is not None and self._is_ready:
            self.rows.put_on(self._sought)
            self._sought = None

    def action_open(self) -> None:
        """Show the snapshots of the dataset under the cursor, or hide them."""
        name = (self.rows.key or "").partition("@")[0].partition("#")[0]
        if self._about is None or not self._about.parts.get(name):
            self.say("it has no snapshots", "dim")
            return
        self._opened ^= {name}
        self.rows.put_on(name)
        self.draw()

    def action_expand(self) -> None:
        """Show all snapshots, or hide them all."""
        if self._about is not None:
            self._opened = set() if self._opened else set(self._about.parts)
            self.draw()

    def action_diff(self) -> None:
        """What differs between the snapshot under the cursor and now."""
        found = self._snapshots()
        if found is not None:
            self.console.open_diff(self.host, *found)

    def action_browse(self) -> None:
        """The files in the snapshot under the cursor."""
        found = self._snapshots()
        if found is not None:
            self.console.open_files(self.host, *found)

    def _snapshots(self) -> tuple[tuple[str, ...], str] | None:
        """The snapshots of the dataset under the cursor, and the one under it, or the newest."""
        key = self.rows.key or ""
        name = key.partition("@")[0].partition("#")[0]
        parts = self._about.parts.get(name, ()) if self._about is not None else ()
        names = tuple(each.name for each in parts if each.type == "snapshot")
        if not names:
            self.say("it has no snapshots", "dim")
            return None
        return names, key if key in names else names[-1]

    def action_load(self) -> None:
        """Which of them causes the load."""
        self.console.open_load(self.host, self.pool)

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)

    def action_act(self) -> None:
        """What can be done to the dataset or snapshot under the cursor."""
        target: Target | None = self._about.target(self.rows.key) if self._about is not None else None
        if target is not None:
            self.console.act(self.host, target)

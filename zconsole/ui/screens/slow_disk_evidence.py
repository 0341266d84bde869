"""Evidence on a slow disk: the verdict, as it was when the screen was opened, and the guests that wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, target_of_vdev
from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.model.pools.iostat import IoSample
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.findings.slow_disk_phrases import clock, short
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.pools import pool_page as pool_present
from zconsole.views.pools.vdev_detail import slow_disk_lines
from zconsole.views.pools.vdev_rows import VdevRow


class WhyScreen(TextScreen):
    """Verdict with its evidence, as it was when the screen was opened."""

    PLACE = "why"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, about: pool_present.ShownPool, node: VdevRow) -> None:
        super().__init__()
        self._about = about
        self._node = node
        self._guests = guests_and_containers(about.host.state)

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("guests", self._about.host.state.host)})

    def page(self, view: View) -> Page:
        found = view.host(self._about.host.state.host)
        if found is not None:
            self._guests = guests_and_containers(found.state)
        return super().page(view)

    def heading(self) -> tuple[Line, Line]:
        name = self._node.vdev.name
        about = self._about
        return (
            line(
                (about.host.name, "title"),
                (" · ", "dim"),
                (about.pool.name, "title"),
                (" · ", "dim"),
                (name, "title"),
            ),
            line((f"why {short(name)} is said to be slow", "dim"), *_as_of(about.sample)),
        )

    def acted_on(self) -> tuple[str, Target] | str:
        """The disk: to take it offline, replace it, locate it."""
        return self._about.host.state.host, target_of_vdev(self._about.pool, self._node.vdev)

    def action_repair(self) -> None:
        """Open the repair of the disk."""
        target = target_of_vdev(self._about.pool, self._node.vdev)
        self.console.repair_device(self._about.host.state.host, target)

    def serial(self) -> str:
        return pool_present.serial_of(self._about, self._node)

    def text(self) -> Sequence[Line]:
        return tuple(slow_disk_lines(self._about, self._node, self._guests))


def _as_of(sample: IoSample | None) -> tuple[tuple[str, str], ...]:
    return () if sample is None else ((f", as of {clock(sample.at)} UTC", "dim"),)

"""Latency screen of one vdev beside its siblings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, target_of_pool, target_of_vdev
from zconsole.analysis.vdevs.latency_quantiles import Spreads
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import SampledPast, TimeTravel
from zconsole.ui.screens_by_name import Want
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import place
from zconsole.views.pools import pool_page as pool_present
from zconsole.views.pools import vdev_latency_and_request_sizes as views
from zconsole.views.pools.vdev_columns import SETS
from zconsole.views.pools.vdev_rows import VdevRow


class LatencyScreen(ConsoleScreen):
    """Histograms of a vdev and its siblings, class by class; `vdev` None is the pool and its vdevs."""

    PLACE = "latency"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self, host: str, pool: str, vdev: str | None) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self._vdev = vdev
        self._kind = views.LATENCIES
        self._spreads = Spreads()
        self._subject: pool_present.ShownPool | None = None
        self._about: views.About | None = None
        self.time = TimeTravel(self, SampledPast(self.console, lambda: (host, pool)))

    def wants(self) -> frozenset[Want]:
        return frozenset({Want(self._kind.id, self.host, self.pool)})

    def page(self, view: View) -> Page:
        self._subject = pool_present.subject(view, self.host, self.pool, self._subject)
        self._about = views.about(self._subject, self._vdev) if self._subject is not None else None
        if self._about is None:
            return pool_present.absent(view, self.host, self.pool, SETS["io"])
        self._spreads.take_in(views.readings(self._about, self._kind).value or ())
        return views.page(self._about, view, self._kind, self._spreads, self._strip_cells())

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        if self._about is None:
            return ()
        return tuple(views.notes(self._about, self._kind, self._spreads, key))

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._vdev, self._kind.id

    def _strip_cells(self) -> int:
        placed = place(views.columns(self._kind), self.app.size.width - 1)
        return next((cells for column, _, cells in placed.places if column.id == views.STRIP), 0)

    def is_behind(self) -> bool:
        return self._spreads.is_behind

    def action_latencies(self) -> None:
        """Show wait times."""
        self._choose(views.LATENCIES)

    def action_sizes(self) -> None:
        """Show request sizes."""
        self._choose(views.SIZES)

    def shown_view(self) -> str:
        return "latencies" if self._kind is views.LATENCIES else "sizes"

    def _choose(self, kind: views.HistogramView) -> None:
        self._kind = kind
        self._spreads = Spreads()
        self.console.want(self.wants())
        self.draw()
        self.say(kind.title, "dim")

    def action_open(self) -> None:
        """Show the vdev under the cursor beside its own siblings."""
        member = self._member()
        if member is not None:
            self._vdev = None if member.key == views.POOL else member.name
            self.draw()

    def _node(self) -> VdevRow | None:
        """The vdev under the cursor, or that of the screen."""
        if self._subject is None or self._about is None:
            return None
        member = self._member()
        return self._subject.node(member.key) if member is not None else self._about.node

    def unusable(self) -> frozenset[str]:
        """The evidence on a disk that was never slow."""
        node = self._node()
        has_verdict = self._subject is not None and node is not None and self._subject.verdicts_on(node)
        return frozenset() if has_verdict else frozenset({"why"})

    def serial(self) -> str:
        node = self._node()
        return pool_present.serial_of(self._subject, node) if self._subject and node else ""

    def action_why(self) -> None:
        """Show why the disk under the cursor, or that of the screen, is called slow."""
        if self._subject is not None:
            self.console.open_why(self._subject, self._node())

    def action_repair(self) -> None:
        """Open the repair of the disk of the screen; of a sound disk plan its replacement."""
        node = self._about.node if self._about is not None else None
        if self._subject is None or node is None or not node.vdev.is_leaf:
            self.console.repair_pool(self.host, self.pool)
        else:
            self.console.repair_device(self.host, target_of_vdev(self._subject.pool, node.vdev))

    def acted_on(self) -> tuple[str, Target] | str:
        """The vdev of the screen, or its pool."""
        if self._subject is None or self._about is None:
            return "the pool has not been read yet"
        node = self._about.node
        return self.host, (
            target_of_pool(self.pool) if node is None else target_of_vdev(self._subject.pool, node.vdev)
        )

    def _member(self) -> views.LatencyRow | None:
        """The row under the cursor."""
        key = (self.rows.key or "").partition(" ")[2]
        members = self._about.members if self._about is not None else ()
        return next((each for each in members if each.key == key), None)

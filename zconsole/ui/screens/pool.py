"""Pool screen: its vdev tree, live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, target_of_pool, target_of_vdev
from zconsole.analysis.vdevs.latency_quantiles import Spreads
from zconsole.model.past_states_and_latency_strips import Strips
from zconsole.model.pools.pool import Vdev
from zconsole.model.repair import RepairTrouble
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import SampledPast, TimeTravel
from zconsole.ui.screens_by_name import Want
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import ColumnSet, place
from zconsole.views.pools import pool_page as views
from zconsole.views.pools.latency_heatmap import ZOOMS_S, Heat, title
from zconsole.views.pools.vdev_columns import HEAT, MEANS, SETS, VdevFacts
from zconsole.views.pools.vdev_detail import notes
from zconsole.views.pools.vdev_rows import VdevRow


class PoolScreen(ConsoleScreen):
    """Vdev tree that never reorders unless the user sorts."""

    PLACE = "pool"
    NOTES = (4, 8)
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self, host: str, pool: str, vdev: str = "") -> None:
        """`vdev`: the key of the row on which the cursor stands first."""
        super().__init__()
        self._first = vdev
        self.host = host
        self.pool = pool
        self._set = SETS["io"]
        self._heat = Heat()
        self._zoom_s = ZOOMS_S[0]
        self._spreads = Spreads()
        self._about: views.ShownPool | None = None
        past = SampledPast(self.console, lambda: (host, pool))
        self.time: TimeTravel = TimeTravel(self, past, not_of_then=self._not_of_then)

    def _not_of_then(self) -> str:
        return {"latency": "p50, p99, max not kept", "identity": "disks as of now"}.get(self._set.id, "")

    @property
    def _columns(self) -> ColumnSet[VdevFacts]:
        """The visible columns; in the past, without those that have no history."""
        return MEANS if self.time.at is not None and self._set.id == MEANS.id else self._set

    def draw(self) -> None:
        """Draw, and once the vdev is there for which the screen was opened, put the cursor on it."""
        super().draw()
        if self._first and self._about is not None and self._about.node(self._first) is not None:
            self.rows.put_on(self._first)
            self._first = ""

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("latency", self.host, self.pool)} if self._set.id == "latency" else ())

    def is_behind(self) -> bool:
        return self._set.id == "latency" and self._spreads.is_behind

    def page(self, view: View) -> Page:
        self._about = views.subject(view, self.host, self.pool, self._about)
        if self._about is None:
            return views.absent(view, self.host, self.pool, self._columns)
        return views.page(self._about, view, self._columns, self._drawn(self._about, view))

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return notes(self._about, key)

    def _drawn(self, about: views.ShownPool, view: View) -> views.VdevHistory:
        """Update the data of the visible columns, and nothing else."""
        if self._set.id == "latency":
            self._spreads.take_in(about.state.latencies.value or ())
            return views.VdevHistory(spreads=self._spreads)
        cells = self._strip_cells()
        if not cells or about.sample is None:
            return views.VdevHistory()
        cell_s = max(self._zoom_s if self._set.id == HEAT else ZOOMS_S[0], view.interval_s)
        ask = partial(self._ask_strips, self.host, self.pool)
        self._heat.take_in(ask, about.sample.at, cell_s, cells)
        ends = None if self.time.at is None else self.time.at // cell_s * cell_s
        wide = self._set.id == HEAT
        return views.VdevHistory(self._heat, strip_title=title(cells, cell_s, ends) if wide else None)

    def _ask_strips(self, host: str, pool: str, until: float, seconds: float, cells: int) -> Strips | None:
        return self.console.states.strips(host, pool, until=until, seconds=seconds, columns=cells)

    def _strip_cells(self) -> int:
        """The width of the visible strip; 0 where none is visible, and then none is drawn."""
        placed = place(self._set.columns, self.app.size.width - 1)
        return next((cells for column, _, cells in placed.places if column.id == HEAT), 0)

    def subject(self) -> tuple[str, str]:
        return self.host, self.pool

    def unusable(self) -> frozenset[str]:
        """The evidence on a disk that was never slow."""
        node = self._about.node(self.rows.key or "") if self._about is not None else None
        has_verdict = self._about is not None and node is not None and bool(self._about.verdicts_on(node))
        return frozenset() if has_verdict else frozenset({"why"})

    def serial(self) -> str:
        node = self._about.node(self.rows.key or "") if self._about is not None else None
        return views.serial_of(self._about, node) if self._about is not None and node is not None else ""

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)

    def acted_on(self) -> tuple[str, Target] | str:
        """The vdev under the cursor, or the pool."""
        if self._about is None:
            return "the pool has not been read yet"
        node = self._about.node(self.rows.key or "")
        return self.host, (
            target_of_pool(self.pool) if node is None else target_of_vdev(self._about.pool, node.vdev)
        )

    def action_histograms(self) -> None:
        """Show the latency of the vdev under the cursor, beside its siblings."""
        node = self._about.node(self.rows.key or "") if self._about is not None else None
        if node is not None and node.vdev.is_leaf and self._is_in_repair(node.vdev):
            self.action_repair()
        elif self._about is not None:
            self.console.open_latency(self.host, self.pool, node.vdev.name if node is not None else None)

    def _is_in_repair(self, vdev: Vdev) -> bool:
        """Whether Enter leads to the repair; of a disk that is only slow it shows how slow."""
        found = self.console.repairs.of_device(self.host, self.pool, str(vdev.guid), vdev.name)
        return found is not None and found.trouble is not RepairTrouble.SLOW

    def action_open(self) -> None:
        """Open the row; a click opens the same screen as Enter."""
        self.action_histograms()

    def action_why(self) -> None:
        """Show why the disk under the cursor is called slow."""
        if self._about is not None:
            self.console.open_why(self._about, self._about.node(self.rows.key or ""))

    def action_repair(self) -> None:
        """Open the repair of the disk under the cursor; of a sound disk or vdev what can be done with it."""
        node = self._about.node(self.rows.key or "") if self._about is not None else None
        if self._about is None:
            self.say("the pool has not been read yet", "dim")
        elif node is None:
            self.console.repair_pool(self.host, self.pool)
        elif node.vdev in self._about.pool.vdevs or not node.vdev.is_leaf:
            self.console.repair_vdev(self.host, self._about.pool, node.vdev)
        else:
            self.console.repair_device(self.host, target_of_vdev(self._about.pool, node.vdev))

    def _to_next(self, step: int) -> None:
        """Go to the next vdev with a problem; of a filter to the next match."""
        if self._about is None or self._shape.words:
            super()._to_next(step)
            return
        keys = views.troubled(self._about)
        if not keys:
            self.say("no findings on any vdev", "dim")
            return
        order = [each.key for each in self._about.order if isinstance(each, VdevRow)]
        at = order.index(self.rows.key) if self.rows.key in order else -1
        behind = [key for key in keys if order.index(key) > at]
        before = [key for key in reversed(keys) if order.index(key) < at]
        self.rows.put_on((behind or keys)[0] if step > 0 else (before or keys[::-1])[0])

    def shown_view(self) -> str:
        return f"columns_{self._set.id}"

    def _choose(self, columns_id: str) -> None:
        self._set = SETS[columns_id]
        self.console.want(self.wants())
        if self._shape.column not in {None, "vdev", "state"}:
            self._shape = replace(self._shape, column=None)
        self.draw()
        self.say(f"columns: {self._columns.title}", "dim")

    def action_columns_io(self) -> None:
        """Show operations, bandwidth, waits, busy."""
        self._choose("io")

    def action_columns_latency(self) -> None:
        """Show waits by queue."""
        self._choose("latency")

    def action_columns_heat(self) -> None:
        """Show the latency heatmap; again for a longer time."""
        if self._set.id == HEAT:
            self._zoom_s = ZOOMS_S[(ZOOMS_S.index(self._zoom_s) + 1) % len(ZOOMS_S)]
        self._choose(HEAT)

    def action_columns_queues(self) -> None:
        """Show operations waiting and at the disk."""
        self._choose("queues")

    def action_columns_errors(self) -> None:
        """Show errors and notes."""
        self._choose("errors")

    def action_columns_space(self) -> None:
        """Show space."""
        self._choose("space")

    def action_columns_identity(self) -> None:
        """Show serial numbers, models, paths."""
        self._choose("identity")

"""Row of a host and of a group: sums where there are some, otherwise the pool that matters first."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.findings.care.replication_cases import STALE
from tests.ui import states
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.forecast import Forecast, LevelReached, Trend
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.pool import Pool
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.pools.host_and_group_rows import HostsRowFacts, row_cells
from zconsole.views.pools.pool_columns import columns

DAY = 86_400.0


def pool(name: str, days: float | None, fragmentation: int | None) -> PoolState:
    """A pool that reaches 80 % after so many days; None: beyond ten years."""
    value: Pool = replace(states.tank(), name=name, fragmentation_percent=fragmentation)
    likely = None if days is None else states.NOW + days * DAY
    trend = Trend(
        1.0, 0.5, 2.0, (LevelReached(percent=80, level_bytes=8, is_reached=False, likely=likely),), ()
    )
    told = Forecast("nas1", name, states.NOW, 5, 10, trend=trend)
    return states.pool_state(value, forecast=Reading(told, states.TICKS))


def texts(state: HostState) -> dict[str, str]:
    """The texts of the row of a host, by the column."""
    host = HostView(state)
    view = View((host,), states.NOW, states.TICKS)
    shown = HostsRowFacts("nas1", (host,), view, is_folded=True)
    return {each.id: cell.text for each, cell in zip(columns(), row_cells(shown, columns()), strict=True)}


def test_of_several_pools_the_one_that_fills_first_and_the_most_fragmented() -> None:
    found = texts(states.host("nas1", pool("tank", 400, 12), pool("bulk", 12, 40), pool("vault", None, None)))

    assert ("12d", "40%") == (found["filled"], found["frag"])


def test_a_level_beyond_ten_years_is_told_and_what_is_not_known_is_not() -> None:
    assert ">10y" == texts(states.host("nas1", pool("tank", None, None)))["filled"]
    unknown = texts(
        states.host("nas1", states.pool_state(replace(states.tank(), fragmentation_percent=None)))
    )
    assert ("·", "·", "·") == (unknown["filled"], unknown["frag"], unknown["copies"])


def test_late_copies_come_before_current_ones_and_these_before_none() -> None:
    host = states.host("nas1", pool("tank", 1, 1), pool("bulk", 1, 1))
    seen = ReplicationSeen("nas1", states.NOW, (STALE,), sent=("tank/a", "bulk/a"))
    fine = ReplicationSeen("nas1", states.NOW, (), sent=("bulk/a",))

    assert "4d15h late" == texts(replace(host, replication=Reading(seen, states.TICKS)))["copies"]
    assert "current" == texts(replace(host, replication=Reading(fine, states.TICKS)))["copies"]

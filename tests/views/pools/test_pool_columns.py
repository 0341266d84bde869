"""Columns of the list of pools: capacity, the time until 80 %, copies."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.analysis.findings.care.replication_cases import CUT, DIVERGED, STALE
from tests.ui import states
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.notifications.silences import Silence
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding
from zconsole.model.forecast import Forecast, LevelReached, Trend
from zconsole.model.host.host_state import HostState, Reading
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import Cell, Row, draw, place
from zconsole.views.pools import pool_list
from zconsole.views.pools.folded_hosts_and_groups import ListRoom

DAY = 86_400.0


def cell(state: HostState, column: str, room: ListRoom = pool_list.EVERY_ROW) -> Cell:
    table = pool_list.page(View((HostView(state),), states.NOW, states.TICKS), room).table
    return table.rows[0].cells[[each.id for each in table.columns].index(column)]


def forecast(**passing: object) -> HostState:
    level = LevelReached(**({"percent": 80, "level_bytes": 8, "is_reached": False, "likely": None} | passing))  # type: ignore[arg-type]
    trend = Trend(1.0, 0.5, 2.0, (level,), ())
    told = Forecast("storage1", "tank", states.NOW, 5, 10, trend=trend)
    return states.host("storage1", states.pool_state(states.tank(), forecast=Reading(told, states.TICKS)))


def compared(*found: Finding, sent: tuple[str, ...] = ()) -> HostState:
    seen = ReplicationSeen("nas1", states.NOW, found, sent=sent)
    host = states.host("nas1", states.pool_state(states.tank()))
    return replace(host, replication=Reading(seen, states.TICKS))


@pytest.mark.parametrize(
    ("expected", "passing"),
    [
        ("12d", {"likely": states.NOW + 12 * DAY}),
        ("400d", {"likely": states.NOW + 400 * DAY}),
        (">10y", {}),
        ("above", {"is_reached": True}),
    ],
)
def test_the_time_until_80_percent(expected: str, passing: dict[str, object]) -> None:
    assert expected == cell(forecast(**passing), "filled").text


def test_soon_is_marked() -> None:
    assert "▲" in cell(forecast(likely=states.NOW + 12 * DAY), "filled").tail
    assert "" == cell(forecast(likely=states.NOW + 400 * DAY), "filled").tail


@pytest.mark.parametrize(
    ("expected", "state"),
    [
        ("·", states.host("nas1", states.pool_state(states.tank()))),
        ("none", compared()),
        ("current", compared(sent=("tank/a",))),
        ("none", compared(sent=("other/a",))),
        ("4d15h late", compared(STALE, sent=("tank/a",))),
        ("diverged", compared(DIVERGED, sent=("tank/a",))),
        ("cut", compared(CUT, sent=("tank/a",))),
        ("none", compared(replace(STALE, evidence={**STALE.evidence, "host": "nas2"}))),
    ],
)
def test_the_copies_of_a_pool(expected: str, state: HostState) -> None:
    assert expected == cell(state, "copies").text


def shown_columns(cells: int, *hosts: HostState) -> list[str]:
    view = View(tuple(map(HostView, hosts)), states.NOW, states.TICKS)
    return [column.id for column, _, _ in place(pool_list.page(view).table.columns, cells).places]


@pytest.mark.parametrize("cells", [80, 120, 160, 250])
def test_a_column_of_which_no_cell_can_tell_anything_is_left_out_and_no_other_comes(cells: int) -> None:
    unknown = states.host("nas2", states.pool_state(states.tank()))
    both = shown_columns(cells, unknown, forecast(is_reached=True), compared())

    assert [each for each in both if each not in {"filled", "copies"}] == shown_columns(cells, unknown)
    dated = shown_columns(cells, unknown, forecast(is_reached=True))
    assert [each for each in both if each != "copies"] == dated


def test_beside_a_host_that_was_compared_an_unknown_one_says_nothing_of_copies() -> None:
    unknown = states.host("nas2", states.pool_state(states.tank()))
    view = View((HostView(compared()), HostView(unknown)), states.NOW, states.TICKS)

    table = pool_list.page(view).table
    at = [each.id for each in table.columns].index("copies")

    assert ["none", "·"] == [row.cells[at].text for row in table.rows if row.depth]


def test_what_snapshots_hold_is_a_part_of_the_bar() -> None:
    state = states.healthy()
    usable = states.tank().usable_bytes or 0
    room = ListRoom(10, snapshot_bytes={("storage1", "tank"): usable // 5})

    assert "██████░░│░" == plain(cell(state, "capacity", ListRoom(10)).spans)
    assert "████▓▓░░│░" == plain(cell(state, "capacity", room).spans)


def test_a_silence_does_not_hide_what_was_measured() -> None:
    """The row says which device failed and how far the resilver is, without the colour of a finding."""
    state = states.degraded()
    found = findings(state, states.NOW, Thresholds())
    moment = datetime.fromtimestamp(states.NOW, UTC)
    silenced = tuple(
        SilencedFinding(each, Silence("storage1", each.id, each.subject, "known", moment, moment))
        for each in found
        if each.evidence.get("pool") == "bulk"
    )
    left = tuple(each for each in found if each.evidence.get("pool") != "bulk")

    spoken, silent = now_of(HostView(state, found)), now_of(HostView(state, left, silenced=silenced))

    assert "ZL2F0A91 FAULTED, ZL2F0B17 OFFLINE, resilver 41%" in spoken.text
    assert spoken.text.startswith(silent.text)
    assert ("bad", "info") == (spoken.style, silent.style)


def now_of(host: HostView) -> Cell:
    """What the row of the pool says that goes on."""
    table = pool_list.page(View((host,), states.NOW, states.TICKS)).table
    row = next(each for each in table.rows if each.cells and each.cells[0].text == "bulk")
    return row.cells[[each.id for each in table.columns].index("now")]


def test_in_a_narrow_row_serials_lose_letters_before_the_state_of_a_disk_is_cut() -> None:
    state = states.degraded()
    table = pool_list.page(
        View((HostView(state, findings(state, states.NOW, Thresholds())),), states.NOW, states.TICKS)
    ).table
    row = next(each for each in table.rows if each.cells and each.cells[0].text == "bulk")
    now = replace(next(each for each in table.columns if each.id == "now"), grows_to=None)
    cell = row.cells[[each.id for each in table.columns].index("now")]

    def shown(cells: int) -> str:
        column = replace(now, width=cells)
        return plain(draw(Row("a", (cell,)), place((column,), cells))).strip()

    assert "ZL2F0A91 FAULTED, ZL2F0B17 OFFLINE" == shown(34)
    assert "…0A91 FAULTED, …0B17 OFFLINE…" == shown(33)
    assert shown(30).startswith("…0A91 FAULTED, …0B17 OFFLINE")

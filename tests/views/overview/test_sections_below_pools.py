"""Sections below the pools: what there is room for, and no row more."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.ui import states, watched
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.finding_thresholds import Thresholds
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.overview.disk_wall import Shown, wall_of
from zconsole.views.overview.pool_overview import PoolOverview
from zconsole.views.overview.sections_below_pools import LEAST_ROWS, NOTHING_TOLD, Room, ToldBelow, sections


def drawn(cells: int, rows: int, host: HostView | None = None, below: ToldBelow = NOTHING_TOLD) -> list[str]:
    host = host or HostView(states.degraded())
    view = View((host,), states.NOW, states.TICKS)
    pools = [
        PoolOverview(
            host,
            Shown(wall_of(value, each.sample), each, watched.strips(value), sample=each.sample),
            watched.bandwidth(),
        )
        for each in host.state.pools
        if (value := each.pool.value) is not None
    ]
    found = sections(view, pools, Room(cells, rows), below)
    assert all(not row.is_selectable for row in found)
    assert all(row.line is not None and line_width(row.line) <= cells for row in found)
    assert len({row.key for row in found}) == len(found)
    return [plain(row.line or ()) for row in found]


def headings(lines: list[str]) -> list[str]:
    return [each.split()[1] for each in lines if each.startswith("── ")]


@pytest.mark.parametrize("rows", [*range(60), 90, 200])
@pytest.mark.parametrize("cells", [40, 79, 118, 160, 250])
def test_never_more_rows_than_there_are(cells: int, rows: int) -> None:
    assert len(drawn(cells, rows)) <= rows


def test_the_wall_comes_first_where_not_all_fits() -> None:
    assert ["disks"] == headings(drawn(118, 5))
    assert ["load", "disks"] == headings(drawn(118, 9))
    assert ["load", "disks", "last"] == headings(drawn(118, 40))


def test_lines_that_are_left_out_are_counted() -> None:
    assert "… 2 more lines" == drawn(118, 3)[-1]


def test_a_scan_is_a_gauge_below_its_pool() -> None:
    lines = drawn(118, 40)

    assert 1 == sum("█░" in each and "resilver" in each for each in lines)


def test_a_very_tall_terminal_lists_the_disks_that_waited_longest() -> None:
    lines = drawn(250, 70)

    begin = next(at for at, each in enumerate(lines) if each.startswith("── longest waits"))
    waits = [
        float(found[1]) for each in lines[begin + 1 :] if (found := re.search(r" ([\d.]+) ms  most", each))
    ]
    assert len(waits) > LEAST_ROWS
    assert sorted(waits, reverse=True) == waits
    assert "longest" not in headings(drawn(118, 200))


def test_a_finding_that_is_wider_than_the_terminal_goes_on_below_itself() -> None:
    state = states.degraded()
    narrow = drawn(60, 60, HostView(state, findings(state, states.NOW, Thresholds())))

    begin = next(at for at, each in enumerate(narrow) if each.startswith("── findings"))
    told = narrow[begin + 1 :]
    assert any(each.startswith("  ") for each in told)
    assert not any(each.endswith("…") for each in told if each.startswith(("✗", "▲")))


def test_findings_that_the_details_tell_are_not_told_twice_but_those_of_another_host_are() -> None:
    host = HostView(states.degraded(), findings(states.degraded(), states.NOW, Thresholds()))
    other = replace(host, state=replace(host.state, host="storage9"))
    told = tuple(line_with_serials(each, host=host.state.host) for each in told_once(folded(host.findings)))
    first = plain(told[0])

    def below(*hosts: HostView) -> list[str]:
        view = View(hosts, states.NOW, states.TICKS)
        rows = sections(view, (), Room(160, 60), ToldBelow(host.state.host, told[:2]))
        return [plain(row.line or ()) for row in rows]

    alone, both = below(host), below(host, other)
    assert any(each.startswith("── other findings") for each in alone)
    assert not any(first in each for each in alone)
    assert [f"storage9 {first}"] == [each for each in both if first in each]


@pytest.mark.parametrize("rows", [24, 34, 50, 64])
def test_nothing_above_the_findings_moves_with_the_cursor(rows: int) -> None:
    host = HostView(states.degraded(), findings(states.degraded(), states.NOW, Thresholds()))
    told = tuple(line_with_serials(each, host=host.state.host) for each in told_once(folded(host.findings)))

    def above(below: ToldBelow) -> list[str]:
        lines = drawn(160, rows, host, below)
        return lines[: next(at for at, each in enumerate(lines) if "findings" in each)]

    assert above(NOTHING_TOLD) == above(ToldBelow(host.state.host, told[:5]))


@pytest.mark.parametrize("events", [0, 3, 12])
@pytest.mark.parametrize("cells", [79, 118])
def test_no_line_is_left_out_while_rows_stay_empty(cells: int, events: int) -> None:
    """Findings have the rows that events, space and graphs do not take."""
    state = replace(states.with_disks(), events=states.events()[:events])
    host = HostView(state, findings(state, states.NOW, Thresholds()))
    shown = {rows: drawn(cells, rows, host) for rows in range(8, 60)}
    left_out = {
        rows: len(lines) for rows, lines in shown.items() if any("more line" in each for each in lines)
    }

    assert left_out
    assert all(rows == lines for rows, lines in left_out.items()), left_out

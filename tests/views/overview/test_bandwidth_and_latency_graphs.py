"""Graphs of a pool: fixed scales, the last value beside them, the disk that stands out."""

from __future__ import annotations

import pytest

from tests.ui import states, watched
from zconsole.model.past_states_and_latency_strips import Bandwidth
from zconsole.views.layout.styled_text import BLOCKS, Line, line, line_width, plain
from zconsole.views.overview.bandwidth_and_latency_graphs import (
    MOST_CELLS,
    NARROWEST,
    WAIT,
    WITH_WORST,
    GraphRoom,
    gauge_line,
    graph_cells,
    graph_lines,
    legend,
)
from zconsole.views.overview.disk_wall import Shown, wall_of

LEAD = line("tank      ")
MIB = float(1 << 20)


def drawn_line(cells: int, past: Bandwidth | None, *, has_worst: bool = True) -> Line:
    (drawn,) = graph_lines(LEAD, GraphRoom(cells, has_worst=has_worst), past, shown())
    return drawn


def shown() -> Shown:
    pool, state = states.tank(), watched.slow().pools[0]
    return Shown(wall_of(pool, state.sample), state, watched.strips(pool))


def test_the_scale_does_not_move_with_the_values() -> None:
    values = (0.0, 1 * MIB, 5 * MIB, 70 * MIB, 9000 * MIB)

    told = plain(drawn_line(5, Bandwidth(0.0, values, values[::-1])))

    assert "read  ▂▃▅█ 8.79 GiB/s" in told
    assert "write █▅▃▂       0 B/s" in told


def test_the_slow_disk_is_named() -> None:
    assert "…ZL2F0C44 5.4x its peers" in plain(drawn_line(5, None))


def test_where_nobody_looked_there_is_a_gap_and_no_zero() -> None:
    told = plain(drawn_line(3, Bandwidth(0.0, (None, None, None), (None, None, None))))

    assert "read              ·" in told


@pytest.mark.parametrize("cells", range(NARROWEST, 260, 7))
def test_three_graphs_fit_in_any_width(cells: int) -> None:
    wide = graph_cells(cells, 10)

    assert 0 < wide <= MOST_CELLS
    drawn = drawn_line(wide, watched.bandwidth(), has_worst=cells >= WITH_WORST)
    assert line_width(drawn) <= cells


def test_the_legend_has_the_time_and_both_scales() -> None:
    assert "last 2m00s · 1-4k MiB/s · wait ▁.4 ▄6 ▆40 █100 ms" == legend(12)


def test_what_runs_is_never_full() -> None:
    assert "░ resilver 99.9%" in plain(gauge_line((), 80, 99.99, "resilver 99.9%"))


def test_a_tall_graph_has_the_ends_of_its_scale_and_the_height_of_its_value() -> None:
    values = (1 * MIB, 64 * MIB, 4096 * MIB)
    lines = [
        plain(each)
        for each in graph_lines(LEAD, GraphRoom(3, rows=4), Bandwidth(0.0, values, values), shown())
    ]

    assert [" ", " ", " ", "▅"] == [each[15] for each in lines]
    assert [" ", "▁", "█", "█"] == [each[16] for each in lines]
    assert ["▅", "█", "█", "█"] == [each[17] for each in lines]
    assert ["tank      read ", "            4G┤", "              │", "            1M┤"] == [
        each[:15] for each in lines
    ]


@pytest.mark.parametrize("rows", [1, 3, 8])
@pytest.mark.parametrize("value", [0.01, 0.4, 3.0, 40.0, 99.0, 1e9])
def test_a_bar_of_one_row_is_the_block_of_its_value(value: float, rows: int) -> None:
    eighths = WAIT.eighths(value, rows)

    assert 1 <= eighths <= 8 * rows
    if rows == 1:
        assert BLOCKS[eighths - 1] == WAIT.block(value)

"""Graphs of a pool: fixed scales, the last value beside them, the disk that stands out."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.ui import states, watched
from zconsole.model.past_states_and_latency_strips import Bandwidth
from zconsole.model.pools.iostat import IoRow, IoSample, Latency
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


def last_values(past: Bandwidth | None, **changes: object) -> list[str]:
    """The last value of each graph."""
    asked = replace(shown(), strips=None, **changes)  # type: ignore[arg-type]
    (drawn,) = graph_lines(LEAD, GraphRoom(3, has_worst=False), past, asked)
    return re.split(r"read |write |wait ", re.sub(r" +", " ", plain(drawn)))[1:]


def test_idle_is_only_what_was_looked_at_and_did_nothing() -> None:
    nothing, unknown = (0.0,) * 3, (0.0, 0.0, None)

    assert "idle" == last_values(Bandwidth(0.0, nothing, nothing))[2].strip()
    assert "·" == last_values(Bandwidth(0.0, nothing, (0.0, 0.0, 5 * MIB)))[2].strip()
    assert ["·", "·", "·"] == [each.strip() for each in last_values(Bandwidth(0.0, unknown, unknown))]
    assert ["·", "·", "·"] == [each.strip() for each in last_values(None)]


def test_where_samples_are_further_apart_than_cells_the_newest_one_tells_the_values() -> None:
    unknown = Bandwidth(0.0, (None,) * 3, (None,) * 3)
    latency = Latency(disk_read=8_400_000.0, disk_write=140_000_000.0)
    row = IoRow("tank", None, None, 9.0, 9.0, 5 * MIB, 0.0, latency)
    sample = IoSample("tank", 0.0, (row,))

    told = last_values(unknown, sample=sample, is_unread=True)
    assert ["5.00 MiB/s", "0 B/s", "140 ms"] == [each.strip() for each in told]
    old = last_values(unknown, sample=sample, is_unread=True, is_old=True)
    assert ["·", "·", "·"] == [each.strip() for each in old]


@pytest.mark.parametrize("cells", range(NARROWEST, 260, 7))
def test_three_graphs_fit_in_any_width(cells: int) -> None:
    wide = graph_cells(cells, 10)

    assert 0 < wide <= MOST_CELLS
    drawn = drawn_line(wide, watched.bandwidth(), has_worst=cells >= WITH_WORST)
    assert line_width(drawn) <= cells


def test_the_legend_has_the_time_and_both_scales() -> None:
    assert "last 2m · log scale 1 to 4096 MiB/s · wait ▁≤.4 ▄≤6 ▆≤40 █>100 ms" == legend(12)


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


@pytest.mark.parametrize("rows", [5, 6, 7, 8])
def test_the_middle_tick_is_at_the_row_that_a_value_of_it_reaches(rows: int) -> None:
    values = (64 * MIB,)
    lines = [
        plain(each)
        for each in graph_lines(LEAD, GraphRoom(1, rows=rows), Bandwidth(0.0, values, values), shown())
    ]

    top = next(each for each in lines if each[15] != " ")
    assert "64M┤" in top[:15]
    assert "6┤" in top
    assert 1 == sum("64M┤" in each for each in lines)


@pytest.mark.parametrize("rows", [1, 3, 8])
@pytest.mark.parametrize("value", [0.01, 0.4, 3.0, 40.0, 99.0, 1e9])
def test_a_bar_of_one_row_is_the_block_of_its_value(value: float, rows: int) -> None:
    eighths = WAIT.eighths(value, rows)

    assert 1 <= eighths <= 8 * rows
    if rows == 1:
        assert BLOCKS[eighths - 1] == WAIT.block(value)

"""Graphs of a pool: fixed scales, the last value beside them, the disk that stands out."""

from __future__ import annotations

import pytest

from tests.ui import states, watched
from zconsole.model.past_states_and_latency_strips import Bandwidth
from zconsole.views.layout.styled_text import line, line_width, plain
from zconsole.views.overview.bandwidth_and_latency_graphs import (
    MOST_CELLS,
    NARROWEST,
    WITH_WORST,
    gauge_line,
    graph_cells,
    graph_line,
    legend,
)
from zconsole.views.overview.disk_wall import Shown, wall_of

LEAD = line("tank      ")
MIB = float(1 << 20)


def shown() -> Shown:
    pool, state = states.tank(), watched.slow().pools[0]
    return Shown(wall_of(pool, state.sample), state, watched.strips(pool))


def test_the_scale_does_not_move_with_the_values() -> None:
    values = (0.0, 1 * MIB, 5 * MIB, 70 * MIB, 9000 * MIB)

    told = plain(graph_line(LEAD, 5, Bandwidth(0.0, values, values[::-1]), shown()))

    assert "read  ▂▃▅█ 8.79 GiB/s" in told
    assert "write █▅▃▂       0 B/s" in told


def test_the_slow_disk_is_named() -> None:
    assert "…ZL2F0C44 5.4x its peers" in plain(graph_line(LEAD, 5, None, shown()))


def test_where_nobody_looked_there_is_a_gap_and_no_zero() -> None:
    told = plain(graph_line(LEAD, 3, Bandwidth(0.0, (None, None, None), (None, None, None)), shown()))

    assert "read              ·" in told


@pytest.mark.parametrize("cells", range(NARROWEST, 260, 7))
def test_three_graphs_fit_in_any_width(cells: int) -> None:
    wide = graph_cells(cells, 10)

    assert 0 < wide <= MOST_CELLS
    drawn = graph_line(LEAD, wide, watched.bandwidth(), shown(), has_worst=cells >= WITH_WORST)
    assert line_width(drawn) <= cells


def test_the_legend_has_the_time_and_both_scales() -> None:
    assert "last 2m00s · 1-4k MiB/s · wait ▁.4 ▄6 ▆40 █100 ms" == legend(12)


def test_what_runs_is_never_full() -> None:
    assert "░ resilver 99.9%" in plain(gauge_line((), 80, 99.99, "resilver 99.9%"))

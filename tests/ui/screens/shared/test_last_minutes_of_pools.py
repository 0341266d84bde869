"""The last minutes are asked for once a stretch, and drawn once for the same facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.static_source import StaticSource
from tests.ui import states, watched
from zconsole.base.fixed_width_formatting import duration
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.model.past_states_and_latency_strips import Bandwidth, Past
from zconsole.ui.screens.shared.last_minutes_of_pools import LastMinutes, stretch_of
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.overview.bandwidth_and_latency_graphs import graph_cells
from zconsole.views.overview.sections_below_pools import Room


class Asked(StaticSource):
    """Counts what is asked for."""

    count = 0
    cell_s = 0.0

    def bandwidth(
        self, host: str, pool: str, *, until: float, seconds: float, columns: int
    ) -> Bandwidth | None:
        self.count += 1
        self.cell_s = seconds
        return super().bandwidth(host, pool, until=until, seconds=seconds, columns=columns)


def source_of(state: HostState) -> Asked:
    source = Asked(state, now=states.NOW, monotonic=states.TICKS)
    watched.give_strips(source)
    return source


def minutes_of(source: Asked) -> LastMinutes:
    """The last minutes of hosts that need no repair."""
    return LastMinutes(source, lambda _view, _host: ())


def view(state: HostState) -> View:
    return View((HostView(state),), states.NOW, states.TICKS)


def test_the_same_facts_are_drawn_once() -> None:
    state = states.degraded()
    source = source_of(state)
    minutes = minutes_of(source)

    first, second = (minutes.rows(view(state), Room(118, 30), None) for _ in range(2))

    assert first is second
    assert len(state.pools) == source.count


def test_only_as_many_pools_as_there_are_rows_are_asked_for() -> None:
    state = states.degraded()
    source = source_of(state)

    minutes_of(source).rows(view(state), Room(118, 2), None)

    assert 2 == source.count


def test_a_host_that_cannot_be_read_has_no_wall() -> None:
    state = replace(states.degraded(), link=LinkStatus(LinkState.DOWN, "gone"))

    rows = minutes_of(source_of(state)).rows(view(state), Room(118, 30), None)

    assert not any("raidz2-0" in plain(row.line or ()) for row in rows)


@pytest.mark.parametrize(
    ("age", "seconds"), [(0.0, 1.0), (22.0, 1.0), (23.0, 2.0), (45.0, 2.0), (46.0, 5.0), (115.0, 10.0)]
)
def test_a_cell_of_the_graphs_is_of_more_seconds_when_the_history_is_longer(
    age: float, seconds: float
) -> None:
    """In the first minutes the graphs are not empty, and the time that they show is said."""
    state = states.degraded()
    source = source_of(state)
    for pool in state.pools:
        assert pool.sample is not None
        at = pool.sample.at
        source.pasts[state.host, pool.name] = tuple(Past(pool, each, 0.0) for each in (at - age, at))
    minutes = minutes_of(source)

    rows = minutes.rows(view(state), Room(159, 40), None)

    assert seconds == source.cell_s
    cells = graph_cells(159, 10)
    assert f"last {duration(cells * seconds)}" in plain(rows[0].line or ())


def test_a_cell_of_the_graphs_never_is_of_fewer_seconds_again() -> None:
    state = states.degraded()
    source = source_of(state)
    minutes = minutes_of(source)
    for age, expected in ((60.0, 5.0), (1.0, 5.0), (300.0, 10.0), (60.0, 10.0)):
        pool = state.pools[0]
        assert pool.sample is not None
        source.pasts[state.host, pool.name] = tuple(
            Past(pool, each, 0.0) for each in (pool.sample.at - age, pool.sample.at)
        )
        rows = minutes.rows(view(state), Room(159, 40), None)

        assert f"last {duration(graph_cells(159, 10) * expected)}" in plain(rows[0].line or ())


@pytest.mark.parametrize(
    ("seconds", "interval_s"),
    [(10.0, 0.5), (10.0, 5.0), (20.0, 10.0), (30.0, 20.0), (40.0, 30.0), (110.0, 100.0)],
)
def test_a_sample_falls_into_each_cell_however_fast_an_exercise_runs(
    seconds: float, interval_s: float
) -> None:
    state = states.degraded()
    source = source_of(state)
    shown = view(state)

    minutes_of(source).rows(replace(shown, interval_s=interval_s), Room(159, 40), None)

    assert seconds == stretch_of(interval_s)
    assert seconds == source.cell_s or interval_s < 10
    assert seconds >= interval_s + 5 or interval_s <= 5

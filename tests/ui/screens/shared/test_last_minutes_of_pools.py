"""The last minutes are asked for once a stretch, and drawn once for the same facts."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.static_source import StaticSource
from tests.ui import states, watched
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.model.past_states_and_latency_strips import Bandwidth
from zconsole.ui.screens.shared.last_minutes_of_pools import LastMinutes
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.overview.sections_below_pools import Room


class Asked(StaticSource):
    """Counts what is asked for."""

    count = 0

    def bandwidth(self, host: str, pool: str, *, until: float, columns: int) -> Bandwidth | None:
        self.count += 1
        return super().bandwidth(host, pool, until=until, columns=columns)


def source_of(state: HostState) -> Asked:
    source = Asked(state, now=states.NOW, monotonic=states.TICKS)
    watched.give_strips(source)
    return source


def view(state: HostState) -> View:
    return View((HostView(state),), states.NOW, states.TICKS)


def test_the_same_facts_are_drawn_once() -> None:
    state = states.degraded()
    source = source_of(state)
    minutes = LastMinutes(source)

    first, second = (minutes.rows(view(state), Room(118, 30), None) for _ in range(2))

    assert first is second
    assert len(state.pools) == source.count


def test_only_as_many_pools_as_there_are_rows_are_asked_for() -> None:
    state = states.degraded()
    source = source_of(state)

    LastMinutes(source).rows(view(state), Room(118, 2), None)

    assert 2 == source.count


def test_a_host_that_cannot_be_read_has_no_wall() -> None:
    state = replace(states.degraded(), link=LinkStatus(LinkState.DOWN, "gone"))

    rows = LastMinutes(source_of(state)).rows(view(state), Room(118, 30), None)

    assert not any("raidz2-0" in plain(row.line or ()) for row in rows)

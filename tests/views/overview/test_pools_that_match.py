"""Below a filter the sections tell of the pools that match alone."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.event import Event
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.overview.pools_that_match import is_among, of_pools


def host(name: str) -> HostView:
    events = tuple(Event(states.NOW, "ereport.fs.zfs.io", pool, None) for pool in ("tank", "bulk", None))
    found = tuple(
        Finding("device-faulted", Severity.WARNING, each, each, {"pool": each} if each else {})
        for each in ("tank", "bulk", "")
    )
    return HostView(replace(states.degraded(), host=name, events=events), found)


def test_only_the_findings_and_events_of_the_pools_that_match_are_told() -> None:
    view = of_pools(View((host("a"), host("b")), states.NOW, states.TICKS), frozenset({("a", "tank")}))

    assert [["tank"], []] == [[each.subject for each in shown.findings] for shown in view.hosts]
    assert [["tank"], []] == [[each.pool for each in shown.state.events] for shown in view.hosts]


def test_without_a_filter_nothing_is_left_out() -> None:
    view = View((host("a"),), states.NOW, states.TICKS)

    assert view is of_pools(view, None)
    assert is_among("a", "anything", None)

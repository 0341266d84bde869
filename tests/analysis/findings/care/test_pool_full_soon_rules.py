"""When a pool is full, and how surely."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import DAY, NOW
from tests.analysis.findings.care.care_cases import grows
from tests.doubles.guests_on_storage import guest_on, on_volume
from zconsole.analysis.findings.care.pool_full_soon_rules import pool_is_full_soon
from zconsole.analysis.findings.rule_input import RuleInput
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState


def judged(state: HostState, now: float = NOW) -> RuleInput:
    of = state.pools[0]
    assert of.pool.value is not None
    return RuleInput(of, of.pool.value, now, Thresholds())


def test_the_range_is_in_the_evidence() -> None:
    (found,) = pool_is_full_soon(judged(grows(30, 70)))

    assert NOW + 15 * DAY == found.evidence["earliest"]
    assert NOW + 30 * DAY == found.evidence["likely"]
    assert NOW + 70 * DAY == found.evidence["latest"]


def test_the_guests_that_it_would_stop_are_named_with_the_date() -> None:
    guests = (guest_on("web01", on_volume("tank/web01", cache="writeback")),)

    (found,) = pool_is_full_soon(replace(judged(grows(30, 70)), residents=guests))

    assert found.summary.endswith("a day; when it is full web01 would see write errors")


def test_a_forecast_that_time_has_overtaken_is_none() -> None:
    state = grows(30, 70)

    assert [] == list(pool_is_full_soon(judged(state, NOW + 71 * DAY)))
    (late,) = pool_is_full_soon(judged(state, NOW + 40 * DAY))
    assert "(in 0s)" in late.summary

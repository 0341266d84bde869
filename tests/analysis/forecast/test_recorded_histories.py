"""Ranges of forecasts, on recorded histories on which no constant was chosen."""

from __future__ import annotations

import pytest

from tests.analysis.forecast.recorded_histories import (
    KINDS,
    LENGTHS,
    RECORDED,
    forecasts,
    growth,
    is_held_out,
)
from zconsole.analysis.forecast.trend import CONFIDENCE


def test_recordings_are_of_years_and_half_of_them_are_held_out() -> None:
    assert 12 == len(RECORDED)
    assert 6 == sum(map(is_held_out, RECORDED))
    for path in RECORDED:
        for kind in KINDS:
            values = growth(path, kind)
            assert 1000 < len(values)
            assert 0 < values[-1]


def test_what_is_kept_never_shrinks_and_what_is_live_does() -> None:
    for path in RECORDED:
        kept, live = growth(path, "kept"), growth(path, "live")
        assert sorted(kept) == kept
        assert sorted(live) != live
        assert kept[-1] > live[-1]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ranges_hold_on_recorded_histories_as_often_as_stated(request: pytest.FixtureRequest) -> None:
    """Of those held out; with --long of each length by itself, less what chance takes from 120 of them."""
    number = 10 if request.config.getoption("--long") else 2
    found = {
        days: [
            forecasts(path, kind, days, number) for path in RECORDED if is_held_out(path) for kind in KINDS
        ]
        for days in LENGTHS
    }

    held = {days: sum(each.held for each in all_of_it) for days, all_of_it in found.items()}
    number_of = {days: sum(each.number for each in all_of_it) for days, all_of_it in found.items()}
    assert len(LENGTHS) * 6 * len(KINDS) * number == sum(number_of.values())
    assert sum(held.values()) >= CONFIDENCE * sum(number_of.values())
    if number == 10:
        assert [] == [days for days in LENGTHS if held[days] < (CONFIDENCE - 0.08) * number_of[days]]

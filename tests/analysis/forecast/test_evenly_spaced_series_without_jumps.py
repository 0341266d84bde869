"""A history made even: without jumps and without weeks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.forecast.histories import GIB, START, TIB, of, steady
from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S, series
from zconsole.analysis.forecast.trend import trend
from zconsole.model.forecast import HistorySource, SpaceHistory


def test_a_deletion_is_no_trend() -> None:
    """Two thirds of a pool were deleted once; it grows on as before."""
    points = [
        (at, used - (3 * TIB if at > START + 60 * DAY_S else 0))
        for at, used in steady(100, 10 * GIB, 4 * TIB).points
    ]
    found = of(SpaceHistory(HistorySource.SAMPLES, tuple(points)), 10 * TIB)

    assert 10 * GIB == pytest.approx(found.bytes_per_day, rel=0.02)
    (jump,) = found.jumps
    assert -3 * TIB == pytest.approx(jump.size_bytes, rel=0.02)
    assert START + 61 * DAY_S == pytest.approx(jump.at, abs=DAY_S)


def test_a_weekly_pattern_is_found_where_there_are_weeks_enough() -> None:
    """START was a Tuesday."""

    def week(days: int) -> SpaceHistory:
        points = steady(days, 10 * GIB).points
        return SpaceHistory(
            HistorySource.SAMPLES,
            tuple((at, used + (200 * GIB if day % 7 == 4 else 0)) for day, (at, used) in enumerate(points)),
        )

    weekdays = of(week(60), 10 * TIB).weekdays
    assert weekdays is not None
    assert 5 == max(range(7), key=lambda day: weekdays[day])  # Saturday
    assert of(week(24), 10 * TIB).weekdays is None
    assert of(steady(60, 10 * GIB), 10 * TIB).weekdays is None


def test_what_is_said_of_times_to_come_is_left_out() -> None:
    history = steady(100, 10 * GIB)
    odd = replace(history, points=(*history.points, (START + 9000 * DAY_S, 0.0)))
    now, used = history.points[-1]

    assert of(history, 4 * TIB) == trend(odd, now=now, used=used, usable=4 * TIB)
    assert 100 == series(odd.points, now, 4 * TIB).span_days

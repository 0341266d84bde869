"""The chart of a forecast: its levels, its dates, and what is at each place, at any size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.forecast_chart import ChartMark, chart
from zconsole.analysis.forecast.trend import trend
from zconsole.model.forecast import Forecast, HistorySource, SpaceHistory

NOW = 1_795_000_000.0
TIB = 1 << 40


def forecast(per_day: float, used: int = 6 * TIB, usable: int = 10 * TIB) -> Forecast:
    points = tuple((NOW - day * DAY_S, max(0.0, used - day * per_day)) for day in range(90, -1, -1))
    history = SpaceHistory(HistorySource.SAMPLES, points)
    found = trend(history, now=NOW, used=used, usable=usable)
    return Forecast("nas1", "tank", NOW, used, usable, history, found)


def test_the_levels_are_named_and_the_past_stands_on_the_floor() -> None:
    drawn = chart(forecast(TIB / 100), 50, 8)

    assert drawn is not None
    assert [80, 90, 100] == sorted(drawn.percents.values())
    assert min(drawn.percents) == min(row for row, percent in drawn.percents.items() if percent == 100)
    assert ChartMark.USED is drawn.rows[-1][0]
    assert ChartMark.LIKELY in {mark for row in drawn.rows for mark in row}
    assert "now" in drawn.dates
    assert "TiB" == drawn.unit


def test_without_a_trend_there_is_no_chart() -> None:
    assert chart(Forecast("nas1", "tank", NOW, 1, 2)) is None


@pytest.mark.slow
@given(
    per_day=st.floats(-0.05, 0.05),
    used=st.floats(0.01, 1.0),
    width=st.integers(8, 150),
    height=st.integers(8, 30),
)
def test_every_size_is_filled_and_what_was_used_has_no_holes(
    per_day: float, used: float, width: int, height: int
) -> None:
    drawn = chart(forecast(per_day * TIB, int(used * 10 * TIB)), width, height)

    assert drawn is not None
    assert (height, height) == (len(drawn.rows), len(drawn.labels))
    assert {width} == {len(row) for row in drawn.rows}
    for column in zip(*drawn.rows, strict=True):
        first = next((row for row, mark in enumerate(column) if mark is ChartMark.USED), height)
        assert all(mark is ChartMark.USED for mark in column[first:])
    assert len(drawn.dates) <= width + 12

"""A forecast in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.analysis.forecast.forecast_sentences import (
    BEYOND,
    based,
    day_or_never,
    full_words,
    how_often,
    pace,
    remarks,
    signed,
    span,
)
from zconsole.model.forecast import GrowthShape, HistorySource, LevelReached, SpaceHistory, SpaceJump, Trend

GIB = 1 << 30
DAY = 86400
LEVEL = LevelReached(100, 10, earliest=10.0 * DAY, likely=20.0 * DAY, latest=None)
TREND = Trend(GIB, GIB / 2, 2 * GIB, (LEVEL,), (), shape=GrowthShape.LINE, fills_at_bytes_per_day=3.0 * GIB)


@pytest.mark.parametrize(
    ("expected", "level"),
    [
        ("it is full", replace(LEVEL, is_reached=True)),
        (
            (
                "not full within 10y unless it grows by more than 3.00 GiB a day "
                "(now +1.00 GiB, range up to +2.00 GiB)"
            ),
            LevelReached(100, 10),
        ),
        ("it is likely not full within 10y; its range begins 1970-01-11", replace(LEVEL, likely=None)),
        ("full likely 1970-01-21, range 1970-01-11 to beyond 10y", LEVEL),
    ],
)
def test_when_it_is_full_comes_with_its_range(expected: str, level: LevelReached) -> None:
    assert expected == full_words(replace(TREND, passings=(level,)))


def test_a_pace_has_its_range_and_comes_by_the_day_the_month_and_the_year() -> None:
    words = pace(TREND)

    assert words.startswith("+1.00 GiB a day now (range +512 MiB to +2.00 GiB), +30.0 GiB in 30d, +")
    assert words.endswith(" in a year")
    assert ", -" in pace(replace(TREND, bytes_per_day=-GIB))


def test_what_is_odd_about_a_trend_is_remarked() -> None:
    odd = replace(
        TREND, has_changed=True, jumps=(SpaceJump(DAY, -GIB),), weekdays=(0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0)
    )

    assert [] == list(remarks(TREND))
    assert [
        "It has recently grown at a different rate; the likely dates use the recent rate.",
        "By 1970-01-02 it was 1.00 GiB less at once.",
        "Its use has a weekly pattern (highest on Wednesday, UTC), which the forecast includes.",
    ] == list(remarks(odd))


@pytest.mark.parametrize(
    ("expected", "shape"),
    [
        ("percentage of what it holds", GrowthShape.PERCENT),
        ("becomes faster", GrowthShape.RISING),
        ("becomes slower", GrowthShape.FALLING),
        ("a season of a year", GrowthShape.YEARLY),
        ("does not tell whether it grows evenly, by a percentage", None),
    ],
)
def test_how_it_grows_is_said_where_it_is_no_line(expected: str, shape: GrowthShape | None) -> None:
    (said,) = remarks(replace(TREND, shape=shape))

    assert expected in said


def test_growth_of_a_month_and_a_year_is_that_of_the_shape() -> None:
    assert ", +40.0 GiB in 30d, +900 GiB in a year" in pace(
        replace(TREND, month_bytes=40.0 * GIB, year_bytes=900.0 * GIB)
    )


def test_a_history_says_what_it_is_of() -> None:
    history = SpaceHistory(HistorySource.SAMPLES, ((0.0, 1.0), (31.0 * DAY, 2.0)))

    assert "Based on samples: 2 values, 1970-01-01 to 1970-02-01 (31d)." == based(history)


@pytest.mark.parametrize(
    ("expected", "days"),
    [("0d", -1), ("1d", 1), ("59d", 59), ("13mo", 396), ("2.5y", 913)],
)
def test_a_span_is_in_days_months_or_years(expected: str, days: float) -> None:
    assert expected == span(days * DAY)


def test_a_day_beyond_the_horizon_is_none() -> None:
    assert BEYOND == day_or_never(None)
    assert ["+1.00 GiB", "-1.00 GiB"] == [signed(GIB), signed(-GIB)]


MEASURED = (
    "recorded histories; where growth changes as people come and go (tenants, terms), of about 6 of 10. The "
    "others were full earlier or later."
)


@pytest.mark.parametrize(
    ("expected", "basis", "days"),
    [
        ("It is a guess: how often its ranges hold is not known.", HistorySource.GUESS, 400),
        (
            f"Such a range held the true date of about 8 of 10 {MEASURED}",
            HistorySource.SAMPLES,
            100,
        ),
        (
            f"Such a range held the true date of about 3 of 4 {MEASURED}",
            HistorySource.PROMETHEUS,
            700,
        ),
        (
            (
                "In about 8 of 10 cases such a range holds the true date of a pool that grows evenly; "
                "where data comes or goes in large steps, of which 25d show few or none, in about half "
                "of the cases."
            ),
            HistorySource.SAMPLES,
            25,
        ),
    ],
)
def test_a_short_history_says_that_steps_are_missed_more_often(
    expected: str, basis: HistorySource, days: int
) -> None:
    points = tuple((day * DAY, float(day * GIB)) for day in range(days + 1))

    assert expected == how_often(SpaceHistory(basis, points))

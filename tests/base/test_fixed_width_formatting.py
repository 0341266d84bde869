"""Fixed-width sizes, counts, times. Unknown is a dot, never 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.fixed_width_formatting import (
    UNKNOWN,
    as_sold,
    count,
    duration,
    latency,
    megabytes_per_s,
    milliseconds,
    moment,
    odds,
    one_in,
    percent,
    recent,
    size,
    used_percent,
)


@pytest.mark.parametrize("form", [size, count, megabytes_per_s, milliseconds, percent, duration])
def test_unknown_is_never_nought(form: Callable[[None], str]) -> None:
    assert UNKNOWN == form(None)


@pytest.mark.parametrize(
    ("expected", "number"),
    [
        ("0 B", 0),
        ("999 B", 999),
        ("0.98 KiB", 1000),
        ("1.00 KiB", 1024),
        ("14.4 TiB", 15_800_000_000_000),
        ("999 KiB", 1_023_487),
        ("0.98 MiB", 1_023_488),
        ("1.00 MiB", 1_048_576),
        ("-1.50 GiB", -(3 << 29)),
        ("16.0 EiB", 2**64),
    ],
)
def test_sizes_have_three_digits_and_a_binary_unit(expected: str, number: int) -> None:
    assert expected == size(number)


@pytest.mark.parametrize(
    ("expected", "number"),
    [
        ("0", 0),
        ("890", 890),
        ("999", 999.4),
        ("1.0k", 999.6),
        ("1.2k", 1234),
        ("35k", 35_000),
        ("1.1M", 1.1e6),
    ],
)
def test_counts_are_short(expected: str, number: float) -> None:
    assert expected == count(number)


@pytest.mark.parametrize(
    ("expected", "nanoseconds"),
    [
        ("0.00", 0),
        ("0.09", 94_000),
        ("0.1", 96_000),
        ("8.4", 8_400_000),
        ("9.9", 9_940_000),
        ("140", 140_000_000),
    ],
)
def test_milliseconds_lose_digits_as_they_grow(expected: str, nanoseconds: float) -> None:
    assert expected == milliseconds(nanoseconds)


@pytest.mark.parametrize(
    ("expected", "seconds"),
    [
        ("0s", -5),
        ("45s", 45.9),
        ("1m", 60),
        ("2m10s", 130),
        ("1h50m", 6600),
        ("3d4h", 3 * 86400 + 4 * 3600),
        ("3d", 3 * 86400 + 59),
        ("41d", 41 * 86400 + 7200),
        (UNKNOWN, math.inf),
        (UNKNOWN, math.nan),
    ],
)
def test_a_duration_has_its_two_largest_units(expected: str, seconds: float) -> None:
    assert expected == duration(seconds)


def test_a_rate_is_in_one_unit_and_a_time_that_no_calendar_has_is_unknown() -> None:
    assert "12.8" == megabytes_per_s(12.8 * 1024 * 1024)
    assert "61%" == percent(61.4)
    assert "1970-01-02" == moment(86400, "%Y-%m-%d")
    assert UNKNOWN == moment(1e20, "%Y")
    assert UNKNOWN == moment(None, "%Y")


@pytest.mark.parametrize(
    ("expected", "chance"),
    [
        ("50%", 0.5),
        ("1 in 10", 0.1),
        ("1 in 12,000", 1 / 12_345),
        ("< 1 in 10^9", 1e-13),
        ("< 1 in 10^9", 0.0),
        ("99.6%", 0.996),
    ],
)
def test_a_small_chance_is_one_in_so_many(expected: str, chance: float) -> None:
    assert expected == one_in(chance)


@pytest.mark.parametrize(
    ("expected", "chance", "digits"),
    [
        ("43%", 0.4286, 0), ("42.9%", 0.4286, 1), ("99.6%", 0.996, 0), ("99.96%", 0.9996, 1),
        ("0.4%", 0.004, 0), ("0.001%", 1e-5, 0), ("< 0.001%", 1e-7, 0), ("> 99.999%", 1 - 1e-7, 0),
        ("100%", 1.0, 0), ("0%", 0.0, 0),
    ],
)  # fmt: skip
def test_only_what_is_certain_has_odds_of_all_or_nothing(expected: str, chance: float, digits: int) -> None:
    assert expected == odds(chance, digits)


@pytest.mark.parametrize(
    ("expected", "value"), [("99%", 99.6), ("99%", 99.99), ("100%", 100.0), ("99%", 99.4)]
)
def test_less_than_all_is_not_rounded_to_all(expected: str, value: float) -> None:
    assert expected == percent(value)


@given(st.integers(0, 2**64))
def test_no_size_is_wider_than_its_column(number: int) -> None:
    assert len(size(number)) <= 8


@pytest.mark.parametrize(
    ("expected", "size_bytes"),
    [("4.00 TB (3.64 TiB)", 4_000_787_030_016), ("500 GB (466 GiB)", 500_107_862_016)],
)
def test_a_disk_has_the_size_that_is_printed_on_it(expected: str, size_bytes: int) -> None:
    assert expected == as_sold(size_bytes)


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("0%", 0.99),
        ("79%", 79.999),
        ("80%", 80.0),
        ("93%", 93.96),
        ("99%", 99.9999),
        ("100%", 100.0),
        ("·", None),
    ],
)
def test_what_is_used_is_rounded_down_so_that_no_limit_is_shown_before_it_is_reached(
    shown: str, value: float | None
) -> None:
    assert shown == used_percent(value)


@pytest.mark.parametrize(
    ("expected", "nanoseconds"),
    [
        ("0 us", 0),
        ("4.2 us", 4_200),
        ("72 us", 72_000),
        ("100 us", 99_600),
        ("140 us", 137_000),
        ("980 us", 984_000),
        ("1.0 ms", 996_000),
        ("8.4 ms", 8_400_000),
        ("140 ms", 140_000_000),
    ],
)
def test_latencies_in_sentences_have_two_digits(expected: str, nanoseconds: float) -> None:
    assert expected == latency(nanoseconds)


NOON: Final = 1_795_262_400.0  # 2026-11-21 12:00 UTC


@pytest.mark.parametrize(
    ("expected", "at", "has_seconds"),
    [
        ("11:59:59", NOON - 1, True),
        ("00:00", NOON - 43_200, False),
        ("2026-11-20 23:59", NOON - 43_201, True),
        ("2026-11-22 00:00", NOON + 43_200, False),
        ("·", None, True),
        ("·", 1e30, True),
    ],
)
def test_a_time_of_another_day_has_its_date(expected: str, at: float | None, *, has_seconds: bool) -> None:
    assert expected == recent(at, NOON, has_seconds=has_seconds)

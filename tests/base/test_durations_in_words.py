"""Durations in sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.durations_in_words import estimated, lasting
from zconsole.base.quantities import parse_duration


@pytest.mark.parametrize(
    ("expected", "seconds"),
    [
        ("0s", 0),
        ("0s", -5),
        ("45s", 45.9),
        ("1m", 60),
        ("2m05s", 125),
        ("2h05m", 7510),
        ("23h59m", 86399),
        ("1d23h", 2 * 86400 - 1),
        ("41d", 41 * 86400 + 5),
        ("364d", 365 * 86400 - 1),
        ("400d", 400 * 86400),
        ("an unknown time", None),
        ("an unknown time", float("inf")),
        ("an unknown time", 1e300),
    ],
)
def test_a_duration_is_told_in_its_two_largest_units(expected: str, seconds: float | None) -> None:
    assert expected == lasting(seconds)


@pytest.mark.parametrize(
    ("expected", "least", "most"),
    [
        ("a few seconds", 0.0, 4.9),
        ("up to about 10s", 0.1, 5.3),
        ("about 10s", 10.0, 10.0),
        ("about 10s to 20s", 11.0, 19.0),
        ("about 10s to 2m", 11.0, 61.0),
        ("about 1h to 3h", 3601.0, 3 * 3600.0),
        ("more than 100d", 1.0, 1e8),
    ],
)
def test_an_estimate_has_no_more_precision_than_it_has(expected: str, least: float, most: float) -> None:
    assert expected == estimated(least, most)


@given(st.floats(0, 8e6), st.floats(0, 8e6))
def test_an_estimate_never_ends_before_the_longest_time(one: float, other: float) -> None:
    told = estimated(min(one, other), max(one, other))

    if told == "a few seconds":
        assert max(one, other) <= 5
    else:
        assert max(one, other) <= parse_duration(told.rpartition("about ")[2].rpartition("to ")[2])


@given(st.integers(0, 10**9))
def test_what_is_told_is_read_back_and_never_longer_than_it_was(seconds: int) -> None:
    told = parse_duration(lasting(seconds))

    assert told <= seconds < told + max(1, 0.5 * seconds)

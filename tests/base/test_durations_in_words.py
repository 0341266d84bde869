"""Durations in sentences."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.durations_in_words import estimated, lasting
from zconsole.base.quantities import parse_duration


@pytest.mark.parametrize(
    ("expected", "seconds"),
    [
        ("0 seconds", 0),
        ("0 seconds", -5),
        ("45 seconds", 45.9),
        ("1 minute", 60),
        ("2 minutes and 5 seconds", 125),
        ("2 hours and 5 minutes", 7510),
        ("23 hours and 59 minutes", 86399),
        ("1 day and 23 hours", 2 * 86400 - 1),
        ("41 days", 41 * 86400 + 5),
        ("364 days", 365 * 86400 - 1),
        ("1 year and 35 days", 400 * 86400),
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
        ("up to about 10 seconds", 0.1, 5.3),
        ("about 10 seconds", 10.0, 10.0),
        ("about 10 to 20 seconds", 11.0, 19.0),
        ("about 10 seconds to 2 minutes", 11.0, 61.0),
        ("about 1 to 3 hours", 3601.0, 3 * 3600.0),
        ("more than 100 days", 1.0, 1e8),
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
    told = parse_duration(lasting(seconds).replace(" and ", " "))

    assert told <= seconds < told + max(1, 0.5 * seconds)


@pytest.mark.parametrize("module", ["zconsole.cli.main", "zconsole.ui.app", "zconsole.views.pools.pool_list"])
def test_the_first_frame_does_not_wait_for_the_words(module: str) -> None:
    """Words are imported when the first sentence with a duration is made."""
    code = f"import sys, {module}; print('humanize' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == ended.stdout

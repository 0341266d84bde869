"""Durations in sentences."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.durations_in_words import lasting
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

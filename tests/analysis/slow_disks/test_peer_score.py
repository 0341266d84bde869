"""The arithmetic of comparing: medians without one, weights, load; and what a slow disk costs."""

from __future__ import annotations

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.slow_disks.peer_score import (
    OFFSET_NS,
    OFFSET_SOLID_NS,
    discount,
    excess,
    others,
    stands_for,
    weight,
)

TIMES = st.lists(st.integers(1, 50).map(float), min_size=2, max_size=12)


@given(TIMES)
def test_the_median_without_one_is_that_of_the_others(times: list[float]) -> None:
    found = others(list(times))

    assert found is not None
    assert median(times) == found.median
    for at, value in enumerate(times):
        assert median(times[:at] + times[at + 1 :]) == found.without(value)


def test_one_value_has_no_others() -> None:
    assert others([1.0]) is None


def test_what_is_below_a_millisecond_makes_little_difference_unless_disks_are_known_not_to_rotate() -> None:
    assert excess(0.2e6, 0.08e6, OFFSET_NS) < 0
    assert excess(0.9e6, 0.1e6, OFFSET_NS) > 0
    assert excess(0.6e6, 0.1e6, OFFSET_SOLID_NS) > 0 > excess(0.6e6, 0.1e6, OFFSET_NS)


def test_few_operations_count_less() -> None:
    assert (0.5, pytest.approx(0.707, abs=1e-3), 1.0, 1.0) == (weight(1), weight(2), weight(4), weight(99))


def test_a_burst_stands_for_the_time_since_the_last() -> None:
    assert (1.0, 1.0, 2.0, 2.0) == (
        stands_for(50, 1),
        stands_for(2, 5),
        stands_for(50, 5),
        stands_for(50, 500),
    )


@pytest.mark.parametrize(("expected", "own"), [(0, 0), (0, 100), (0, 200), (1, 405), (2, 815)])
def test_up_to_twice_the_load_of_the_others_excuses_nothing(expected: float, own: float) -> None:
    assert expected == pytest.approx(discount(own, 100, 5.0), abs=0.06)

"""How writes spread over vdevs, and when these are even."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.pool_growth.write_distribution import even_after_bytes, shares, used_after

vdevs = st.lists(
    st.tuples(st.just("v"), st.integers(10**6, 10**9), st.floats(0.01, 0.99)).map(
        lambda each: (each[0], each[1], round(each[1] * each[2]))
    ),
    min_size=2,
    max_size=6,
)


@given(vdevs)
def test_all_vdevs_become_full_together(given_: list[tuple[str, int, int]]) -> None:
    spread = shares(given_)

    full = used_after(spread, sum(each.free_bytes for each in spread))

    assert full == pytest.approx([1.0] * len(given_))
    assert 1 == pytest.approx(sum(each.part for each in spread))


@given(vdevs)
def test_they_are_even_when_it_says(given_: list[tuple[str, int, int]]) -> None:
    spread = shares(given_)

    after = used_after(spread, even_after_bytes(spread))

    assert max(after) - min(after) <= 0.05 + 1e-3


def test_a_new_vdev_gets_its_part_by_free_space() -> None:
    old, new = shares([("old", 100, 20), ("new", 100, 100)])

    assert (Fraction(20, 120), Fraction(100, 120)) == pytest.approx((old.part, new.part))
    assert (0.8, 0.0) == pytest.approx((old.used, new.used))
    assert even_after_bytes((old, new)) == round(120 * (1 - 0.05 / 0.8))
    assert [0.5, 0.5] == [each.part for each in shares([("a", 10, 0), ("b", 10, 0)])]

"""Whole numbers as tools print them."""

from __future__ import annotations

import pytest

from zconsole.base.bounded_int import MOST_DIGITS, natural


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (0, "0"),
        (7, "007"),
        (2**64 - 1, str(2**64 - 1)),
        (None, ""),
        (None, "-1"),
        (None, "+1"),
        (None, " 1"),
        (None, "1_0"),
        (None, "1.0"),
        (None, "\u0667"),
        (None, "\u00b2"),
        (None, "9" * (MOST_DIGITS + 1)),
    ],
)
def test_only_a_bounded_number_of_ascii_digits_is_a_number(expected: int | None, text: str) -> None:
    assert expected == natural(text)


def test_the_bound_can_be_another() -> None:
    assert 99 == natural("99", 2)
    assert natural("100", 2) is None

"""One unit for a column, chosen by its largest value."""

from __future__ import annotations

import pytest

from zconsole.views.capacity.table_units_and_lines import units

TB, TIB = 10**12, 1 << 40


@pytest.mark.parametrize(
    ("expected", "sizes"),
    [
        (("TB", "TiB"), [TB, 5]),
        (("GB", "GiB"), [TB - 1, 0]),
        (("TB", "TiB"), [-2 * TB, 5]),
        (("MB", "MiB"), [999_999]),
        (("MB", "MiB"), []),
    ],
)
def test_the_largest_value_has_digits_before_the_point(expected: tuple[str, str], sizes: list[int]) -> None:
    assert expected == units(sizes).names


def test_a_size_is_shown_in_both_units() -> None:
    unit = units([TIB])

    assert "1.10" == unit.in_decimal(TIB).text
    assert "1.00" == unit.in_binary(TIB, "warn").text
    assert "warn" == unit.in_binary(TIB, "warn").style


def test_large_numbers_have_no_fraction() -> None:
    unit = units([12_345 * TB])
    assert "12,345" == unit.in_decimal(12_345 * TB).text

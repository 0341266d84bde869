"""Units of sizes: the chosen ones where people read, those of ZFS where ZFS reads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.fixed_width_formatting import as_sold, bandwidth, megabytes_per_s, size, zfs_size
from zconsole.base.quantities import parse_size
from zconsole.base.size_units import SizeUnits, in_megabytes, use_size_units, with_used_unit


@pytest.fixture(autouse=True)
def binary_again() -> Iterator[None]:
    """Other tests have the usual units."""
    yield
    use_size_units(SizeUnits.BINARY)


def test_sizes_and_rates_are_binary_until_decimal_was_chosen() -> None:
    assert ("14.4 TiB", "1.00 MiB/s") == (size(15_800_000_000_000), bandwidth(2**20))

    use_size_units(SizeUnits.DECIMAL)

    assert ("15.8 TB", "1.05 MB/s") == (size(15_800_000_000_000), bandwidth(2**20))


@pytest.mark.parametrize(
    ("expected", "number"),
    [
        ("0 B", 0),
        ("999 B", 999),
        ("1.00 kB", 1000),
        ("1.00 MB", 999_500),
        ("999 kB", 999_499),
        ("-1.50 GB", -1_500_000_000),
        ("18.4 EB", 2**64),
    ],
)
def test_decimal_sizes_have_three_digits(expected: str, number: int) -> None:
    use_size_units(SizeUnits.DECIMAL)

    assert expected == size(number)


def test_what_zfs_takes_stays_binary() -> None:
    use_size_units(SizeUnits.DECIMAL)

    assert "128 KiB" == zfs_size(131_072)
    assert "4.00 TB (3.64 TiB)" == as_sold(4_000_787_030_016)
    assert 10 * 2**30 == parse_size("10G").size_bytes


def test_a_column_of_one_unit_has_it_in_its_title() -> None:
    assert ("R MiB/s", "12.8") == (with_used_unit("R MiB/s"), megabytes_per_s(12.8 * 2**20))

    use_size_units(SizeUnits.DECIMAL)

    assert ("R MB/s", "12.8") == (with_used_unit("R MiB/s"), megabytes_per_s(12.8e6))
    assert 3.0 == in_megabytes(3e6)


@given(st.sampled_from(SizeUnits), st.integers(0, 2**62))
def test_a_size_that_is_shown_is_read_back_as_that_size(units: SizeUnits, number: int) -> None:
    """No unit is shown that the grammar of sizes takes for another one."""
    use_size_units(units)

    assert pytest.approx(number, rel=0.006) == parse_size(size(number)).size_bytes

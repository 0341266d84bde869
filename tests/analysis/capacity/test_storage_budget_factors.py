"""The 8:1 budget: the article's numbers exactly, both ways, and redundancy once."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.capacity.storage_budget_factors import (
    EXACT_UNITS,
    REDUNDANCY,
    UNITS,
    Budget,
    budget,
    read_data,
    read_drives,
    read_free_space,
    read_growth,
    read_units,
    yearly_growth,
)
from zconsole.base.errors import UsageError

TB, TIB = 10**12, 2**40


def test_the_numbers_of_the_article() -> None:
    usual = Budget()

    assert Fraction("7.15") == usual.product
    assert 8 == usual.rule
    assert 7_150_000_000_000 == usual.raw_bytes(TIB)
    assert 1 == usual.systems
    three = Budget(systems=3)
    assert 21_450_000_000_000 == three.raw_bytes(TIB) * three.systems
    assert Fraction("21.45") == three.product * three.systems
    assert 24 == three.rule * three.systems


def test_the_other_way_round() -> None:
    """0.559 TiB a TB of drives, 0.28 with room to grow, 0.14 a raw TB of mirrors."""
    usual = Budget()

    assert float(1 / usual.without("growth", REDUNDANCY)) == pytest.approx(0.559, abs=0.001)
    assert float(1 / usual.without(REDUNDANCY)) == pytest.approx(0.28, abs=0.001)
    assert usual.data_bytes(TB) / TIB == pytest.approx(0.14, abs=0.001)


def test_the_exact_conversion() -> None:
    assert float(budget({UNITS: EXACT_UNITS}).product) == pytest.approx(7.147, abs=0.0005)


@given(st.integers(1, 2**60))
def test_there_and_back(data: int) -> None:
    usual = Budget()

    assert abs(usual.data_bytes(usual.raw_bytes(data)) - data) <= 1


@given(st.fractions(1, 1000), st.fractions(1, 1000))
def test_more_of_a_factor_is_never_less(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))

    assert budget({"growth": low}).raw_bytes(TIB) <= budget({"growth": high}).raw_bytes(TIB)


@pytest.mark.parametrize("name", ["tb_per_tib", "free_space", "growth", "snapshots", "redundancy"])
@pytest.mark.parametrize("value", [-1, 0, Fraction("0.99"), 1001])
def test_impossible_factors_are_refused(name: str, value: Fraction) -> None:
    with pytest.raises(UsageError, match="is not a factor from 1 to 1000"):
        budget({name: Fraction(value)})


@pytest.mark.parametrize("systems", [0, -1, 21, 99])
def test_impossible_numbers_of_systems_are_refused(systems: int) -> None:
    with pytest.raises(UsageError, match="systems are not from 1 to 20"):
        budget({}, systems)


@pytest.mark.parametrize("text", ["99", "0.9", "1.21"])
def test_a_tib_is_about_as_many_tb_as_it_is(text: str) -> None:
    with pytest.raises(UsageError, match=r"a TiB is 1.0995 TB, and is planned as 1 to 1.2"):
        read_units(text)


def test_growth_by_the_year() -> None:
    assert Fraction("1.331") == yearly_growth(Fraction(10), 3)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (10 << 40, read_data("10TiB")),
        (10 << 40, read_data("10T")),
        (96 * TB, read_drives("96TB")),
        (Fraction(11, 10), read_units("1.1")),
        (EXACT_UNITS, read_units("exact")),
        (Fraction(5, 4), read_free_space("80%")),
        (Fraction(2), read_growth("2")),
        (Fraction("1.15") ** 5, read_growth("15%")),
        (Fraction("1.1") ** 2, read_growth("10%", "2")),
    ],
)
def test_numbers_are_taken_exactly(expected: float, found: float) -> None:
    assert expected == found


@pytest.mark.parametrize("text", ["0", "0.8", "101%", "-80%", "80 percent"])
def test_a_pool_is_full_at_a_percentage(text: str) -> None:
    with pytest.raises(UsageError):
        read_free_space(text)


def test_drives_are_sold_in_tb_so_that_a_bare_letter_is_refused_with_both_readings() -> None:
    with pytest.raises(UsageError, match="'96T' is ambiguous") as error:
        read_drives("96T")

    assert "96TB" in error.value.hint
    assert "96TiB" in error.value.hint

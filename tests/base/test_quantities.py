"""Sizes are read without ambiguity, and told in both units."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import count, duration, percent, size
from zconsole.base.quantities import (
    TB,
    TIB,
    Size,
    block_size,
    both,
    parse_amount,
    parse_block_size,
    parse_bytes,
    parse_count,
    parse_duration,
    parse_number,
    parse_percent,
    parse_size,
    parse_sold_size,
    with_digits,
)

READERS = (
    parse_size, parse_sold_size, parse_block_size, parse_bytes, parse_duration, parse_count, parse_number,
    parse_percent,
)  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (Size(12 * TB, is_decimal=True), "12TB"),
        (Size(12 * TB, is_decimal=True), " 12 tb "),
        (Size(1920 * 10**9, is_decimal=True), "1.92TB"),
        (Size(10 * TIB), "10TiB"),
        (Size(TIB // 2), "0.5tib"),
        (Size(4000787030016), "4000787030016"),
        (Size(512), "512B"),
        (Size(1000, is_decimal=True), "1kB"),
        (Size(2**50), "1PiB"),
        (Size(500 * 2**30), "500G"),
        (Size(500 * 2**30), "500g"),
        (Size(1536), "1.5k"),
        (Size(500 * 10**9, is_decimal=True), "500 GB"),
    ],
)
def test_sizes_are_read(expected: Size, text: str) -> None:
    assert expected == parse_size(text)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("is ambiguous", "1,5TB"),
        ("is not a unit of size", "12XB"),
        ("is not a unit of size", "12 parsecs"),
        ("is below 0", "-1TB"),
        ("is not a size", "TB"),
        ("is not a size", ""),
        ("is not a size", "1e3"),
        ("is not a size", "inf"),
        ("is not a size", "nan"),
        ("is not a size", "9" * 25),
        ("is not a size", "\u0661TB"),
        ("is not a whole number of bytes", "1.5"),
    ],
)
def test_other_words_are_refused(message: str, text: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_size(text)


def test_a_letter_alone_is_refused_where_drives_are_sold() -> None:
    with pytest.raises(UsageError, match="'12T' is ambiguous") as error:
        parse_sold_size("12T")

    assert "12TB (powers of ten: 10^12 bytes" in error.value.hint
    assert "12TiB (powers of two: 2^40 bytes" in error.value.hint


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (300, "5m"),
        (300, "5min"),
        (300, "5 Minutes"),
        (90, "90s"),
        (5400, "1h30m"),
        (5400, "1h 30min"),
        (5400, "1.5h"),
        (14 * 86400, "2w"),
        (30 * 86400, "1mo"),
        (365 * 86400, "1y"),
        (0.005, "5ms"),
        (0, "0s"),
    ],
)
def test_times_are_read(expected: float, text: str) -> None:
    assert expected == parse_duration(text)


@pytest.mark.parametrize(
    ("message", "hint", "text"),
    [
        ("'30' is ambiguous", "30s, 30m, 30h or 30d", "30"),
        ("'5M' is ambiguous", "5m (minutes) or 5mo (months)", "5M"),
        ("'1h30' is ambiguous", "1h30m or 1h30s", "1h30"),
        ("'1,5h' is ambiguous", "1.5h or 15h", "1,5h"),
        ("'q' is not a unit of time in '3q'", "s, m or min", "3q"),
        ("units go from long to short", "1h30m", "30m1h"),
        ("units go from long to short", "1h30m", "1h2h"),
        ("'tomorrow' is not a time", "90s", "tomorrow"),
        ("nothing is not a time", "90s", ""),
        ("'-5m' is below 0", "90s", "-5m"),
        ("'inf' is not a time", "90s", "inf"),
    ],
)
def test_other_times_are_refused_with_what_to_write(message: str, hint: str, text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_duration(text)

    assert message in error.value.message
    assert hint in error.value.hint


def test_a_time_out_of_bounds_is_refused_with_the_bounds() -> None:
    assert 60 == parse_duration("60", bare="s", least="1s", most="24h")
    with pytest.raises(UsageError, match="'25h' is not a time from 1s to 24h"):
        parse_duration("25h", least="1s", most="24h")


@pytest.mark.parametrize(
    ("hint", "text", "least", "most"),
    [
        ("As in 90s or 5m.", "0", "0.1s", "1h"),
        ("As in 90s or 5m.", "often", "0.1s", "1h"),
        ("As in 30d or 6mo.", "5y", "15d", "300d"),
        ("As in 5m.", "2m", "4m", "6m"),
    ],
)
def test_the_examples_of_a_refused_time_are_times_that_are_taken(
    hint: str, text: str, least: str, most: str
) -> None:
    with pytest.raises(UsageError) as error:
        parse_duration(text, bare="s", least=least, most=most)

    assert hint == error.value.hint


@pytest.mark.parametrize(("expected", "text"), [(80, "80%"), (80, "80"), (0.8, "0.8%"), (0, "0"), (1, "1")])
def test_percentages_are_read(expected: float, text: str) -> None:
    assert expected == pytest.approx(float(parse_percent(text)))


def test_a_part_of_one_without_a_sign_is_refused_with_both_readings() -> None:
    with pytest.raises(UsageError, match=r"'0\.8' is ambiguous") as error:
        parse_percent("0.8")

    assert "Write 80% or 0.8%" in error.value.hint


@pytest.mark.parametrize(("expected", "text"), [(20, "20"), (1200, "1.2k"), (0, "0"), (3 * 10**6, "3M")])
def test_counts_are_read(expected: int, text: str) -> None:
    assert expected == parse_count(text)


@pytest.mark.parametrize("text", ["1.5", "-1", "x", "", "1_0", "10GB", "1e3", "9999999999", "\u0661"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_count(text)


HOSTILE = (
    *(
        "",
        " ",
        "9" * 5000,
        "\u0661\u0662TB",
        "\u00b2",
        "inf",
        "-inf",
        "nan",
        "-1",
        "+1",
        "1e999999999",
        "0x10",
    ),
    *("1_000", "5" * 24 + "EiB", "\0", "%", "1%%", "1h" * 9999, ".5", "5.", "1.2.3", "\u22125", "1h-30m"),
)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_read_or_refused_and_nothing_else(read: Callable[[str], object], text: str) -> None:
    with suppress(UsageError):
        read(text)


@given(st.text(max_size=30), st.sampled_from(READERS))
def test_whatever_is_typed_is_read_or_refused_in_words(text: str, read: Callable[[str], object]) -> None:
    """The error shows what was typed, shortened, and says what to do."""
    said = UsageError("", hint="nothing was wrong")
    try:
        read(text)
    except UsageError as error:
        said = error

    assert said.hint
    assert 200 > len(said.message)


@given(st.integers(0, 2**70))
def test_exact_bytes_are_read_back(size_bytes: int) -> None:
    assert size_bytes == parse_size(str(size_bytes)).size_bytes


@given(st.integers(9, 24))
def test_block_sizes_are_read_back_as_they_are_told(power: int) -> None:
    assert 1 << power == parse_block_size(block_size(1 << power))


@given(st.integers(0, 2**69))
def test_a_cell_with_a_size_is_read_back_as_near_as_it_is_told(size_bytes: int) -> None:
    assert size_bytes == pytest.approx(parse_size(size(size_bytes)).size_bytes, rel=0.006, abs=1)


@given(st.integers(0, 10**9))
def test_a_cell_with_a_time_is_read_back_down_to_its_last_unit(seconds: int) -> None:
    told = duration(seconds)
    unit = parse_duration(f"1{told[-1]}")

    assert 0 <= seconds - parse_duration(told) < (86400 if seconds >= 86400 * 10 else unit)


@given(st.integers(0, 10**9))
def test_a_cell_with_a_count_is_read_back_as_near_as_it_is_told(number: int) -> None:
    assert number == pytest.approx(parse_count(count(number), most=10**10), rel=0.06)


@given(st.integers(0, 1000))
def test_a_cell_with_a_percentage_is_read_back(number: int) -> None:
    assert number == parse_percent(percent(number))


@pytest.mark.parametrize(
    ("expected", "text"), [(8192, "8K"), (131072, "128k"), (1 << 20, "1M"), (512, "512")]
)
def test_block_sizes_are_read(expected: int, text: str) -> None:
    assert expected == parse_block_size(text)


@pytest.mark.parametrize("text", ["0", "3K", "256", "32M", "1G", "8KB", "", "K", "1KiBs"])
def test_what_is_no_block_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_block_size(text)


@pytest.mark.parametrize(
    ("told", "size"),
    [
        ("47.80 TB (43.48 TiB)", 47804797943808),
        ("0 B (0 B)", 0),
        ("1.00 kB (0.98 KiB)", 1000),
        ("1.10 TB (1.00 TiB)", TIB),
        ("999.00 TB (908.59 TiB)", 999 * TB),
        ("1.00 PB (909.49 TiB)", 10**15),
    ],
)
def test_sizes_are_told_in_both_units(told: str, size: int) -> None:
    assert told == both(size)


@given(st.integers(0, 2**69))
def test_what_is_told_is_near_what_is(size: int) -> None:
    decimal, _, binary = both(size).partition(" (")

    if size >= 1000:
        assert parse_size(decimal).size_bytes == pytest.approx(size, rel=0.0051)
        off = abs(parse_size(binary[:-1]).size_bytes - size)
        assert off <= 0.0055 * size + 1  # what was told is read back in whole bytes


def test_block_sizes_are_told_as_they_are_set() -> None:
    assert ["512 B", "8 KiB", "1 MiB"] == [block_size(512), block_size(8192), block_size(1 << 20)]


@pytest.mark.parametrize(
    ("told", "value", "digits"),
    [
        ("0.6115", 0.611474, 4),
        ("0.611474", 0.611474, 6),
        ("71.5", 71.5, 4),
        ("10", 10.0, 4),
        ("1235", 1234.5678, 4),
        ("123457", 123456.7, 4),
        ("0.00047684", 0.000476837, 5),
        ("0", 0.0, 4),
    ],
)
def test_digits_that_count_are_told_without_zeros_at_their_end(told: str, value: float, digits: int) -> None:
    assert told == with_digits(value, digits)


@pytest.mark.parametrize("text", ["20", "500", "1.5"])
def test_a_number_alone_is_no_amount_of_data(text: str) -> None:
    """Twenty bytes of data need no pool: `nothing to buy` would be the answer."""
    with pytest.raises(UsageError, match=r"alone is|whole number") as refused:
        parse_amount(text)
    assert text == "1.5" or f"{text}TiB" in (refused.value.hint or "")


def test_bytes_in_full_are_an_amount() -> None:
    assert 4000787030016 == parse_amount("4000787030016")
    assert 20 << 40 == parse_amount("20TiB")
    assert 20 == parse_amount("20B")

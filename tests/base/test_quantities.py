"""Sizes are read without ambiguity, and told in both units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import UsageError
from zconsole.base.quantities import TB, TIB, Size, block_size, both, parse_block_size, parse_size


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
    ],
)
def test_sizes_are_read(expected: Size, text: str) -> None:
    assert expected == parse_size(text)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("is ambiguous", "12T"),
        ("is ambiguous", "500g"),
        ("is not a unit of size", "12XB"),
        ("is not a unit of size", "12 parsecs"),
        ("is not a size", "-1TB"),
        ("is not a size", "TB"),
        ("is not a size", ""),
        ("is not a size", "1e3"),
        ("is not a size", "1,5TB"),
        ("is not a size", "\u0661TB"),
        ("not a whole number of bytes", "1.5"),
    ],
)
def test_other_words_are_refused(message: str, text: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_size(text)


@pytest.mark.parametrize(
    ("expected", "text"), [(8192, "8K"), (131072, "128k"), (1 << 20, "1M"), (512, "512")]
)
def test_block_sizes_are_read(expected: int, text: str) -> None:
    assert expected == parse_block_size(text)


@pytest.mark.parametrize("text", ["0", "3K", "256", "32M", "1G", "8KB", "", "K"])
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

"""Numbers and dates in ZFS's words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.pools.pool import Count
from zconsole.zfs.zfs_numbers_and_dates import count, duration, epoch, integer, number, percent, share

ZFS_PRINTS = [
    ("0", 0, False),
    ("408", 408, False),
    ("0B", 0, False),
    ("1.10K", 1126, True),
    ("3.21K", 3287, True),
    ("12.5K", 12800, True),
    ("276K", 276 * 1024, True),
    ("13.1M", 13736346, True),
    ("1E", 2**60, True),
    ("18446744073709551615", 2**64 - 1, False),
]


@pytest.mark.parametrize(("word", "value", "is_rounded"), ZFS_PRINTS)
def test_a_number_is_read_in_powers_of_1024(word: str, value: int, is_rounded: bool) -> None:
    assert (value, is_rounded) == number(word)
    assert Count(value, is_rounded) == count(word)


@pytest.mark.parametrize("word", ["", "K", "1.5", "1,5K", "-1", "1.2345K", "0x10", "١٢", "1 K", "1e3", "nan"])
def test_what_zfs_does_not_print_is_not_a_number(word: str) -> None:
    with pytest.raises(ValueError, match="number"):
        number(word)


def test_a_dash_is_an_unknown_number() -> None:
    assert None is integer("-")
    assert None is count("-")


@given(moment=st.integers(0, 4_000_000_000))
def test_a_date_of_ctime_is_read_back(moment: int) -> None:
    assert moment == epoch(time.asctime(time.gmtime(moment)))


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Fri Nov 20 23:52:16",
        "Fri Nvo 20 23:52:16 2026",
        "Fri Nov 31 23:52:16 2026",
        "Fri Nov 20 24:52:16 2026",
        "Fri Nov 20 23:52:16 0026",
        "ven. 20 nov. 2026 23:52:16",
    ],
)
def test_what_is_no_date_is_an_error(words: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        epoch(words)


@pytest.mark.parametrize(
    ("words", "seconds"),
    [("00:02:25", 145), ("1 days 02:03:04", 93784), ("5h4m", 18240), ("4m", 240), ("0h0m", 0)],
)
def test_a_duration_is_read_in_its_old_and_new_form(words: str, seconds: int) -> None:
    assert seconds == duration(words)


def test_a_duration_that_zfs_does_not_print_is_an_error() -> None:
    with pytest.raises(ValueError, match="duration"):
        duration("a while")


def test_a_division_by_zero_is_an_unknown_percentage() -> None:
    assert None is percent("-nan")
    assert None is percent("inf")
    assert 71.31 == percent("71.31")
    assert None is share(1, 0)
    assert None is share(None, 5)
    assert 50.0 == share(1, 2)


def test_more_than_all_is_all() -> None:
    """A scrub of a pool that is written to meanwhile issues more than it set out to."""
    assert 100.0 == percent("101.61")
    assert 100.0 == share(1017, 1000)
    assert 50.0 == share(1, 2)

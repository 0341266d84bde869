"""Numbers and times are written as the ZFS commands write them."""

from __future__ import annotations

import pytest

from zconsole.practice.nicenum_and_times import (
    clock_time,
    ctime,
    nicebytes,
    nicenum,
    nicetime,
    rawtime,
    short_date,
)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1023, "1023"),
        (1024, "1K"),
        (5734, "5.60K"),
        (381276160, "364M"),
        (23777914880, "22.1G"),
        (24159191040, "22.5G"),
        (1 << 60, "1E"),
    ],
)
def test_numbers_are_rounded_as_zfs_rounds_them(number: int, shown: str) -> None:
    assert shown == nicenum(number)


def test_bytes_have_a_unit_also_when_they_are_few() -> None:
    assert ["0B", "216K", "10M"] == [nicebytes(0), nicebytes(216 * 1024), nicebytes(10 << 20)]


def test_times_are_cut_not_rounded_and_none_is_a_dash() -> None:
    assert ["-", "10us", "25ms", "2s"] == [
        nicetime(0),
        nicetime(10_999),
        nicetime(25_873_740),
        nicetime(2_999_999_999),
    ]
    assert ["-", "25873740"] == [rawtime(0), rawtime(25_873_740)]


def test_moments_and_durations_are_those_of_zfs() -> None:
    assert "Fri Nov 20 23:55:03 2026" == ctime(1795218903)
    assert "Fri Nov 20 23:49 2026" == short_date(1795218576)
    assert ["00:00:17", "1 days 02:03:04", "00:00:00"] == [clock_time(17), clock_time(93784), clock_time(-3)]

"""Options, rounded numbers and sizes, as the C programs do them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice.getopt import BadOption, getopt
from zconsole.practice.world import disk_space
from zconsole.practice.zpool_show.zfs_numbers import (
    clock_time,
    ctime,
    nicebytes,
    nicenum,
    nicetime,
    rawtime,
    short_date,
)


@given(flags=st.permutations(list("HpvlqyPg")), cuts=st.lists(st.booleans(), min_size=8, max_size=8))
def test_flags_may_be_grouped_in_any_way_and_order(flags: list[str], cuts: list[bool]) -> None:
    words = ["-"]
    for flag, cut in zip(flags, cuts, strict=True):
        words[-1] += flag
        if cut:
            words.append("-")
    line = [word for word in words if word != "-"]

    options = getopt(["tank", *line, "1"], "HpvlqyPgT:")

    assert set(flags) == options.flags
    assert ["tank", "1"] == options.operands


@pytest.mark.parametrize("line", [["-Hpo", "name,size"], ["-Hponame,size"], ["-H", "-p", "-oname,size"]])
def test_an_argument_may_be_attached_or_follow(line: list[str]) -> None:
    options = getopt(line, "Hpo:")

    assert ("name,size", {"H", "p", "o"}) == (options.last("o"), options.flags)


def test_two_dashes_end_the_options() -> None:
    options = getopt(["-H", "--", "-p", "--json-int"], "Hp", {"json-int": "json-int"})

    assert ({"H"}, ["-p", "--json-int"]) == (options.flags, options.operands)


def test_long_options_may_be_shortened_while_they_are_unique() -> None:
    longs = {"json-int": "json-int", "json-flat-vdevs": "flat"}

    assert {"json-int"} == getopt(["--json-i"], "", longs).flags
    with pytest.raises(BadOption):
        getopt(["--json"], "", longs)


def test_the_last_of_several_arguments_counts() -> None:
    options = getopt(["-s", "name", "-s", "used"], "s:")

    assert "used" == options.last("s")
    assert ["name", "used"] == options.values["s"]


def test_what_is_wrong_with_an_option_is_told() -> None:
    with pytest.raises(BadOption) as unknown:
        getopt(["-HZ"], "H")
    with pytest.raises(BadOption) as bare:
        getopt(["-o"], "o:")

    assert ("Z", False) == (unknown.value.option, unknown.value.lacks_argument)
    assert ("o", True) == (bare.value.option, bare.value.lacks_argument)


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


def test_a_disk_of_eight_gibibytes_is_cut_up_as_on_a_real_host() -> None:
    """The numbers of the captured guests."""
    start, sectors = disk_space.data_partition(8 << 30)

    assert (2048, 8_579_448_832) == (start, sectors * 512)
    leaf = disk_space.leaf_asize(sectors * 512)
    assert 8_053_063_680 == leaf >> disk_space.metaslab_shift(leaf) << disk_space.metaslab_shift(leaf)


@given(
    size=st.integers(1, 1 << 24),
    parity=st.integers(1, 3),
    data=st.integers(1, 12),
    ashift=st.sampled_from([9, 12]),
)
def test_a_block_on_a_raidz_takes_at_least_itself_and_its_parity(
    size: int, parity: int, data: int, ashift: int
) -> None:
    taken = disk_space.raidz_allocation(size, ashift, data + parity, parity)

    assert size < taken
    assert 0 == taken % ((parity + 1) << ashift)
    assert taken <= size * (data + parity) / data + ((2 * parity + data + 2) << ashift) * (parity + 1)

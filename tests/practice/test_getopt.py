"""Options are read as getopt_long(3) reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.practice.getopt import BadOption, getopt


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

"""Properties of datasets: values of any kind, and none that another value could forge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties

KEYS = ("mountpoint", "sharenfs")
VALUES = st.text(st.characters(blacklist_categories=("Cs",)), max_size=30).filter(
    lambda value: not any(f"\t{key}\t" in value for key in KEYS)
)


@given(values=st.lists(st.tuples(VALUES, VALUES), max_size=6))
def test_whatever_zfs_can_print_is_read_back(values: list[tuple[str, str]]) -> None:
    properties = [
        (f"tank/d{at}", key, value, "local")
        for at, both in enumerate(values)
        for key, value in zip(KEYS, both, strict=True)
    ]
    text = "".join(f"{name}\t{key}\t{source}\t{value}\n" for name, key, value, source in properties)

    assert tuple(properties) == parse_properties(text, KEYS)


def test_a_value_that_reads_like_one_more_property_is_refused() -> None:
    forged = "tank\tsharenfs\tlocal\ton\ntank/a\tsharenfs\tlocal\toff\ntank/a\tsharenfs\tlocal\ton\n"

    with pytest.raises(ParseError, match="listed twice"):
        parse_properties(forged, KEYS)


def test_an_answer_cut_short_is_an_error_or_the_first_properties() -> None:
    whole = "tank\tsharenfs\tlocal\ton\ntank\tmountpoint\tdefault\t/a\nb\ntank/x\tsharenfs\t-\toff\n"
    properties = parse_properties(whole, KEYS)

    assert "/a\nb" == properties[1][2]
    for at in range(len(whole)):
        try:
            part = parse_properties(whole[:at], KEYS)
        except ParseError:
            continue
        assert [each[:2] for each in properties[: len(part)]] == [each[:2] for each in part]


def test_what_is_no_property_is_an_error() -> None:
    with pytest.raises(ParseError):
        parse_properties("cannot open 'tank'\n", KEYS)


def test_the_question_is_exact_and_the_value_comes_last() -> None:
    assert (
        *("zfs", "get", "-Hp", "-r", "-t", "filesystem"),
        *("-o", "name,property,source,value", "mountpoint,sharenfs", "tank"),
    ) == get_properties(KEYS, ("tank",), recursive=True, types=("filesystem",)).argv

"""What is typed to find snapshots among a million."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.search.dataset_query import (
    BY_AMOUNT,
    FLAGS,
    HINT,
    OF_SNAPSHOTS,
    DatasetField,
    parse_filter,
)
from zconsole.analysis.search.query_terms import FilterError
from zconsole.base.fixed_width_formatting import size
from zconsole.model.datasets.dataset import Dataset

NOW = 1_800_000_000.0
DAY = 86400
GIB = 1 << 30


def snapshot(name: str, **more: object) -> Dataset:
    """A snapshot that is ten days old, holds 2 GiB alone, and that nothing keeps."""
    values: dict[str, object] = {"used_bytes": 2 * GIB, "creation": int(NOW) - 10 * DAY, "holds": 0}
    return Dataset(name, "snapshot", **(values | more))  # type: ignore[arg-type]


SNAPSHOTS = {
    each.name: each
    for each in (
        snapshot("tank/vm@auto-1"),
        snapshot("tank/vm@auto-2", creation=int(NOW) - DAY, used_bytes=100),
        snapshot("tank/vm@Gold", clones=("tank/a",), holds=2, creation=int(NOW) - 400 * DAY),
        snapshot("tank/home@daily_1", holds=1),
        snapshot("tank/home@unread", creation=None, used_bytes=None, holds=None),
        Dataset("tank/home#auto-0", "bookmark", creation=int(NOW) - 30 * DAY),
    )
}


def found(words: str) -> list[str]:
    """The short names of what a filter finds."""
    query = parse_filter(words)
    assert query is not None
    return [re.split("[@#]", each)[1] for each in query.sift(tuple(SNAPSHOTS), SNAPSHOTS, NOW)]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("gold", ["Gold"]),
        ("VM auto", ["auto-1", "auto-2"]),
        ("auto*", ["auto-1", "auto-2", "auto-0"]),
        ("*_1", ["daily_1"]),
        ("tank/vm@*", ["auto-1", "auto-2", "Gold"]),
        ("/vm@auto-[2-9]/", ["auto-2"]),
        ("/auto-\\d$", ["auto-1", "auto-2", "auto-0"]),
        ("/auto-\\d/ older:5d", ["auto-1", "auto-0"]),
        ("held", ["Gold", "daily_1"]),
        ("no:holds auto*", ["auto-1", "auto-2", "auto-0"]),
        ("has:clones", ["Gold"]),
        ("no:clones vm", ["auto-1", "auto-2"]),
        ("older:30h", ["auto-1", "Gold", "daily_1", "auto-0"]),
        ("older:1y", ["Gold"]),
        ("newer:1w", ["auto-2"]),
        ("larger:1.5GiB", ["auto-1", "Gold", "daily_1"]),
        ("smaller:1k", ["auto-2"]),
        ("larger:1G older:1w no:holds no:clones", ["auto-1"]),
        ("nothing-like-it", []),
    ],
)
def test_a_filter_finds_what_it_says(words: str, names: list[str]) -> None:
    """What is not known (an age, a size) is never found by it."""
    assert names == found(words)


def test_the_words_that_are_told_are_those_that_are_read() -> None:
    """Help, hint and manual show this table; a word that no row shows nobody would find."""
    told = {example for examples, _ in OF_SNAPSHOTS for example in examples}

    assert set(FLAGS) == {each for each in told if each in FLAGS}
    assert set(BY_AMOUNT) == {each.partition(":")[0] for each in told if ":" in each} - {"has", "no"}
    assert all(parse_filter(each) is not None for each in told)
    assert all(each in HINT for each in ("held", "older:30d", "larger:1G", "auto*", "/regex/"))


@pytest.mark.parametrize("words", ["", "  ", "/", "//"])
def test_nothing_typed_asks_for_nothing(words: str) -> None:
    assert parse_filter(words) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("/a(/", "character 1: /a(/ is not a regular expression"),
        ("older:", "older:: nothing is not a time"),
        ("older:tomorrow", "older:tomorrow: 'tomorrow' is not a time"),
        ("older:3q", "'q' is not a unit of time in '3q'"),
        ("older:3", "'3' is ambiguous"),
        ("older:3M", "'3M' is ambiguous"),
        ("larger:big", "larger:big: 'big' is not a size"),
        ("auto has:fun", "character 6: has:fun is not known"),
        ("no:idea", "no:idea is not known"),
    ],
)
def test_what_makes_no_sense_is_said(words: str, said: str) -> None:
    with pytest.raises(FilterError) as error:
        parse_filter(words)

    assert said in error.value.message


def test_a_dataset_is_found_by_its_name_and_by_no_word_on_snapshots() -> None:
    def finds(words: str, name: str) -> bool:
        query = parse_filter(words)
        return query is not None and query.finds_dataset(name, {}, NOW)

    assert finds("VM", "tank/vm")
    assert finds("/^tank.vm$/", "tank/vm")
    assert not finds("vm home", "tank/vm")
    assert not finds("vm held", "tank/vm")
    assert not finds("*", "tank/vm")


@given(st.text(max_size=60))
def test_whatever_is_typed_is_read_or_refused_in_words(words: str) -> None:
    """No other exception, and sifting what is read works."""
    try:
        query = parse_filter(words)
    except FilterError:
        return
    if query is not None:
        assert set(query.sift(tuple(SNAPSHOTS), SNAPSHOTS, NOW)) <= set(SNAPSHOTS)


@given(st.lists(st.sampled_from(["auto", "vm", "held", "no:clones", "older:2d", "larger:1M", "a*", "/o.d/"])))
def test_words_narrow_and_their_order_does_not_matter(words: list[str]) -> None:
    """All together find what each of them finds."""
    alone = [set(found(each)) for each in words]

    if words:
        together = set(found(" ".join(words)))
        assert together == set.intersection(*alone) == set(found(" ".join(reversed(words))))


@given(st.integers(0, 10**6), st.sampled_from(["s", "m", "min", "h", "d", "w", "mo", "y"]))
def test_older_and_newer_share_nothing(number: int, unit: str) -> None:
    older, newer = set(found(f"older:{number}{unit}")), set(found(f"newer:{number}{unit}"))

    assert not older & newer
    assert "unread" not in older | newer


COLUMNS = (
    DatasetField("used", "USED", lambda each, _: (size(each.used_bytes), each.used_bytes)),
    DatasetField("name", "DATASET", lambda each, _: (each.name, each.name)),
)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (["auto-1", "Gold", "daily_1"], "used>1G"),
        (["auto-2"], "used<1G"),
        (["auto-1", "Gold", "daily_1"], "USED=2GiB"),
        (["auto-2"], "used<=100B auto"),
        (["daily_1", "unread"], "dataset:home@"),
        (["Gold"], "name=tank/vm@gold"),
        (["auto-1"], '"vm@auto-1"'),
    ],
)
def test_any_column_can_be_compared(expected: list[str], words: str) -> None:
    query = parse_filter(words, COLUMNS)

    assert query is not None
    assert expected == [re.split("[@#]", each)[1] for each in query.sift(tuple(SNAPSHOTS), SNAPSHOTS, NOW)]


def test_a_comparison_finds_datasets_too() -> None:
    datasets = {
        "tank/a": Dataset("tank/a", "filesystem", used_bytes=5 * GIB),
        "tank/b": Dataset("tank/b", "volume"),
    }
    query = parse_filter("used>4G", COLUMNS)

    assert query is not None
    assert ["tank/a"] == [name for name in datasets if query.finds_dataset(name, datasets, NOW)]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("character 5: 'usd' is not a column here\nColumns: used, name.", "abc usd>4G"),
        ("character 1: 'much' is not a quantity", "used>much"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_said_with_its_place(said: str, words: str) -> None:
    with pytest.raises(FilterError) as error:
        parse_filter(words, COLUMNS)

    assert said in str(error.value)


def test_a_unit_of_another_kind_is_said_once_cells_were_seen() -> None:
    query = parse_filter("used>5min", COLUMNS)

    assert query is not None
    assert [] == query.sift(tuple(SNAPSHOTS), SNAPSHOTS, NOW)
    assert "USED is a size, such as 10G; '5min' is none" == query.problem

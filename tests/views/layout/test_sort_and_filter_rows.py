"""Filtering and sorting keep a tree a tree."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.fixed_width_formatting import count, megabytes_per_s, milliseconds, percent, size
from zconsole.views.layout.filter_rows_by_words import RowFilter
from zconsole.views.layout.sort_and_filter_rows import SortFilter, ordered
from zconsole.views.layout.state_age_and_link_phrases import ago
from zconsole.views.layout.styled_text import line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

NOW = 1_800_000_000.0
Named = tuple[str, float | None]
COLUMNS: tuple[Column[Named], ...] = (
    Column("name", "NAME", 5, lambda each: Cell(each[0], sort=each[0])),
    Column("size", "SIZE", 5, lambda each: Cell(str(each[1]), sort=each[1])),
)


def row(name: str, depth: int = 0, amount: float | None = None, words: str = "") -> Row:
    return Row(name, cells_of(COLUMNS, (name, amount)), depth=depth, words=words)


def heading(name: str) -> Row:
    return Row(name, line=line(name), is_selectable=False)


TREE = Table(
    COLUMNS,
    (
        row("tank"),
        row("mirror-0", 1, 3.0),
        row("sda", 2, 1.0, words="serial-A"),
        row("sdb", 2, 2.0),
        heading("special"),
        row("mirror-1", 1, 9.0),
        row("sdc", 2),
        row("sdd", 2, 8.0),
    ),
)


def keys(table: Table) -> list[str]:
    return [each.key for each in table.rows]


def found(table: Table, words: str) -> list[str]:
    """The keys of the rows that a filter leaves."""
    return keys(RowFilter(words).filtered(table, NOW))


def test_a_filter_keeps_what_matches_and_what_it_stands_below() -> None:
    assert ["tank", "mirror-0", "sda"] == found(TREE, "sda")
    assert ["special", "mirror-1", "sdd"] == found(TREE, "SDD")


def test_a_filter_finds_what_is_not_shown_too() -> None:
    assert ["tank", "mirror-0", "sda"] == found(TREE, "serial-a")


@pytest.mark.parametrize("words", ["[", "(", "a{2", "+", "a|b", "$"])
def test_signs_outside_of_a_regular_expression_mean_themselves(words: str) -> None:
    table = Table(COLUMNS, (row(f"x{words}y"), row("other")))

    assert [f"x{words}y"] == found(table, words)


Listed = tuple[str, float | None, float | None, float | None, int | None, int | None, float | None]
LISTED: tuple[Column[Listed], ...] = (
    Column("name", "NAME", 5, lambda each: Cell(each[0])),
    Column("used", "USED", 5, lambda each: Cell(percent(each[1]), sort=each[1])),
    Column("read", "R MiB/s", 5, lambda each: Cell(megabytes_per_s(each[2]), sort=each[2])),
    Column("age", "LAST SCRUB", 5, lambda each: Cell(ago(each[3]), sort=each[3])),
    Column("errors", "ERRORS", 5, lambda each: Cell(count(each[4]), sort=each[4])),
    Column("size", "SIZE", 5, lambda each: Cell(size(each[5]), sort=each[5])),
    Column("p50", "p50 ms", 5, lambda each: Cell(milliseconds(each[6]), sort=each[6])),
    Column("at", "WHEN", 5, lambda each: Cell("Nov 22", sort=NOW - each[3] if each[3] is not None else None)),
)
LIST = Table(
    LISTED,
    tuple(
        Row(each[0], cells_of(LISTED, each))
        for each in (
            ("alpha", 79.6, 3 << 20, 40 * 86400, 0, 10 << 30, 5_200_000),
            ("beta two", 91.0, 50 << 20, 3600, 1234, 500 * 10**9, 800_000),
            ("gamma", None, None, None, None, None, None),
        )
    ),
)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (["alpha", "beta two"], "used>50%"),
        (["alpha"], "used<80"),
        (["beta two"], "used>=91%"),
        (["alpha"], "used=80%"),
        (["beta two"], "used!=80%"),
        (["beta two"], "read>10"),
        (["beta two"], "R-MiB/s>10MiB"),
        (["alpha"], "read<=3M"),
        (["alpha"], "lastscrub>30d"),
        (["beta two"], "age<=1h"),
        (["beta two"], "errors>0"),
        (["beta two"], "errors>=1.2k"),
        (["alpha"], "size=10G"),
        (["beta two"], "size=500GB"),
        (["alpha"], "p50>1"),
        (["beta two"], "p50<1ms"),
        (["alpha"], "older:2d"),
        (["beta two"], "newer:2h"),
        (["beta two"], '"beta two"'),
        (["beta two"], "two beta"),
        (["beta two"], 'name="beta two"'),
        (["alpha"], "name:ALP"),
        (["alpha"], "a*a size>1G"),
        (["alpha", "gamma"], "/^(al|ga)/"),
        (["alpha", "beta two", "gamma"], "name!=x"),
        (["alpha", "beta two"], "used>50% errors>=0"),
    ],
)
def test_every_column_can_be_compared_by_id_or_title(expected: list[str], words: str) -> None:
    wanted = RowFilter(words)

    assert expected == keys(wanted.filtered(LIST, NOW))
    assert "" == wanted.said


@pytest.mark.parametrize(
    ("expected", "said", "words"),
    [
        (["alpha"], "character 7: 'usd' is not a column here", "alpha usd>5"),
        (["alpha"], "character 7: 'much' is not a quantity", "alpha used>much"),
        (["alpha"], "character 7: older:x: 'x' is not a time", "alpha older:x"),
        (["alpha"], "character 7: /(/ is not a regular expression", "alpha /(/"),
        ([], "SIZE is a size, such as 10G; '5d' is none", "size>5d"),
        ([], "SIZE is a size, such as 10G; '80%' is none", "size:80%"),
        ([], "SIZE is a size, such as 10G; '80%' is none", "size=80%"),
        ([], "'5' is ambiguous. Write its unit", "age>5"),
        ([], "'0.9' is ambiguous", "used>0.9"),
        ([], "name shows no quantity", "name>5"),
    ],
)
def test_what_makes_no_sense_is_said_with_its_place_and_the_words_before_count(
    expected: list[str], said: str, words: str
) -> None:
    wanted = RowFilter(words)

    assert expected == keys(wanted.filtered(LIST, NOW))
    assert said in wanted.said


def test_what_looks_like_a_comparison_of_no_column_is_text() -> None:
    table = Table(COLUMNS, (row("quota=10G"), row("pci:0000"), row("other")))

    quota = RowFilter("quota=10G")
    assert ["quota=10G"] == keys(quota.filtered(table, NOW))
    assert "" == quota.said
    assert ["pci:0000"] == found(table, "pci:0")


@given(st.text(max_size=40))
def test_whatever_is_typed_filters_or_is_said(words: str) -> None:
    wanted = RowFilter(words)

    assert set(keys(wanted.filtered(LIST, NOW))) <= set(keys(LIST))


@given(st.text(max_size=20), st.one_of(st.none(), st.floats(), st.text(max_size=5)))
def test_whatever_a_host_puts_into_a_cell_can_be_compared(text: str, sort: float | str | None) -> None:
    table = Table(COLUMNS, (Row("x", (Cell(text, sort=sort), Cell("9" * 50))),))

    assert [[], []] == [found(table, words)[1:] for words in ("name>5", "size<5G")]


def test_a_list_of_3000_rows_is_filtered_while_a_key_is_pressed() -> None:
    table = Table(LIST.columns, LIST.rows * 1000)
    began = process_time()
    left = found(table, "alpha used>50%")

    assert 1000 == len(left)
    assert 0.3 > process_time() - began


def test_siblings_are_sorted_within_their_parent_and_headings_stay() -> None:
    by_size = keys(ordered(TREE, "size", is_reverse=False))

    assert ["tank", "mirror-0", "sdb", "sda", "special", "mirror-1", "sdd", "sdc"] == by_size


def test_turned_round_the_unknown_is_still_last() -> None:
    assert ["sdd", "sdc"] == keys(ordered(TREE, "size", is_reverse=True))[-2:]


def test_names_are_sorted_from_a_on() -> None:
    table = Table(COLUMNS, (row("b"), row("C"), row("a")))

    assert ["a", "b", "C"] == keys(ordered(table, "name", is_reverse=False))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), st.floats(0, 9))), max_size=20), st.booleans()
)
def test_sorting_neither_loses_nor_doubles_a_row(
    rows: list[tuple[int, float | None]], is_reverse: bool
) -> None:
    table = Table(COLUMNS, tuple(row(str(at), depth, size) for at, (depth, size) in enumerate(rows)))

    assert sorted(keys(table)) == sorted(keys(ordered(table, "size", is_reverse=is_reverse)))


SLOW_FOR = 0.5  # seconds of CPU, ten times what a list may take


@pytest.mark.parametrize(
    "words", ["/(a|aa)+$/", "/(x+x+)+y/", "/(.*a){12}x/", "/(a+)+$/", "/^(?:(?=(a+))\\1|a)+?b$/"]
)
def test_an_expression_that_explodes_is_given_up_and_all_rows_stay(words: str) -> None:
    table = Table(COLUMNS, tuple(row("a" * 40 + "x" * 40 + str(at)) for at in range(2000)))
    shape = SortFilter(words)

    began = process_time()
    shown = keys(shape.of(table, NOW))
    again = keys(shape.of(table, NOW))

    assert SLOW_FOR > process_time() - began
    assert shown == again
    assert shape.is_given_up == (len(shown) == 2000)


def test_what_was_given_up_is_told_and_another_filter_is_tried_afresh() -> None:
    table = Table(COLUMNS, (row("a" * 60 + "b"), row("c")))
    slow = SortFilter("/(a|aa)+$/")

    assert keys(table) == keys(slow.of(table, NOW))
    assert slow.is_given_up

    other = replace(slow, words="/^c |d/")
    assert ["c"] == keys(other.of(table, NOW))
    assert not other.is_given_up


def test_a_pattern_too_long_to_compile_is_said() -> None:
    wanted = RowFilter("/" + "a{1,9}" * 20_000 + "/")

    assert keys(TREE) == keys(wanted.filtered(TREE, NOW))
    assert "is not a regular expression: it is longer than 1000 characters" in wanted.said

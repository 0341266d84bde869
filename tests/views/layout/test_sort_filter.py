"""Filtering and sorting keep a tree a tree."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.views.layout.sort_filter import SortFilter, filtered, ordered, row_filter
from zconsole.views.layout.styled_text import line
from zconsole.views.layout.table import Cell, Column, Row, Table

COLUMNS = (Column("name", "NAME", 5), Column("size", "SIZE", 5))


def row(name: str, depth: int = 0, size: float | None = None, words: str = "") -> Row:
    return Row(name, (Cell(name, sort=name), Cell(str(size), sort=size)), depth=depth, words=words)


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


def test_a_filter_keeps_what_matches_and_what_it_stands_below() -> None:
    assert ["tank", "mirror-0", "sda"] == keys(filtered(TREE, row_filter("sda")))
    assert ["special", "mirror-1", "sdd"] == keys(filtered(TREE, row_filter("SDD")))


def test_a_filter_finds_what_is_not_shown_too() -> None:
    assert ["tank", "mirror-0", "sda"] == keys(filtered(TREE, row_filter("serial-a")))


@pytest.mark.parametrize("words", ["[", "(", "*", "a{2"])
def test_what_is_no_regular_expression_is_looked_for_as_it_stands(words: str) -> None:
    table = Table(COLUMNS, (row(f"x{words}y"), row("other")))

    assert [f"x{words}y"] == keys(filtered(table, row_filter(words)))


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


@pytest.mark.parametrize("words", ["(a|aa)+$", "(x+x+)+y", "(.*a){12}x", "(a+)+$", "^(?:(?=(a+))\\1|a)+?b$"])
def test_an_expression_that_explodes_is_given_up_and_all_rows_stay(words: str) -> None:
    table = Table(COLUMNS, tuple(row("a" * 40 + "x" * 40 + str(at)) for at in range(2000)))
    shape = SortFilter(words)

    began = process_time()
    shown = keys(shape.of(table))
    again = keys(shape.of(table))

    assert SLOW_FOR > process_time() - began
    assert shown == again
    assert shape.is_given_up == (len(shown) == 2000)


def test_what_was_given_up_is_told_and_another_filter_is_tried_afresh() -> None:
    table = Table(COLUMNS, (row("a" * 60 + "b"), row("c")))
    slow = SortFilter("(a|aa)+$")

    assert keys(table) == keys(slow.of(table))
    assert slow.is_given_up

    other = replace(slow, words="^c |d")
    assert ["c"] == keys(other.of(table))
    assert not other.is_given_up


def test_a_pattern_too_long_to_compile_is_taken_as_words() -> None:
    assert [] == keys(filtered(TREE, row_filter("a{1,9}" * 20_000)))

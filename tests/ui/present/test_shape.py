"""Filtering and sorting keep a tree a tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.ui.present.cells import line
from zconsole.ui.present.shape import filtered, ordered, pattern
from zconsole.ui.present.table import Cell, Column, Row, Table

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
    assert ["tank", "mirror-0", "sda"] == keys(filtered(TREE, pattern("sda")))
    assert ["special", "mirror-1", "sdd"] == keys(filtered(TREE, pattern("SDD")))


def test_a_filter_finds_what_is_not_shown_too() -> None:
    assert ["tank", "mirror-0", "sda"] == keys(filtered(TREE, pattern("serial-a")))


@pytest.mark.parametrize("words", ["[", "(", "*", "a{2"])
def test_what_is_no_regular_expression_is_looked_for_as_it_stands(words: str) -> None:
    table = Table(COLUMNS, (row(f"x{words}y"), row("other")))

    assert [f"x{words}y"] == keys(filtered(table, pattern(words)))


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

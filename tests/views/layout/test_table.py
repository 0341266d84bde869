"""Columns that fit, rows that line up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.size_units import SizeUnits, use_size_units
from zconsole.views.layout.styled_text import line, line_width, plain
from zconsole.views.layout.table import (
    Cell,
    Column,
    Row,
    Table,
    TableLines,
    cells_of,
    draw,
    header,
    place,
    without,
)

Texts = Sequence[str]
NAME: Column[Texts] = Column(
    "name", "NAME", 6, lambda texts: Cell(texts[0]), need=100, is_right=False, grows_to=20, cuts_middle=True
)
USED: Column[Texts] = Column("used", "USED", 5, lambda texts: Cell(texts[1]), need=50)
FRAG: Column[Texts] = Column("frag", "FRAG", 4, lambda texts: Cell(texts[2]), need=10)
COLUMNS = (NAME, USED, FRAG)
TEXTS = st.text("ab日-", max_size=30)


def test_the_least_needed_column_goes_first() -> None:
    assert ["name", "used", "frag"] == [column.id for column, _, _ in place(COLUMNS, 17).places]
    assert ["name", "used"] == [column.id for column, _, _ in place(COLUMNS, 16).places]
    assert ["name"] == [column.id for column, _, _ in place(COLUMNS, 8).places]


def test_room_that_is_left_goes_to_the_column_that_grows() -> None:
    assert [20, 5, 4] == [cells for _, _, cells in place(COLUMNS, 60).places]
    assert [9, 5, 4] == [cells for _, _, cells in place(COLUMNS, 20).places]


@given(st.lists(TEXTS, min_size=3, max_size=3), st.integers(1, 60))
def test_every_row_is_as_wide_as_the_header(texts: list[str], cells: int) -> None:
    placed = place(COLUMNS, cells)
    row = Row("key", cells_of(COLUMNS, texts))

    if cells >= NAME.width:
        assert line_width(header(placed)) == line_width(draw(row, placed)) <= cells


def test_numbers_stand_at_the_right_and_names_keep_their_end() -> None:
    row = Row("key", (Cell("ata-DISK_0001", lead="├ "), Cell("61%"), Cell("·", "dim")))

    assert "├ a…01   61%    ·" == plain(draw(row, place(COLUMNS, 17)))


def test_a_glyph_is_never_cut_off() -> None:
    state: Column[None] = Column(
        "state", "STATE", 5, lambda _: Cell("DEGRADED", "bad", tail=" ✗"), is_right=False
    )
    row = Row("key", cells_of((state,), None))

    assert "DE… ✗" == plain(draw(row, place((state,), 5)))


def test_a_heading_goes_across_all_columns() -> None:
    assert "special" == plain(draw(Row("key", line=line("special")), place(COLUMNS, 17)))


def test_the_sorted_column_carries_an_arrow() -> None:
    assert "NAME   USED↓ FRAG" == plain(header(place(COLUMNS, 17), sorted_by="used"))


def test_a_column_can_be_left_out() -> None:
    table = Table(COLUMNS, (Row("key", (Cell("a"), Cell("b"), Cell("c"))), Row("head", line=line("x"))))

    left = without(table, "used")

    assert ["name", "frag"] == [column.id for column in left.columns]
    assert ["a", "c"] == [cell.text for cell in left.rows[0].cells]


def test_a_row_is_drawn_when_it_is_looked_at_and_once() -> None:
    lines = TableLines(Table(COLUMNS, (Row("key", (Cell("a"), Cell("b"), Cell("c"))),)), 17)

    assert lines.line(0) is lines.line(0)


def test_a_row_that_is_the_same_is_taken_over_and_one_that_is_not_is_drawn() -> None:
    """By its key, wherever it stands now; and none where the columns are as wide as others."""

    def of(*cells: tuple[str, str], width: int = 17, before: TableLines | None = None) -> TableLines:
        rows = tuple(Row(key, (Cell(key), Cell(used), Cell("·"))) for key, used in cells)
        return TableLines(Table(COLUMNS, rows), width, before=before)

    first = of(("a", "1"), ("b", "2"))
    was = {first.key(at): first.line(at) for at in range(2)}

    then = of(("x", "0"), ("a", "1"), ("b", "3"), before=first)

    assert was["a"] is then.line(1)
    assert "b          3    ·" == plain(then.line(2))
    assert "x          0    ·" == plain(then.line(0))
    assert was["a"] is of(("a", "1"), before=then).line(0)
    assert "a             1    ·" == plain(of(("a", "1"), width=20, before=then).line(0))


def test_a_name_whose_end_tells_more_is_cut_behind_its_first_character() -> None:
    """The date and the kind of a snapshot stay, and it is as wide as the column."""
    placed = place((NAME,), 20)
    row = Row("key", (Cell("@autosnap_2026-10-19_11:07:40_daily", keeps_end=True),))

    assert "@…-19_11:07:40_daily" == plain(draw(row, placed))
    assert "@short" == plain(draw(Row("key", (Cell("@short", keeps_end=True),)), placed)).rstrip()


def test_a_text_that_does_not_fit_gives_way_to_its_shorter_form_of_which_both_ends_stay() -> None:
    row = Row("key", (Cell("tank/vm/db02, bulk/vm and 1 more", shorter="…/db02, …/vm, +1"),))

    assert "…/db02, …/vm, +1" == plain(draw(row, place((NAME,), 20))).rstrip()
    long = Row("key", (Cell("tank/vm/web01-of-the-customer-test", shorter="…/web01-of-the-customer-test"),))
    shown = plain(draw(long, place((NAME,), 20)))
    assert ("…/web01", "er-test", 20) == (shown[:7], shown[-7:], len(shown))


def test_a_text_that_fits_stays_whole_and_both_forms_are_cleaned() -> None:
    row = Row("key", (Cell("tank/vm/web01", shorter="…/web01"),))

    assert "tank/vm/web01" == plain(draw(row, place((NAME,), 20))).rstrip()
    assert "\x1b" not in Cell("a", shorter="b\x1b[2J").shorter


def test_the_arrow_cuts_no_title_that_fills_its_column() -> None:
    columns: list[Column[str]] = [Column(title, title, len(title), Cell) for title in ("SHARE", "R/s")]

    assert "SHARE↑R/s" == plain(header(place(columns, 9), sorted_by="SHARE", is_descending=False))
    assert "SHARE R…↓" == plain(header(place(columns, 9), sorted_by="R/s"))


def test_the_arrow_stands_behind_the_word_of_a_bar_and_not_behind_its_mark() -> None:
    bar: Column[str] = Column("bar", "CAPACITY    80%", 18, Cell, is_right=False)
    narrow: Column[str] = Column("bar", "CAPACITY 80%", 12, Cell, is_right=False)

    assert "CAPACITY↓   80%" == plain(header(place((bar,), 18), sorted_by="bar")).rstrip()
    assert "CAPACITY↓80%" == plain(header(place((narrow,), 12), sorted_by="bar"))


@pytest.mark.parametrize(
    ("expected", "sort", "is_reverse"),
    [("↓", 1.0, False), ("↑", 1.0, True), ("↑", "a", False), ("↓", "a", True)],
)
def test_down_is_descending_for_numbers_and_names_alike(
    expected: str, sort: float | str, is_reverse: bool
) -> None:
    column = Column[None]("x", "X", 5, lambda _: Cell("x", sort=sort))
    table = Table((column,), (Row("head", line=line("head")), Row("a", cells_of((column,), None))))

    assert f"X{expected}" == plain(TableLines(table, 40).header("x", is_reverse=is_reverse)).strip()


def test_what_other_columns_leave_goes_to_the_one_that_grows_last() -> None:
    name = Column("name", "NAME", 10, Cell, grows_to=12, grows_last_to=30)
    strip = Column("strip", "STRIP", 10, Cell, need=90, grows_to=20)

    assert [12, 20] == [cells for _, _, cells in place((name, strip), 33).places]
    assert [19, 20] == [cells for _, _, cells in place((name, strip), 40).places]
    assert [30, 20] == [cells for _, _, cells in place((name, strip), 90).places]


def test_titles_are_those_of_before_until_their_order_units_or_room_change() -> None:
    table = Table((Column[Texts]("size", "SIZE MiB", 10, lambda texts: Cell(texts[0])),), ())
    first = TableLines(table, 40)
    head = first.header("size", is_reverse=False)

    again = TableLines(table, 40, before=first)
    assert head is again.header("size", is_reverse=False)
    assert "SIZE MiB↓" == plain(head).strip()
    assert "SIZE MiB↑" == plain(again.header("size", is_reverse=True)).strip()
    assert "SIZE MiB" == plain(again.header(None, is_reverse=False)).strip()
    assert plain(header(place(table.columns, 20))) == plain(
        TableLines(table, 20, before=again).header(None, is_reverse=False)
    ).removeprefix(" ")
    use_size_units(SizeUnits.DECIMAL)
    try:
        assert "SIZE MB" == plain(again.header(None, is_reverse=False)).strip()
    finally:
        use_size_units(SizeUnits.BINARY)


STATE: Column[Texts] = Column("state", "STATE", 12, lambda texts: Cell(texts[1]), need=60, mark=2)
LONG: Column[Texts] = Column(
    "words", "WORDS", 10, lambda texts: Cell(texts[2]), need=100, is_right=False, grows_to=30, narrow=6
)


def test_what_judges_a_row_comes_first_where_there_is_no_room_for_it_as_it_is() -> None:
    columns = (NAME, STATE, LONG)

    assert [("name", 6), ("state", 12), ("words", 10)] == widths(columns, 30)
    assert [("state", 2), ("name", 19), ("words", 6)] == widths(columns, 29)
    assert [("state", 2), ("name", 6), ("words", 6)] == widths(columns, 16)


def test_a_narrow_row_has_the_cells_of_its_columns() -> None:
    row = Row("key", cells_of((NAME, STATE, LONG), ("tank", "✗", "it is full")))

    assert " ✗ tank   it is…" == plain(draw(row, place((NAME, STATE, LONG), 16)))


def widths(columns: Sequence[Column[Texts]], cells: int) -> list[tuple[str, int]]:
    return [(column.id, given) for column, _, given in place(columns, cells).places]


@pytest.mark.parametrize("cells", [30, 60, 250])
def test_the_arrow_joins_no_two_titles_where_a_column_has_grown(cells: int) -> None:
    columns: list[Column[str]] = [
        Column("name", "NAME", 8, Cell, is_right=False, grows_to=20),
        Column("of", "OF USABLE", 9, Cell),
        Column("frag", "FRAG", 4, Cell),
    ]
    lines = TableLines(Table(tuple(columns), ()), cells, sorted_by="of")

    assert "OF USABLE↓ FRAG" in plain(lines.header("of", is_reverse=False))


@pytest.mark.parametrize("cells", [80, 160, 250])
def test_the_last_column_of_words_takes_what_is_left(cells: int) -> None:
    columns: list[Column[str]] = [
        Column("name", "NAME", 8, Cell, is_right=False, grows_to=20),
        Column("state", "STATE", 14, Cell, is_right=False, grows_to=30),
    ]
    words = "clone 75% own, of " + "x" * (cells - 40)

    assert plain(draw(Row("a", (Cell("a"), Cell(words))), place(columns, cells))).endswith(words + " ")

"""Texts on further lines: whole where there is room, the first ones first, and no row for the cursor."""

from __future__ import annotations

from zconsole.views.layout.styled_text import FixedLines, Line, line, line_width, plain
from zconsole.views.layout.table import Cell, Column, Row, Table, TableLines
from zconsole.views.layout.wrapped_rows import wrapped_lines, wrapped_rows

WORDS = "a finding that says much more than the width of its column has room for"
COLUMNS: tuple[Column[str], ...] = (
    Column("name", "NAME", 6, Cell, is_right=False),
    Column("words", "WORDS", 20, Cell, is_right=False, grows_to=30),
)
CELLS = 37  # 6, a gap, and 30


def table(*texts: str) -> Table:
    """Rows with one text each."""
    return Table(COLUMNS, tuple(Row(text[:5], (Cell(text[:5]), Cell(text, "bad"))) for text in texts))


def drawn(shown: Table) -> list[str]:
    """The lines as they are drawn."""
    lines = TableLines(shown, CELLS)
    return [plain(lines.line(at)).rstrip() for at in range(len(lines))]


def test_a_text_goes_on_below_itself() -> None:
    shown = wrapped_rows(table(WORDS, "short"), CELLS, 10)

    assert [
        "a fin  a finding that says much more",
        "       than the width of its column",
        "       has room for",
        "short  short",
    ] == drawn(shown)
    assert [True, False, False, True] == [row.is_selectable for row in shown.rows]
    assert 4 == len({row.key for row in shown.rows})


def test_without_rows_for_all_of_it_a_text_is_cut_and_a_later_one_may_be_whole() -> None:
    two = "another finding that needs two lines"

    shown = drawn(wrapped_rows(table(WORDS, two), CELLS, 3))

    assert 3 == len(shown)
    assert shown[0].endswith("…")
    assert ["another finding that needs two", "lines"] == [each[7:] for each in shown[1:]]


def test_where_all_fits_or_nothing_is_free_the_table_is_the_same() -> None:
    assert table("short") == wrapped_rows(table("short"), CELLS, 10)
    full = table(WORDS, WORDS)
    assert full is wrapped_rows(full, CELLS, 2)


def test_a_narrow_last_column_is_not_wrapped() -> None:
    slim: Column[str] = Column("w", "W", 6, Cell, is_right=False)
    narrow = Table((COLUMNS[0], slim), table(WORDS).rows)

    assert narrow is wrapped_rows(narrow, CELLS, 10)


def test_a_disk_has_its_serial_number_where_its_name_has_no_room() -> None:
    text = "ata-HGST_HUH728080ALE604_VLGX4P7Y is FAULTED"

    assert ["ata-H  VLGX4P7Y is FAULTED"] == drawn(table(text))
    wide = TableLines(Table((COLUMNS[1],), (Row("a", (Cell("x_VLGX4P7Y is FAULTED"),)),)), CELLS)
    assert "x_VLGX4P7Y is FAULTED" == plain(wide.line(0)).rstrip()


def test_a_name_that_is_wider_than_the_column_is_not_broken_within() -> None:
    text = "ata-HGST_HUH728080ALE604_VLGX4P7Y-part1 has more to say than fits"

    assert ["VLGX4P7Y has more to say than", "fits"] == [
        each[7:] for each in drawn(wrapped_rows(table(text), CELLS, 4))
    ]


def menu(*explained: str) -> FixedLines:
    """Lines of a menu: a title, and what it does."""
    lines: tuple[Line, ...] = tuple(line("Title  ", (each, "dim")) for each in explained)
    return FixedLines(lines, tuple(each[:5] for each in explained))


def test_an_explanation_of_a_menu_goes_on_below_itself_and_takes_no_cursor() -> None:
    shown = wrapped_lines(menu(WORDS, "short"), CELLS, 10)

    assert [
        "Title  a finding that says much more",
        "       than the width of its column",
        "       has room for",
        "Title  short",
    ] == [plain(each) for each in shown.lines]
    assert [True, False, False, True] == [shown.is_selectable(at) for at in range(len(shown))]
    assert ["a fin", "short"] == [shown.key(at) for at in (0, 3)]


def test_a_menu_without_room_cuts_as_before() -> None:
    shown = wrapped_lines(menu(WORDS, WORDS), CELLS, 2)

    assert 2 == len(shown)
    assert all(line_width(each) <= CELLS and plain(each).endswith("…") for each in shown.lines)

"""Lines of a document as plain text: nothing is lost but colours, and no terminal obeys it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.reports.text.styled_text_to_plain_text import printed, printed_table
from zconsole.views.layout.styled_text import EMPTY, Line, line, line_width, plain, whole
from zconsole.views.layout.table import Cell, Column, Row, Table

PARTS = st.lists(st.tuples(st.text(max_size=12), st.sampled_from(["text", "bad"])), max_size=6)
WORDS = st.lists(st.text("abcé日", min_size=1, max_size=8), min_size=1, max_size=12)


def test_a_line_is_printed_without_its_colours() -> None:
    assert ["LOST     2 objects"] == list(printed([line(("LOST     ", "bad"), "2 objects")]))


def test_spaces_at_the_end_of_a_line_are_not_printed() -> None:
    assert ["a", ""] == list(printed([line("a ", (" ", "dim")), line("  ")]))


def test_an_empty_line_stays_a_line_at_any_width() -> None:
    assert [""] == list(printed([EMPTY]))
    assert [""] == list(printed([EMPTY], 20))


def test_a_long_line_hangs_under_its_text() -> None:
    document = [line(("RUNS     ", "section"), "zpool offline tank sdb")]

    assert ["RUNS     zpool", "         offline", "         tank sdb"] == list(printed(document, 18, 9))


def test_a_text_of_any_length_is_printed_whole() -> None:
    command = "zfs destroy " + ",".join(f"tank@{number}" for number in range(2000))

    assert [command] == list(printed([whole(command)]))


def test_a_table_is_as_wide_as_its_cells_and_leaves_out_what_is_not_known() -> None:
    columns = (
        Column("a", "NAME", 2, Cell, is_right=False),
        Column("b", "SIZE", 1, Cell),
        Column("c", "PRICE", 1, Cell),
    )
    rows = (
        Row("1", (Cell("a-long-name", tail=" ▲"), Cell("7"), Cell("·"))),
        Row("2", line=line("a sentence")),
        Row("3", (Cell("日本", lead="└ "), Cell(spans=line("12", (" MiB", "dim"))), Cell("·"))),
    )

    assert [
        "NAME             SIZE",
        "a-long-name ▲       7",
        "a sentence",
        "└ 日本         12 MiB",
    ] == list(printed_table(Table(columns, rows)))


@given(PARTS)
def test_no_terminal_obeys_what_is_printed(parts: list[tuple[str, str]]) -> None:
    for text in printed([line(*parts)]):
        assert text.isprintable()


@given(WORDS, st.integers(0, 6), st.integers(0, 9), st.integers(20, 60))
def test_wrapping_loses_no_letter_and_stays_within_its_width(
    words: list[str], indent: int, hanging: int, cells: int
) -> None:
    document: Line = line(" " * indent, " ".join(words))

    pieces = list(printed([document], cells, hanging))

    assert all(line_width(line(piece)) <= cells for piece in pieces)
    assert plain(document).replace(" ", "") == "".join(pieces).replace(" ", "")

"""Styled lines and tables as plain text for a terminal or a file.

Colours are left out, so a document must say in words what its colours say; control characters are visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import UNKNOWN
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.labelled_paragraph import ParagraphLabel, wrapped
from zconsole.views.layout.styled_text import HANGING, Line, hang, plain
from zconsole.views.layout.table import Cell, Table

GAP: Final = "  "  # between two columns


def printed(lines: Iterable[Line], cells: int | None = None, hanging: int = HANGING) -> Iterator[str]:
    """Yield lines as text without control sequences and trailing spaces.

    A line wider than `cells` is wrapped: a paragraph beside its label, any other line with `hanging` cells of
    further indentation. Without `cells` a line stays one line, so that a command can be copied and a line can
    be searched for.
    """
    for words in lines:
        for piece in (words,) if cells is None else _pieces(words, cells, hanging):
            yield visible(plain(piece)).rstrip(" ")


def printed_table(table: Table) -> Iterator[str]:
    """Yield a table with its titles, each column as wide as its widest cell.

    A column without known values is left out.
    """
    texts = [[_text(cell) for cell in row.cells] for row in table.rows if row.line is None]
    known = [
        at
        for at in range(len(table.columns))
        if any(row[at] not in {"", UNKNOWN} for row in texts) or not texts
    ]
    widths = {
        at: max([width(table.columns[at].title), *(width(row[at]) for row in texts)], default=0)
        for at in known
    }

    def placed(cells: list[str]) -> str:
        parts = []
        for at in known:
            blanks = " " * (widths[at] - width(cells[at]))
            parts.append(blanks + cells[at] if table.columns[at].is_right else cells[at] + blanks)
        return GAP.join(parts).rstrip(" ")

    yield placed([column.title for column in table.columns])
    cells = iter(texts)
    for row in table.rows:
        yield placed(next(cells)) if row.line is None else next(printed([row.line]))


def _text(cell: Cell) -> str:
    return visible(cell.lead + (plain(cell.spans) if cell.spans else cell.text) + cell.tail)


def _pieces(words: Line, cells: int, hanging: int) -> Iterable[Line]:
    return (
        wrapped(words, cells)
        if words and isinstance(words[0], ParagraphLabel)
        else hang(words, cells, hanging)
    )

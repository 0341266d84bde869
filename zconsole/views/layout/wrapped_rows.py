"""Texts of a table and of a menu on further lines, where these have room for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.styled_text import FixedLines, Line, Span, fit, line, line_width, wrap
from zconsole.views.layout.table import GAP, Row, Table, place

LEAST_CELLS = 20  # of a text on several lines; a narrower one is hard to read
MARK_OF_MORE = "\0"  # in the key of a further line, behind that of its row


def wrapped_rows(table: Table, cells: int, room: int) -> Table:
    """The table with the text of its last column whole, the first rows first, within so many rows in all."""
    spare = room - len(table.rows)
    placed = place(table.columns, cells)
    if spare <= 0 or not placed.places or placed.places[-1][0].is_right:
        return table
    _, index, last = placed.places[-1]
    indent = sum(cells + GAP for _, _, cells in placed.places[:-1])
    if last < LEAST_CELLS:
        return table
    rows = list[Row]()
    for row in table.rows:
        first, further = _parts(row, index, last, spare)
        spare -= len(further)
        rows.append(first)
        rows += (
            Row(f"{row.key}{MARK_OF_MORE}{at}", line=(Span(" " * indent), *part), is_selectable=False)
            for at, part in enumerate(further)
        )
    return replace(table, rows=tuple(rows))


def _parts(row: Row, index: int, cells: int, spare: int) -> tuple[Row, Sequence[Line]]:
    cell = row.cells[index] if row.line is None else None
    if cell is None or cell.spans or width(cell.text) + width(cell.lead) + width(cell.tail) <= cells:
        return row, ()
    if cell.lead or cell.tail:
        return row, ()
    has_room = all(width(word) <= cells for word in cell.text.split(" "))
    text = cell.text if has_room else with_serials(cell.text)
    first, *further = wrap(line((text, cell.style)), cells)
    if len(further) > spare:
        return row, ()
    shown = replace(cell, text="".join(span.text for span in first))
    return replace(row, cells=(*row.cells[:index], shown, *row.cells[index + 1 :])), further


def wrapped_lines(lines: FixedLines, cells: int, room: int) -> FixedLines:
    """Lines of a menu with their explanations whole, the first lines first, within so many lines in all."""
    spare = room - len(lines)
    found, keys, further = list[Line](), list[str](), set[int]()
    for at in range(len(lines)):
        parts = tuple(_wrapped(lines.line(at), cells))
        if len(parts) - 1 > spare:
            parts = (lines.line(at),)
        spare -= len(parts) - 1
        further.update(range(len(found) + 1, len(found) + len(parts)))
        found += parts
        keys += (
            f"{lines.key(at)}{MARK_OF_MORE}{part}" if part else lines.key(at) for part in range(len(parts))
        )
    return FixedLines(tuple(fit(each, cells) for each in found), tuple(keys), frozenset(further))


def _wrapped(spans: Line, cells: int) -> Iterator[Line]:
    """A line whose explanation, its last span, goes on below itself."""
    if line_width(spans) <= cells or not spans:
        yield spans
        return
    indent = line_width(spans[:-1])
    if cells - indent < LEAST_CELLS:
        yield spans
        return
    first, *further = wrap((spans[-1],), cells - indent)
    yield (*spans[:-1], *first)
    for part in further:
        yield (Span(" " * indent), *part)

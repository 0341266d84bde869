"""Filtering and sorting of table rows; a tree stays a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.analysis.search.timed_regex import BadPatternError, TimedPattern, TimeLimit, literal
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import Row, Table

LIMIT_S: Final = 0.05  # of CPU for filtering a list, which holds the screen; and what each of its rows adds
ROW_LIMIT_S: Final = 10e-6
LONGEST_TEXT: Final = 1000  # characters of a row that a filter looks into; more do not fit on a screen
TOO_SLOW: Final = "the expression takes too long"
_PLAIN: Final = re.compile(r"[\w\s%@:/,=-]*")  # means itself


@dataclass(slots=True)
class RowFilter:
    """What the rows of lists must fit; once given up, all rows do."""

    pattern: re.Pattern[str] | TimedPattern[str]
    limit: TimeLimit | None = None  # none where nothing can take long
    is_given_up: bool = False

    def matches(self, rows: Sequence[Row]) -> list[bool]:
        """Whether each row fits."""
        if self.limit is not None:
            self.limit.begin(LIMIT_S + ROW_LIMIT_S * len(rows))
        try:
            if not self.is_given_up:
                return [row.is_selectable and bool(self.pattern.search(row_text(row))) for row in rows]
        except TimeoutError:
            self.is_given_up = True
        return [True] * len(rows)


@dataclass(frozen=True, slots=True)
class SortFilter:
    """Which rows of a table are shown, and in which order."""

    words: str = ""  # that a row must match; none is every row
    column: str | None = None  # by which they are sorted; None is the order that they come in
    is_reverse: bool = False
    _filter: RowFilter | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_filter", row_filter(self.words) if self.words else None)

    def of(self, table: Table) -> Table:
        """The table in that shape."""
        if self._filter is not None:
            table = filtered(table, self._filter)
        if self.column is not None:
            table = ordered(table, self.column, is_reverse=self.is_reverse)
        return table

    @property
    def is_given_up(self) -> bool:
        """Whether the filter took too long, so that all rows are shown."""
        return self._filter is not None and self._filter.is_given_up


def row_filter(words: str) -> RowFilter:
    """What the user typed: a regular expression if it is one, otherwise the very words; any case."""
    if _PLAIN.fullmatch(words):
        return RowFilter(literal(words))
    limit = TimeLimit()
    try:
        return RowFilter(TimedPattern(words, limit), limit)
    except BadPatternError:
        return RowFilter(literal(words))


def filtered(table: Table, wanted: RowFilter) -> Table:
    """The rows that match, and those that they stand below."""
    kept: list[Row] = []
    needed = 0  # rows of a smaller depth than this are above something that was kept
    for row, is_wanted in zip(reversed(table.rows), reversed(wanted.matches(table.rows)), strict=True):
        if is_wanted or row.depth < needed:
            kept.append(row)
            needed = row.depth
    return replace(table, rows=tuple(reversed(kept)))


def row_text(row: Row) -> str:
    """All that a filter looks into."""
    shown = plain(row.line) if row.line is not None else " ".join(cell.text for cell in row.cells)
    return f"{shown[:LONGEST_TEXT]} {row.words[:LONGEST_TEXT]}"


def ordered(table: Table, column_id: str, *, is_reverse: bool) -> Table:
    """Siblings sorted by a column, largest first unless turned round; unknown values come last."""
    index = next((at for at, column in enumerate(table.columns) if column.id == column_id), None)
    if index is None:
        return table
    return replace(table, rows=tuple(_sorted(table.rows, index, is_reverse=is_reverse)))


def _sorted(rows: Sequence[Row], index: int, *, is_reverse: bool) -> list[Row]:
    """Sort the blocks of equal depth between headings, each with what stands below it."""
    if not rows:
        return []
    top = min(row.depth for row in rows)
    result: list[Row] = []
    run: list[tuple[Row, Sequence[Row]]] = []
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and rows[end].depth > top:
            end += 1
        head = rows[at]
        below = _sorted(rows[at + 1 : end], index, is_reverse=is_reverse)
        if head.line is not None or head.depth > top:
            result += _flat(run, index, is_reverse=is_reverse)
            run = []
            result += [head, *below]
        else:
            run.append((head, below))
        at = end
    return result + _flat(run, index, is_reverse=is_reverse)


def _flat(run: list[tuple[Row, Sequence[Row]]], index: int, *, is_reverse: bool) -> list[Row]:
    known = [item for item in run if item[0].cells[index].sort is not None]
    unknown = [item for item in run if item[0].cells[index].sort is None]
    if any(isinstance(item[0].cells[index].sort, str) for item in known):  # words: from A on
        known.sort(key=lambda item: str(item[0].cells[index].sort).lower(), reverse=is_reverse)
    else:
        known.sort(key=lambda item: float(item[0].cells[index].sort or 0.0), reverse=not is_reverse)
    return [row for head, below in [*known, *unknown] for row in (head, *below)]

"""Filtering and sorting of table rows; a tree stays a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.table import Row, Table

if TYPE_CHECKING:
    from zconsole.views.layout.filter_rows_by_words import RowFilter

TOO_SLOW: Final = "the expression takes too long"


@dataclass(frozen=True, slots=True)
class SortFilter:
    """Filter and order of a table's rows."""

    words: str = ""  # that a row must match; None is every row
    column: str | None = None  # the sort column; None is the original order
    is_reverse: bool = False
    _filter: RowFilter | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_filter", _row_filter(self.words) if self.words else None)

    def of(self, table: Table, now: float) -> Table:
        """The filtered and sorted table; `now` in epoch seconds."""
        if self._filter is not None:
            table = self._filter.filtered(table, now)
        if self.column is not None:
            table = ordered(table, self.column, is_reverse=self.is_reverse)
        return table

    @property
    def is_given_up(self) -> bool:
        """Whether the filter took too long, so that all rows are shown."""
        return self._filter is not None and self._filter.is_given_up

    @property
    def is_misworded(self) -> bool:
        """Whether a word of the filter cannot be understood, so that it is left out."""
        return self._filter is not None and bool(self._filter.problem)

    @property
    def taken_as_text(self) -> str:
        """A word that looks like a comparison with a column that there is not."""
        return "" if self._filter is None else self._filter.taken_as_text

    @property
    def problem(self) -> str:
        """The error in the words of the filter."""
        return "" if self._filter is None else self._filter.said


def _row_filter(words: str) -> RowFilter:
    from zconsole.views.layout.filter_rows_by_words import RowFilter  # noqa: PLC0415  # when somebody filters

    return RowFilter(words)


def has_words(text: str, words: str) -> bool:
    """Whether a text has each of the words, in any case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())


def place_of_words(text: str, words: str) -> tuple[bool, int]:
    """Where a text has the first of some words, to sort by: the beginnings of words come first."""
    folded, (first, *_) = text.casefold(), words.casefold().split()
    places = (at for at in range(len(folded)) if folded.startswith(first, at))
    begin = next((at for at in places if not at or not folded[at - 1].isalnum()), None)
    return (True, folded.find(first)) if begin is None else (False, begin)


def ordered(table: Table, column_id: str, *, is_reverse: bool) -> Table:
    """Siblings sorted by a column, largest first unless reversed; unknown values come last."""
    index = next((at for at, column in enumerate(table.columns) if column.id == column_id), None)
    if index is None:
        return table
    return replace(table, rows=tuple(_sorted(table.rows, index, is_reverse=is_reverse)))


def _sorted(rows: Sequence[Row], index: int, *, is_reverse: bool) -> list[Row]:
    """Sort the rows of equal depth between headings, each with the rows below it."""
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

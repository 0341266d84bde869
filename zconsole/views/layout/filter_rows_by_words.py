"""Filter of table rows in the query language, loaded with the first words of a filter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, Final

from zconsole.analysis.search.column_comparison import ColumnTest, column_test
from zconsole.analysis.search.query_terms import (
    Word,
    age_of,
    column_names,
    comparison,
    glob_of,
    regex_of,
    taken_as_text,
    while_typing,
    words_of,
)
from zconsole.analysis.search.timed_regex import TimeLimit
from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import Cell, Column, Row, Table

LIMIT_S: Final = 0.05  # of CPU time for a filter, which blocks the screen; plus an amount for each row
ROW_LIMIT_S: Final = 10e-6
LONGEST_TEXT: Final = 1000  # characters of a row that a filter reads; more do not fit on a screen
TIME: Final = "at"  # the column with the moment of a row
NS_PER_S: Final = 1e9
LATEST_S: Final = 1e12  # moments beyond are in nanoseconds

RowTest = Callable[[Row, float], bool]
Places = Mapping[str, tuple[int, Column[Any]]]


@dataclass(slots=True)
class RowFilter:
    """Filter of table rows in the query language; one that was given up matches every row."""

    words: str
    is_given_up: bool = False
    problem: str = ""  # the error in the words; the valid words before the last one count then
    _columns: tuple[Column[Any], ...] | None = None  # that the words were parsed for
    _tests: tuple[RowTest, ...] = ()
    _compared: tuple[ColumnTest, ...] = ()
    _limit: TimeLimit = field(default_factory=TimeLimit)

    def matches(self, table: Table, now: float) -> list[bool]:
        """Whether each row fits; `now` in epoch seconds."""
        if self._columns is None or self._columns != table.columns:
            self._columns, self.is_given_up = table.columns, False
            found, self.problem = while_typing(self.words, self._read)
            self._tests = found or ()
        rows = table.rows
        self._limit.begin(LIMIT_S + ROW_LIMIT_S * len(rows))
        try:
            if self._tests and not self.is_given_up:
                return [row.is_selectable and all(test(row, now) for test in self._tests) for row in rows]
        except TimeoutError:
            self.is_given_up = True
        return [True] * len(rows)

    def filtered(self, table: Table, now: float) -> Table:
        """The rows that match, and their parents."""
        kept: list[Row] = []
        needed = 0  # rows of a smaller depth than this are above something that was kept
        for row, is_wanted in zip(reversed(table.rows), reversed(self.matches(table, now)), strict=True):
            if is_wanted or row.is_beside or row.depth < needed:
                kept.append(row)
                needed = row.depth
        return replace(table, rows=tuple(reversed(kept)))

    @property
    def taken_as_text(self) -> str:
        """A word that looks like a comparison, with a column that there is not."""
        return taken_as_text(self.words, ((each.id, each.heading) for each in self._columns or ()))

    @property
    def said(self) -> str:
        """The error in the words, by themselves or for the columns."""
        return self.problem or next((said for each in self._compared if (said := each.said)), "")

    def _read(self, words: str) -> tuple[RowTest, ...]:
        """Parse the words into tests. Raises FilterError."""
        self._compared = ()
        columns = {column.id: (at, column) for at, column in enumerate(self._columns or ())}
        names = column_names((column.id, column.heading) for column in self._columns or ())
        return tuple(self._test(word, names, columns) for word in words_of(words))

    def _test(self, word: Word, names: Mapping[str, str], columns: Places) -> RowTest:
        if word.is_regex:
            return partial(_has_fit, regex_of(word, self._limit).search)
        compared = comparison(word, names)
        if compared is not None:
            at, column = columns[compared[0]]
            test = column_test(word, column.heading, compared)
            self._compared = (*self._compared, test)
            return partial(_fits_column, at, test)
        if (age := age_of(word)) is not None and TIME in columns:
            return partial(_is_aged, columns[TIME][0], *age)
        glob = glob_of(word)
        return partial(_has_text, word.text.lower()) if glob is None else partial(_has_cell, glob)


def _has_text(lowered: str, row: Row, _now: float) -> bool:
    return lowered in row_text(row).lower()


def _has_fit(search: Callable[[str], bool], row: Row, _now: float) -> bool:
    return search(row_text(row))


def _has_cell(glob: re.Pattern[str], row: Row, _now: float) -> bool:
    return any(glob.fullmatch(_cell_text(cell)) for cell in row.cells)


def _fits_column(at: int, test: ColumnTest, row: Row, _now: float) -> bool:
    return row.line is None and test.fits(_cell_text(row.cells[at]), row.cells[at].sort)


def _is_aged(at: int, is_older: bool, age_s: float, row: Row, now: float) -> bool:
    moment = row.cells[at].sort if row.line is None else None
    if not isinstance(moment, int | float):
        return False
    seconds = moment / NS_PER_S if moment > LATEST_S else moment
    return (now - seconds > age_s) == is_older


def _cell_text(cell: Cell) -> str:
    return plain(cell.spans) if cell.spans else cell.text


def row_text(row: Row) -> str:
    """The text of a row that a filter reads."""
    shown = plain(row.line) if row.line is not None else " ".join(map(_cell_text, row.cells))
    return f"{shown[:LONGEST_TEXT]} {row.words[:LONGEST_TEXT]}"

"""Table layout: rows of cells in fixed columns; the least needed columns are dropped first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, field, replace
from typing import Any, Final, Generic, TypeVar, overload

from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.base.size_units import UnitNames, used_units, with_used_unit
from zconsole.views.layout.escape_measure_cut_text import (
    ELLIPSIS,
    MAX_CHARACTERS,
    clean,
    cut,
    middle,
    whole_clauses,
    width,
)
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.styled_text import TEXT, Line, Span, fit, line_width, merge, of_clean

GAP: Final = 1  # cells between two columns
HEADER: Final = "header"
MARK_NEED: Final = 1000  # before any other column
SIGN: Final = 2  # cells of a column without a title on its own
LOOKED_AT: Final = 50  # rows, for what a column is sorted by
KNOWN_PIECES: Final = 256  # cells of which the pieces are kept; of a changing screen most are new each time
Subject = TypeVar("Subject")
Pieces = Sequence[tuple[str, str]]  # styles and texts


@fast_dataclass
class Cell:
    """Cell of a table: a text in a style, or several spans; `sort` is the sort key."""

    text: str = ""
    style: str = TEXT
    sort: float | str | None = None
    lead: str = ""  # before the text and never cut: the branches of a tree
    tail: str = ""  # behind the text and never cut: a glyph
    spans: Line = ()  # in place of text, for several styles
    keeps_end: bool = False  # on cutting: the last characters say more than the first
    shorter: str = ""  # in place of a text that does not fit: what distinguishes it
    whole: int = 0  # cells at its begin that are not cut as long as there is a `briefer` text: the same
    briefer: str = ""  # with names that have lost letters

    def __post_init__(self) -> None:
        text = self.text
        if not (text.isascii() and text.isprintable() and len(text) <= MAX_CHARACTERS):
            object.__setattr__(self, "text", clean(text))
        if self.shorter:
            object.__setattr__(self, "shorter", clean(self.shorter))
        if self.briefer:
            object.__setattr__(self, "briefer", clean(self.briefer))


@dataclass(frozen=True, slots=True)
class Column(Generic[Subject]):
    """Column of a table: its title and width, and the cell of a row's subject.

    `need` is the priority on a narrow terminal: the smallest is dropped first.
    """

    id: str
    title: str
    width: int
    cell: Callable[[Subject], Cell] = field(compare=False)  # the cells show a change
    need: int = 100
    is_right: bool = True
    grows_to: int | None = None  # may grow into spare room, up to this width
    grows_last_to: int | None = None  # into what the other columns have left, up to this width
    cuts_middle: bool = False
    mark: int = 0  # its cells at the begin of a row that has no room for it as it is: it judges the row
    narrow: int = 0  # its cells in such a row, where it may be shortened
    short_title: str = ""  # in place of a title that does not fit
    is_blank: bool = (
        False  # none of its cells tells anything: the others have its room, and no more of them come
    )

    @property
    def heading(self) -> str:
        """The title as it is drawn: one with MiB has the unit that the user has chosen."""
        return with_used_unit(self.title)


@dataclass(frozen=True, slots=True)
class ColumnSet(Generic[Subject]):
    """Set of columns that are shown together, where a table has more than fit."""

    id: str
    title: str
    columns: tuple[Column[Subject], ...]


def cells_of(columns: Sequence[Column[Subject]], subject: Subject) -> tuple[Cell, ...]:
    """The cells of a row: one for each column, made from its subject."""
    return tuple([column.cell(subject) for column in columns])


KnownPieces = dict[tuple[int, int], tuple[Cell, Pieces, int]]  # by the cell's id and its place among others


@fast_dataclass
class Row:
    """Row of a table: `key` is its identity. With `line`, a heading or sentence across all columns."""

    key: str
    cells: tuple[Cell, ...] = ()
    line: Line | None = None
    is_selectable: bool = True
    depth: int = 0
    words: str = ""  # more text that a filter reads
    is_beside: bool = False  # below the list and no part of it: no filter takes it away


class RowsOnDemand(Sequence[Row]):
    """Rows that are made when they are looked at: of three hundred disks, thirty are visible."""

    __slots__ = ("_count", "_made", "_make")

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._count = count
        self._make = make
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(self._count)))
        made = self._made.get(place)
        if made is None:
            at = range(self._count)[place]
            made = self._made[place] = self._make(at)
        return made


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, and rows whose cells stand in the columns' order."""

    columns: tuple[Column[Any], ...]
    rows: Sequence[Row]
    ordered_by: str | None = None  # the column that the rows are in the order of, from the largest on


def without(table: Table, column_id: str) -> Table:
    """The table without one column."""
    at = next(index for index, column in enumerate(table.columns) if column.id == column_id)
    rows = tuple(
        row if row.line is not None else replace(row, cells=row.cells[:at] + row.cells[at + 1 :])
        for row in table.rows
    )
    return replace(table, columns=table.columns[:at] + table.columns[at + 1 :], rows=rows)


@dataclass(frozen=True, slots=True)
class Placed:
    """The columns that fit, each with its index among the cells and its width."""

    places: tuple[tuple[Column[Any], int, int], ...]
    cells: int


def place(columns: Sequence[Column[Any]], cells: int) -> Placed:
    """Choose the columns that fit into a width, and share out the spare room."""
    kept = _kept(columns, cells)
    if any((each.mark or each.narrow) and (at, each) not in kept for at, each in enumerate(columns)):
        kept = _kept([_narrow(each) for each in columns], cells)
        kept.sort(key=lambda item: not item[1].mark)
    kept = [each for each in kept if not each[1].is_blank]
    widths = {index: column.width for index, column in kept}
    left = cells - sum(widths.values()) - GAP * (len(kept) - 1)
    for index, column in sorted(kept, key=lambda item: -item[1].need):
        if column.grows_to is not None and left > 0:
            more = min(left, column.grows_to - column.width)
            widths[index] += more
            left -= more
    for index, column in kept:
        if column.grows_last_to is not None and left > 0:
            more = max(0, min(left, column.grows_last_to - widths[index]))
            widths[index] += more
            left -= more
    if kept and left > 0 and kept[-1][1].grows_to is not None and not kept[-1][1].is_right:
        widths[kept[-1][0]] += left  # nothing else can have it: its words are not cut beside blanks
    return Placed(tuple((column, index, widths[index]) for index, column in kept), cells)


def with_room_for_arrow(placed: Placed, sorted_by: str | None) -> Placed:
    """The columns, with a cell of one that has grown for the arrow of the sort column.

    That is needed where its title fills it, and that of the next column begins right behind.
    """
    at = next((index for index, each in enumerate(placed.places) if each[0].id == sorted_by), None)
    if at is None or at == len(placed.places) - 1:
        return placed
    column, _, cells = placed.places[at]
    follows, _, follows_cells = placed.places[at + 1]
    is_apart = follows.is_right and width(follows.heading) < follows_cells
    if width(column.heading) != cells or is_apart or _word_and_mark(column.heading)[1]:
        return placed
    spare = [
        each for each in range(len(placed.places)) if placed.places[each][2] > placed.places[each][0].width
    ]
    if at in spare or not spare:
        return placed
    more = {at: 1, max(spare, key=lambda each: placed.places[each][2]): -1}
    places = ((each, index, had + more.get(no, 0)) for no, (each, index, had) in enumerate(placed.places))
    return Placed(tuple(places), placed.cells)


def _kept(columns: Sequence[Column[Any]], cells: int) -> list[tuple[int, Column[Any]]]:
    kept = list(enumerate(columns))
    while len(kept) > 1 and sum(column.width + GAP for _, column in kept) - GAP > cells:
        kept.remove(min(kept, key=lambda item: (item[1].need, -item[0])))
    return kept


def _narrow(column: Column[Any]) -> Column[Any]:
    """A column of a row that has no room for all that judges it."""
    if column.mark:
        return replace(column, width=min(column.width, column.mark), need=MARK_NEED, grows_to=None)
    return replace(column, width=column.narrow or column.width)


def header(placed: Placed, *, sorted_by: str | None = None, is_descending: bool = True) -> Line:
    """The titles; that of the sort column has an arrow behind it, in the gap where it fills its column.

    Down is descending: from the largest number, or from Z on.
    """
    spans: list[Span] = []
    behind = ""
    for at, (column, _, cells) in enumerate(placed.places):
        title, gap, behind = column.heading, behind or " " * (GAP if at else 0), ""
        if width(title) > cells and column.short_title:
            title = column.short_title
        if column.id == sorted_by:
            arrow = "↓" if is_descending else "↑"
            word, mark = _word_and_mark(title)
            if mark:
                title = word + arrow + mark[1:]
            elif width(title) >= cells and at < len(placed.places) - 1:
                behind = arrow
            else:
                title = cut(title, cells - 1) + arrow
        spans += [
            Span(gap, HEADER),
            Span(_aligned(cut(title, cells) if cells > SIGN else "", column, cells), HEADER),
        ]
    return merge(spans)


def _word_and_mark(title: str) -> tuple[str, str]:
    """A title, and behind it the level that a bar has a mark at, with the blanks before it."""
    word, _, last = title.rpartition(" ")
    is_level = last.endswith("%") and last[:-1].isdigit()
    return (word.rstrip(), title[len(word.rstrip()) :]) if word and is_level else (title, "")


def column_at(placed: Placed, cell: int) -> str | None:
    """The id of the column at a cell of the header; a gap belongs to the column on its left."""
    at = 0
    for column, _, cells in placed.places:
        at += cells + GAP
        if 0 <= cell < at:
            return column.id
    return None


def draw(row: Row, placed: Placed, known: KnownPieces | None = None) -> Line:
    """A row as a line. Neighbouring texts of one style are one span, so that fewer colours are sent.

    `known` has the pieces of cells that were drawn before at the same places.
    """
    if row.line is not None:
        return fit(row.line, placed.cells)
    spans: list[Span] = []
    of_row, blanks, behind = row.cells, 0, 0  # spaces before the next text, and behind it
    style, text = TEXT, ""  # of the span that is being built
    for column, index, cells in placed.places:
        cell = of_row[index]
        words = cell.text
        if len(words) <= cells and not (cell.spans or cell.lead or cell.tail) and words.isascii():
            pieces: Pieces = ((cell.style, words),)  # mostly a number
            behind = cells - len(words)
        else:
            kept = None if known is None else known.get((id(cell), index))
            if kept is None or kept[0] is not cell:
                kept = (cell, *_pieces(cell, column, cells))
                if known is not None:
                    known[id(cell), index] = kept
            _, pieces, behind = kept
        if column.is_right and not cell.spans:
            blanks, behind = blanks + behind, 0
        for look, piece in pieces:
            if not piece:
                continue
            if blanks and look != TEXT:
                if style == TEXT:
                    text += " " * blanks
                else:
                    spans.append(of_clean(text, style))
                    style, text = TEXT, " " * blanks
            elif blanks:
                piece = " " * blanks + piece  # noqa: PLW2901
            blanks = 0
            if look == style:
                text += piece
            else:
                if text:
                    spans.append(of_clean(text, style))
                style, text = look, piece
        blanks += behind + GAP
    if blanks > GAP:
        ends = " " * (blanks - GAP)
        if style == TEXT:
            text += ends
        else:
            spans.append(of_clean(text, style))
            style, text = TEXT, ends
    if text:
        spans.append(of_clean(text, style))
    return tuple(spans)


def _pieces(cell: Cell, column: Column[Any], cells: int) -> tuple[Pieces, int]:
    """The styles and texts of a cell that is more than a short text, and the cells that they leave free."""
    if cell.spans:
        shown = fit(cell.spans, cells)
        return [(span.style, span.text) for span in shown], cells - line_width(shown)
    room = max(0, cells - width(cell.lead) - width(cell.tail))
    text = _cut(cell, column, cell.text, room)
    return (("rule", cell.lead), (cell.style, text + cell.tail)), room - width(text)


def _cut(cell: Cell, column: Column[Any], text: str, room: int) -> str:
    if cell.shorter and width(text) > room:
        return middle(cell.shorter, room)
    if cell.keeps_end and text.isascii() and len(text) > room > 1:
        return text[0] + ELLIPSIS + text[len(text) - room + 2 :]
    if column.cuts_middle:
        return middle(text, room)
    if width(text) > room:
        text = cell.briefer if cell.briefer and room < cell.whole else with_serials(text)
    return cut(text, room) if column.is_right else whole_clauses(text, room)


def _aligned(text: str, column: Column[Any], cells: int) -> str:
    return " " * (cells - width(text)) + text if column.is_right else text + " " * (cells - width(text))


@dataclasses.dataclass(slots=True)  # it has an InitVar
class TableLines:
    """Table as lines for a list, behind a margin; each line is drawn when it is looked at, and kept.

    Lines of unchanged rows are taken over from `before`.
    """

    table: Table
    cells: int
    margin: Line = ()
    before: InitVar[TableLines | None] = None
    sorted_by: str | None = None  # the column with the arrow
    placed: Placed = field(init=False)
    _drawn: dict[int, Line] = field(init=False, default_factory=dict)
    _kept: dict[str, tuple[Row, Line]] = field(init=False, default_factory=dict)  # by the row's key
    _known: Mapping[str, tuple[Row, Line]] = field(init=False, default_factory=dict)  # the same, from before
    _pieces: KnownPieces = field(init=False, default_factory=dict)
    _header: tuple[str | None, bool, UnitNames, Line] | None = field(init=False, default=None)

    def __post_init__(self, before: TableLines | None) -> None:
        self.sorted_by = self.sorted_by or self.table.ordered_by
        is_placed = before is not None and before.table.columns is self.table.columns
        is_placed = is_placed and before is not None and before.sorted_by == self.sorted_by
        if before is not None and is_placed and before.cells == self.cells:
            self.placed, self._header = before.placed, before._header  # noqa: SLF001 - of the same kind
        else:
            self.placed = with_room_for_arrow(place(self.table.columns, self.cells), self.sorted_by)
        if before is not None and before.placed == self.placed and before.margin == self.margin:
            self._known = before._kept  # noqa: SLF001 - of the same kind
            if len(before._pieces) < KNOWN_PIECES:  # noqa: SLF001 - the same
                self._pieces = before._pieces  # noqa: SLF001 - the same

    def header(self, sorted_by: str | None, *, is_reverse: bool) -> Line:
        """The titles above the lines; those of before where nothing of them has changed."""
        units = used_units()
        if sorted_by is None and self.table.ordered_by is not None:
            sorted_by, is_reverse = self.table.ordered_by, False
        is_descending = sorted_by is None or self._has_words(sorted_by) == is_reverse
        if self._header is None or self._header[:3] != (sorted_by, is_descending, units):
            head = header(self.placed, sorted_by=sorted_by, is_descending=is_descending)
            self._header = sorted_by, is_descending, units, (Span(" ", HEADER), *head)
        return self._header[3]

    def _has_words(self, column_id: str) -> bool:
        """Whether a column is sorted as words, from A on, by the first of its cells that are known."""
        at = next((at for at, each in enumerate(self.table.columns) if each.id == column_id), None)
        if at is None:
            return False
        for index in range(min(len(self.table.rows), LOOKED_AT)):
            row = self.table.rows[index]
            if row.line is None and (known := row.cells[at].sort) is not None:
                return isinstance(known, str)
        return not self.table.columns[at].is_right

    def __len__(self) -> int:
        return len(self.table.rows)

    def line(self, index: int) -> Line:
        drawn = self._drawn.get(index)
        if drawn is None:
            row = self.table.rows[index]
            known = self._known.get(row.key)
            if known is not None and known[0] == row:
                drawn = known[1]
            else:
                drawn = (*self.margin, *draw(row, self.placed, self._pieces))
            self._drawn[index] = drawn
            self._kept[row.key] = row, drawn
        return drawn

    def key(self, index: int) -> str:
        return self.table.rows[index].key

    def is_selectable(self, index: int) -> bool:
        return self.table.rows[index].is_selectable

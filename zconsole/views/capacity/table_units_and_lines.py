"""Units and lines of the planner's tables: one unit a column, chosen by the largest value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import Cell, Table, TableLines, header

_STEPS: Final = ((10**12, 1 << 40, "T"), (10**9, 1 << 30, "G"), (10**6, 1 << 20, "M"))


@dataclass(frozen=True, slots=True)
class Units:
    """A decimal unit and the binary one beside it."""

    decimal: int
    binary: int
    letter: str

    @property
    def names(self) -> tuple[str, str]:
        """`TB` and `TiB`."""
        return f"{self.letter}B", f"{self.letter}iB"

    def in_decimal(self, size_bytes: int, style: str = "text") -> Cell:
        """A size in powers of ten."""
        return Cell(_number(size_bytes / self.decimal), style)

    def in_binary(self, size_bytes: int, style: str = "text") -> Cell:
        """A size in powers of two."""
        return Cell(_number(size_bytes / self.binary), style)


def units(sizes_bytes: Iterable[int]) -> Units:
    """Return the units in which the largest value has digits before the point."""
    largest = max((abs(size) for size in sizes_bytes), default=0)
    return next((Units(*step) for step in _STEPS if largest >= step[0]), Units(*_STEPS[-1]))


def table_lines(table: Table, cells: int) -> Iterator[Line]:
    """A table with its header, as lines of text."""
    drawn = TableLines(table, cells)
    yield header(drawn.placed)
    for at in range(len(drawn)):
        yield drawn.line(at)


def _number(value: float) -> str:
    return f"{value:,.2f}" if abs(value) < 9999.5 else f"{value:,.0f}"

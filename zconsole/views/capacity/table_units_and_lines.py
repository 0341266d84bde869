"""Units and lines of the planner's tables: one unit a column, chosen by the largest value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import TB, TIB, with_digits
from zconsole.base.size_units import used_units
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import Cell, Table, TableLines, header

_THOUSAND: Final = 1000
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


@dataclass(frozen=True, slots=True)
class SizeUnit:
    """One unit for all numbers of a calculation, so that it can be checked by hand."""

    size_bytes: int
    name: str

    def words(self, size_bytes: float, digits: int = 4) -> str:
        """A size in this unit, with so many digits that count."""
        return f"{with_digits(size_bytes / self.size_bytes, digits)} {self.name}"


IN_TB: Final = SizeUnit(TB, "TB")
IN_TIB: Final = SizeUnit(TIB, "TiB")
PRECISE: Final = 7  # digits that count of what is calculated with
RESULT: Final = 5  # and of what comes out, so that a check by hand arrives at the same


def size_unit(size_bytes: int) -> SizeUnit:
    """The unit in which this size has digits before the point, binary or decimal as the user has chosen."""
    found = units([size_bytes])
    is_decimal = used_units().base == _THOUSAND
    return SizeUnit(found.decimal if is_decimal else found.binary, found.names[0 if is_decimal else 1])


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

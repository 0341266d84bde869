"""Scenarios that are kept, side by side, with the one in the fields on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.analysis.capacity.scenario import ScenarioFigures as Plan
from zconsole.base.formatting import UNKNOWN
from zconsole.views.capacity.layouts import odds_words, short
from zconsole.views.capacity.number_tables import Units, table_lines, units
from zconsole.views.layout.phrases import counted
from zconsole.views.layout.styled_text import Line, line, wrap
from zconsole.views.layout.table import Cell, Column, Row, Table


def kept_lines(plans: Sequence[Plan], problem: str, others: int, cells: int) -> Iterator[Line]:
    """The first of `plans` is that of the fields."""
    if problem:
        yield from wrap(line((problem, "warn")), cells)
    if len(plans) > 1:
        size = units([*(each.usable_bytes for each in plans), *(each.raw_bytes for each in plans)])
        rows = tuple(Row(str(at), _cells(each, size, is_first=not at)) for at, each in enumerate(plans))
        yield from table_lines(Table(_columns(size, plans), rows), cells)
    words = "s keeps what is in the fields under a name, o opens a scenario, x writes all of them to a file."
    if others:
        words += f" {counted(others, 'scenario')} of other pools: o shows them."
    yield from wrap(line((words, "dim")), cells)


def _columns(size: Units, plans: Sequence[Plan]) -> tuple[Column, ...]:
    tb, tib = size.names
    longest = max(len(each.name) for each in plans) + 2
    return (
        Column(
            "name", "  SCENARIO", 14, is_right=False, grows_to=max(14, min(longest, 40)), cuts_middle=True
        ),
        Column("layout", "LAYOUT", 16, need=90, is_right=False, grows_to=40, cuts_middle=True),
        Column("drives", "DRIVES", 6, need=85),
        Column("usable", f"USABLE {tb}", 9, need=95),
        Column("usable_tib", tib, 8, need=88),
        Column("enough", "ENOUGH", 6, need=93),
        Column("need", f"NEED {tb}", 8, need=80),
        Column("any", "SURVIVES", 8, need=70),
        Column("loss", "LOST IN A YEAR", 16, need=60),
        Column("price", "PRICE", 10, need=75),
        Column("drive", "DRIVE", 10, need=65),
        Column("growth", "GROWTH", 8, need=50),
    )


def _cells(each: Plan, size: Units, *, is_first: bool) -> tuple[Cell, ...]:
    return (
        Cell(f"{'▸' if is_first else ' '} {each.name}", "ok" if is_first else "text"),
        Cell(short(each.layout), "text" if each.is_advised else "warn"),
        Cell(str(each.drives)),
        *size.cells(each.usable_bytes),
        Cell("yes", "ok") if each.is_enough else Cell("no", "warn"),
        size.in_decimal(each.raw_bytes),
        Cell(f"any {each.survives_any}" if each.survives_any else "none"),
        Cell(odds_words(each.yearly_loss)),
        Cell(UNKNOWN, "dim") if each.price is None else Cell(f"{each.price:,.0f}"),
        Cell(each.texts.get("drive", "")),
        Cell(each.texts.get("growth", "")),
    )

"""Saved scenarios side by side, with the scenario in the fields on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.analysis.capacity.scenario_figures_and_export import ScenarioFigures as Plan
from zconsole.base.fixed_width_formatting import UNKNOWN
from zconsole.views.capacity.layout_comparison import odds_words, short
from zconsole.views.capacity.table_units_and_lines import Units, table_lines, units
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import Line, line, wrap
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of


def kept_lines(plans: Sequence[Plan], problem: str, others: int, cells: int) -> Iterator[Line]:
    """Return the comparison; the first of `plans` is the scenario in the fields."""
    if problem:
        yield from wrap(line((problem, "warn")), cells)
    if len(plans) > 1:
        size = units([*(each.usable_bytes for each in plans), *(each.raw_bytes for each in plans)])
        columns = _columns(size, plans)
        rows = tuple(Row(str(at), cells_of(columns, each)) for at, each in enumerate(plans))
        yield from table_lines(Table(columns, rows), cells)
    elif not problem:
        yield line(("No scenario of this pool is saved yet.", "text"))
    words = (
        "Ctrl+S saves the fields, Ctrl+O opens a scenario, W writes all of them to a file."
        if len(plans) > 1 or problem
        else "To compare: Ctrl+S saves these fields under a name, then change them; both are shown here."
    )
    if others:
        words += f" {counted(others, 'scenario')} of other pools: Ctrl+O shows them."
    yield from wrap(line((words, "dim")), cells)


def _columns(size: Units, plans: Sequence[Plan]) -> tuple[Column[Plan], ...]:
    tb, tib = size.names
    grows_to = max(14, min(max(len(each.name) for each in plans) + 2, 40))

    def name(each: Plan) -> Cell:
        return Cell(f"▸ {each.name}", "ok") if each is plans[0] else Cell(f"  {each.name}")

    def layout(each: Plan) -> Cell:
        return Cell(short(each.layout), "text" if each.is_advised else "warn")

    return (
        Column("name", "  SCENARIO", 14, name, is_right=False, grows_to=grows_to, cuts_middle=True),
        Column("layout", "LAYOUT", 16, layout, need=90, is_right=False, grows_to=40, cuts_middle=True),
        Column("drives", "DRIVES", 6, lambda each: Cell(str(each.drives)), need=85),
        Column("usable", f"USABLE {tb}", 9, lambda each: size.in_decimal(each.usable_bytes), need=95),
        Column("usable_tib", tib, 8, lambda each: size.in_binary(each.usable_bytes), need=88),
        Column("enough", "ENOUGH", 6, _enough, need=93),
        Column("need", f"NEED {tb}", 8, lambda each: size.in_decimal(each.raw_bytes), need=80),
        Column("any", "SURVIVES", 8, _any, need=70),
        Column("loss", "LOSS PER YEAR", 16, lambda each: Cell(odds_words(each.yearly_loss)), need=60),
        Column("price", "PRICE", 10, _price, need=75),
        Column("drive", "DRIVE", 10, lambda each: Cell(each.texts.get("drive", "")), need=65),
        Column("growth", "GROWTH", 8, lambda each: Cell(each.texts.get("growth", "")), need=50),
    )


def _enough(each: Plan) -> Cell:
    return Cell("yes", "ok") if each.is_enough else Cell("no", "warn")


def _any(each: Plan) -> Cell:
    return Cell(f"any {each.survives_any}" if each.survives_any else "none")


def _price(each: Plan) -> Cell:
    return Cell(UNKNOWN, "dim") if each.price is None else Cell(f"{each.price:,.0f}")

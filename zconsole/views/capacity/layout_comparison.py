"""Comparison of layouts as tables: capacity, failures survived, speed and cost; then the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.smallest_addition_to_pool import PoolAddition
from zconsole.analysis.capacity.vdevs_to_buy import Purchase
from zconsole.analysis.pool_layouts.layout_advice import SERIOUS, LayoutAdvice
from zconsole.analysis.pool_layouts.layout_comparison import Candidate
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import HOUR_S, Assumptions
from zconsole.base.fixed_width_formatting import SMALLEST_CHANCE, UNKNOWN, duration, odds, one_in
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import block_size, both
from zconsole.views.capacity.table_units_and_lines import Units, table_lines, units
from zconsole.views.layout.state_age_and_link_phrases import WARN, counted
from zconsole.views.layout.styled_text import EMPTY, Line, line, wrap, wrap_each
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

ONE_TABLE: Final = 140  # least cells for a single table
_MILLION: Final = 10**6


@dataclass(frozen=True, slots=True)
class LayoutComparison:
    """Layouts to compare, with the assumptions."""

    candidates: tuple[Candidate, ...]
    block_bytes: int
    assumed: Assumptions
    wanted_bytes: int | None = None  # least capacity of the pool, where it is known
    proposal: Candidate | None = None


def layout_lines(found: PlanningResults | None, cells: int) -> Iterator[Line]:
    """Return the advice in a line, the tables, the assumptions, and the notes on each layout."""
    if found is None:
        yield line(("Computing ...", "dim"))
        return
    if found.is_held_already:
        yield line(("The pool that is there holds it: nothing to buy. As a new pool:", "ok"))
    if found.addition is not None:
        yield from wrap(_addition_line(found.addition), cells)
    yield from wrap(proposal_line(found.proposal, found.why), cells)
    if found.bought is not None:
        yield from wrap(bought_line(found.bought, found.inputs.budget.systems), cells)
    of = LayoutComparison(
        found.candidates, found.inputs.block_bytes, found.inputs.assumed, found.wanted_bytes, found.proposal
    )
    for table in comparison_tables(of, is_one=cells >= ONE_TABLE):
        yield from table_lines(table, cells)
    yield from wrap_each([*assumption_lines(of), *candidate_lines(of)], cells)


def _addition_line(addition: PoolAddition) -> Line:
    """What is enough for the pool that is there, in the place of a new one."""
    layout = addition.layout
    return line(
        "With ",
        (short(layout.name), "title"),
        f" added, {counted(layout.drives, 'drive')}, the pool that is there holds it, "
        f"usable {both(addition.usable_bytes)}. As a new pool:",
    )


def proposal_line(proposal: Candidate | None, why: str) -> Line:
    """The proposal and its reason; or why there is none."""
    if proposal is None:
        return line((f"{why}.", "warn"))
    return line((f"▸ {short(proposal.layout.name)}: ", "ok"), f"{why}.")


def bought_line(bought: Purchase, systems: int) -> Line:
    """The layout that holds the data, and its used part."""
    layout = bought.layout
    all_systems = f"; {layout.drives * systems} drives in {systems} systems" if systems > 1 else ""
    return line(
        (short(layout.name), "title"),
        f" holds it: {layout.drives} drives, {both(layout.raw_bytes)}, usable {both(bought.usable_bytes)}, ",
        f"full {bought.used_percent_at_first:.0f} % at first, {bought.used_percent_at_end:.0f} % at the end"
        f"{all_systems}",
    )


def comparison_tables(of: LayoutComparison, *, is_one: bool = False) -> tuple[Table, ...]:
    """Return the tables of capacity and cost, failures survived and speed: two, or one where it fits."""
    size = units(each.usable_bytes for each in of.candidates)
    name, held, survived = _name_column(of), _held_columns(of, size), _survived_columns()
    if is_one:
        return (_table((name, *held, *survived), of.candidates),)
    return _table((name, *held), of.candidates), _table((name, *survived), of.candidates)


def assumption_lines(of: LayoutComparison) -> Iterator[Line]:
    """Return the meaning of the columns and the model behind them."""
    assumed = of.assumed
    enough = "" if of.wanted_bytes is None else f"Enough: holds {both(of.wanted_bytes)}. "
    words = (
        f"{enough}THEN: odds of surviving one failure more, and after that another one. R/W: times one "
        f"disk. Model: {assumed.yearly_failures:.2%} of disks fail a year, one by one; a resilver runs at "
        f"{assumed.rate_bytes_per_s / 1e6:.0f} MB/s a disk (half in a raidz) of pools {assumed.used:.0%} "
        f"full; without a spare it begins after {assumed.wait_s / HOUR_S:.0f} h. For comparison only."
    )
    yield line((words, "dim"))


def candidate_lines(of: LayoutComparison) -> Iterator[Line]:
    """Return growth and warnings for each layout."""
    for each in of.candidates:
        yield EMPTY
        yield line((short(each.layout.name), "title"))
        for step in each.steps:
            drives = counted(step.drives, "drive")
            cost = "" if each.price is None else f", {each.price / each.layout.drives * step.drives:,.2f}"
            words = f"{step.how}: {drives}{cost}, {both(step.gained_bytes)} more"
            yield line(("  next step: ", "dim"), words)
        yield from (advice_line(given) for given in each.advice)


def advice_line(given: LayoutAdvice) -> Line:
    """Return one piece of advice on a layout; serious advice is marked."""
    mark = (f"  {WARN} ", "warn") if given.id in SERIOUS else ("  · ", "dim")
    return line(mark, f"{given.text}.")


def short(layout: str) -> str:
    """Return the shortest notation of a layout."""
    return layout.replace(" spare stripe:", " spare:")


def odds_words(chance: float) -> str:
    """A small chance, short: `1 in 12 million`."""
    if not SMALLEST_CHANCE <= chance <= 1 / _MILLION:
        return one_in(chance)
    times = 1 / chance
    return f"1 in {times / _MILLION:.{0 if times >= 9.95 * _MILLION else 1}f} million"


def _table(columns: tuple[Column[Candidate], ...], candidates: Sequence[Candidate]) -> Table:
    """A row for each candidate; a column without known values is left out."""
    rows = [cells_of(columns, each) for each in candidates]
    known = [at for at in range(len(columns)) if any(row[at].text != UNKNOWN for row in rows)]
    kept = tuple(columns[at] for at in known)
    made = tuple(Row(str(number), tuple(row[at] for at in known)) for number, row in enumerate(rows))
    return Table(kept, made)


def _name_column(of: LayoutComparison) -> Column[Candidate]:
    longest = max((len(short(each.layout.name)) for each in of.candidates), default=0)

    def name(each: Candidate) -> Cell:
        words = short(each.layout.name)
        return Cell(f"▸ {words}", "ok") if each is of.proposal else Cell(f"{margin}{words}")

    margin = "" if of.wanted_bytes is None else "  "
    grows_to = max(18, min(longest + 2, 40))
    return Column("layout", f"{margin}LAYOUT", 18, name, is_right=False, grows_to=grows_to, cuts_middle=True)


def _held_columns(of: LayoutComparison, size: Units) -> tuple[Column[Candidate], ...]:
    tb, tib = size.names

    def at_block(each: Candidate) -> Cell:
        is_usual = each.usable_at_block_bytes == each.usable_bytes
        return Cell(UNKNOWN, "dim") if is_usual else size.in_binary(each.usable_at_block_bytes)

    def enough(each: Candidate) -> Cell:
        if of.wanted_bytes is None:
            return Cell(UNKNOWN, "dim")
        if each.held_bytes < of.wanted_bytes:
            return Cell("no", "warn")
        return Cell("yes", "ok") if each.is_sound else Cell(f"yes {WARN}", "warn")

    def price(each: Candidate) -> Cell:
        known = each.price_per_tib
        return Cell(UNKNOWN, "dim") if known is None else Cell(f"{known * size.binary / (1 << 40):,.2f}")

    return (
        Column("drives", "DRIVES", 6, lambda each: Cell(str(each.layout.drives)), need=60),
        Column("usable", f"USABLE {tb}", 9, lambda each: size.in_decimal(each.usable_bytes), need=95),
        Column("usable_tib", tib, 9, lambda each: size.in_binary(each.usable_bytes), need=90),
        Column("efficiency", "OF RAW", 6, lambda each: Cell(f"{each.efficiency:.1%}"), need=70),
        Column("block", f"{tib} AT {block_size(of.block_bytes)}", 14, at_block, need=65),
        Column("enough", "ENOUGH", 6, enough, need=93),
        Column("price", f"PRICE/{tib}", 9, price, need=68),
        Column("all", "PRICE", 10, _price, need=50),
        Column("power", "POWER", 7, _power, need=45),
    )


def _price(each: Candidate) -> Cell:
    return Cell(UNKNOWN, "dim") if each.price is None else Cell(f"{each.price:,.2f}")


def _power(each: Candidate) -> Cell:
    return Cell(UNKNOWN, "dim") if each.watts is None else Cell(f"{each.watts:.0f} W")


def _any(each: Candidate) -> Cell:
    certain = each.survival.any_failures
    return Cell(f"any {certain}" if certain else "none", "text" if certain else "bad")


def _then(each: Candidate) -> Cell:
    beyond = [odds(float(one)) for one in each.survival.odds[each.survival.any_failures :] if one]
    return Cell(" ".join(beyond[:2]) or odds(0.0), "text" if beyond else "dim")


def _digits(factor: float) -> str:
    return f"{factor:.3g}" if factor < 999.5 else f"{factor:.0f}"  # three digits


def _times(reads: float, writes: float) -> Cell:
    return Cell(f"{_digits(reads)}x/{_digits(writes)}x")


def _survived_columns() -> tuple[Column[Candidate], ...]:
    return (
        Column("any", "SURVIVES", 8, _any, need=94),
        Column("odds", "THEN", 9, _then, need=75),
        Column("loss", "LOSS PER YEAR", 16, lambda each: Cell(odds_words(each.yearly_loss)), need=80),
        Column("resilver", "RESILVER", 8, lambda each: Cell(duration(each.resilver_s)), need=74),
        Column("random", "RANDOM R/W", 10,
               lambda each: _times(each.speed.random_reads, each.speed.random_writes), need=73),
        Column("stream", "STREAM R/W", 10,
               lambda each: _times(each.speed.stream_reads, each.speed.stream_writes), need=60),
    )  # fmt: skip

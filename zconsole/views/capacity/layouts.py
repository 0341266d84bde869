"""Layouts side by side, as tables: what they hold, survive, do and cost; then the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.capacity.results import SERIOUS, Answers
from zconsole.analysis.pool_layouts.comparison import Candidate
from zconsole.analysis.pool_layouts.loss_risk import HOUR_S
from zconsole.base.formatting import UNKNOWN, duration, one_in
from zconsole.base.quantities import block_size, both
from zconsole.views.capacity.number_tables import Units, table_lines, units
from zconsole.views.layout.phrases import WARN
from zconsole.views.layout.styled_text import EMPTY, Line, line, wrap
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

ONE_TABLE: Final = 140  # cells from which on all stands in one table
_MILLION: Final = 10**6
_BILLION: Final = 10**9


def layout_lines(found: Answers | None, cells: int) -> Iterator[Line]:
    """The advice in a line, the tables, what they rest on, and on each layout what is to be said."""
    if found is None:
        yield line(("Working it out ...", "dim"))
        return
    taken = found.pick
    told = line((f"▸ {short(taken.layout.name)}: ", "ok"), found.why) if taken else line((found.why, "warn"))
    yield from wrap(told, cells)
    size = units(each.usable_bytes for each in found.candidates)
    name, held, survived = _name_column(found), _held_columns(found, size), _survived_columns()
    for columns in [(name, *held, *survived)] if cells >= ONE_TABLE else [(name, *held), (name, *survived)]:
        yield from _table(columns, found.candidates, cells)
    yield from _rests_on(found, cells)
    order = sorted(range(len(found.candidates)), key=lambda at: at != found.chosen)
    for at in order:
        yield from _on_one(found.candidates[at], cells)


def short(layout: str) -> str:
    """A layout as it is written shortest."""
    return layout.replace(" spare stripe:", " spare:")


def odds_words(chance: float) -> str:
    """A small chance, short: `1 in 12 million`."""
    times = 1 / chance if chance > 0 else 0.0
    if times >= 1000 * _BILLION:
        return "never"
    for step, word in ((_BILLION, "billion"), (_MILLION, "million")):
        if times >= step:
            return f"1 in {times / step:.{0 if times >= 9.95 * step else 1}f} {word}"
    return one_in(chance)


def _table(
    columns: tuple[Column[Candidate], ...], candidates: Sequence[Candidate], cells: int
) -> Iterator[Line]:
    """A row for each candidate; a column of which nothing is known is left out."""
    rows = [cells_of(columns, each) for each in candidates]
    known = [at for at in range(len(columns)) if any(row[at].text != UNKNOWN for row in rows)]
    kept = tuple(columns[at] for at in known)
    made = tuple(Row(str(number), tuple(row[at] for at in known)) for number, row in enumerate(rows))
    yield from table_lines(Table(kept, made), cells)


def _name_column(found: Answers) -> Column[Candidate]:
    longest = max((len(short(each.layout.name)) for each in found.candidates), default=0)
    chosen = found.candidates[found.chosen] if found.chosen is not None else None

    def name(each: Candidate) -> Cell:
        words = short(each.layout.name)
        return Cell(f"▸ {words}", "ok") if each is chosen else Cell(f"  {words}")

    grows_to = max(18, min(longest + 2, 40))
    return Column("layout", "  LAYOUT", 18, name, is_right=False, grows_to=grows_to, cuts_middle=True)


def _held_columns(found: Answers, size: Units) -> tuple[Column[Candidate], ...]:
    tb, tib = size.names

    def at_block(each: Candidate) -> Cell:
        is_usual = each.usable_at_block_bytes == each.usable_bytes
        return Cell(UNKNOWN, "dim") if is_usual else size.in_binary(each.usable_at_block_bytes)

    def enough(each: Candidate) -> Cell:
        return Cell("yes", "ok") if found.is_enough(each) else Cell("no", "warn")

    def price(each: Candidate) -> Cell:
        known = each.price_per_tib
        return Cell(UNKNOWN, "dim") if known is None else Cell(f"{known * size.binary / (1 << 40):,.2f}")

    return (
        Column("drives", "DRIVES", 6, lambda each: Cell(str(each.layout.drives)), need=60),
        Column("usable", f"USABLE {tb}", 9, lambda each: size.in_decimal(each.usable_bytes), need=95),
        Column("usable_tib", tib, 9, lambda each: size.in_binary(each.usable_bytes), need=90),
        Column("efficiency", "OF RAW", 6, lambda each: Cell(f"{each.efficiency:.0%}"), need=70),
        Column("block", f"{tib} AT {block_size(found.inputs.block_bytes)}", 14, at_block, need=65),
        Column("enough", "ENOUGH", 6, enough, need=93),
        Column("price", f"PRICE/{tib}", 9, price, need=68),
    )


def _any(each: Candidate) -> Cell:
    certain = each.survival.any_failures
    return Cell(f"any {certain}" if certain else "none", "text" if certain else "bad")


def _then(each: Candidate) -> Cell:
    beyond = [f"{float(odds):.0%}" for odds in each.survival.odds[each.survival.any_failures :] if odds]
    return Cell(beyond[0] if beyond else "none", "text" if beyond else "dim")


def _times(reads: float, writes: float) -> Cell:
    return Cell(f"{reads:.3g}x/{writes:.3g}x")


def _survived_columns() -> tuple[Column[Candidate], ...]:
    return (
        Column("any", "SURVIVES", 8, _any, need=94),
        Column("odds", "THEN", 7, _then, need=75),
        Column("loss", "LOST IN A YEAR", 16, lambda each: Cell(odds_words(each.yearly_loss)), need=80),
        Column("resilver", "RESILVER", 8, lambda each: Cell(duration(each.resilver_s)), need=74),
        Column("random", "RANDOM R/W", 10,
               lambda each: _times(each.speed.random_reads, each.speed.random_writes), need=73),
        Column("stream", "STREAM R/W", 10,
               lambda each: _times(each.speed.stream_reads, each.speed.stream_writes), need=60),
    )  # fmt: skip


def _rests_on(found: Answers, cells: int) -> Iterator[Line]:
    assumed = found.inputs.assumed
    words = (
        f"Enough: holds {both(found.wanted_bytes)}. THEN: odds of surviving one failure more. R/W: times one "
        f"disk. Model: {assumed.yearly_failures:.2%} of disks fail a year, one by one; a resilver runs at "
        f"{assumed.rate_bytes_per_s / 1e6:.0f} MB/s a disk (half in a raidz) of pools {assumed.used:.0%} "
        f"full; without a spare it begins after {assumed.wait_s / HOUR_S:.0f} h. For comparing, no promise."
    )
    yield from wrap(line((words, "dim")), cells)


def _on_one(each: Candidate, cells: int) -> Iterator[Line]:
    yield EMPTY
    yield line((short(each.layout.name), "title"))
    for step in each.steps:
        drives = f"{step.drives} {'drive' if step.drives == 1 else 'drives'}"
        cost = "" if each.price is None else f", {each.price / each.layout.drives * step.drives:,.2f}"
        words = line(("next step: ", "dim"), f"{step.how}: {drives}{cost}, {both(step.gained_bytes)} more")
        yield from _indented(words, cells)
    for given in each.advice:
        mark = (f"{WARN} ", "warn") if given.id in SERIOUS else ("· ", "dim")
        yield from _indented(line(mark, f"{given.text}."), cells)


def _indented(words: Line, cells: int) -> Iterator[Line]:
    for each in wrap(words, cells - 2):
        yield line("  ", *each)

"""What-if changes of a live pool, as a table beside the pool now; typed changes in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults, WhatIfResult, full_in_days
from zconsole.analysis.forecast.forecast_sentences import span
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import UNKNOWN, duration
from zconsole.base.quantities import both
from zconsole.model.forecast import Forecast
from zconsole.views.capacity.table_units_and_lines import Units, table_lines, units
from zconsole.views.layout.state_age_and_link_phrases import BAD, counted
from zconsole.views.layout.styled_text import EMPTY, Line, line, wrap, wrap_each
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

NamedOutcome = tuple[str, ChangeOutcome]
TYPED: Final = "▸ "  # marks a typed change
_NOW: Final = "as it is now"
_DAY_S: Final = 86400.0
_TEN_YEARS: Final = 3652.5  # days


def change_lines(
    found: PlanningResults | None, forecast: Forecast | None, used: int | None, usable: int | None, cells: int
) -> Iterator[Line]:
    """Return the pool now, the typed changes, then the changes proposed for this pool."""
    if found is None or used is None or usable is None:
        yield line(("The pool has not been read.", "dim"))
        return
    pace = forecast.trend.bytes_per_day if forecast is not None and forecast.trend is not None else None
    told = [(_marked(each, found), each.outcome) for each in (*found.asked, *found.usual)]
    table = change_table(used, usable, [(name, one) for name, one in told if one is not None], pace)
    yield from table_lines(table, cells)
    words = (
        "80 % IN: at the likely pace. Others are typed into `what if`: move raidz2:8, compression 1.2 1.6, "
        "recordsize 128K 16K, copies 1 2, dedup 2."
    )
    yield from wrap(line((words, "dim")), cells)
    for each in found.asked:
        yield EMPTY
        if each.outcome is None:
            yield from wrap(line((f"{BAD} {each.name}: ", "bad"), (each.problem, "warn")), cells)
        else:
            yield line((f"{TYPED}{each.name}", "title"))
            yield from wrap_each(outcome_lines(each.outcome), cells)


def change_table(used: int, usable: int, changes: Sequence[NamedOutcome], pace: float | None = None) -> Table:
    """Return a table of the pool now and after each change; `pace` is in bytes a day."""
    size = units([usable, *(outcome.usable_after for _, outcome in changes)])
    now = ChangeOutcome(_NOW, 0, usable, used)
    columns = _columns(size, [name for name, _ in changes], now, pace)
    rows = [Row("", cells_of(columns, (_NOW, now)))]
    rows += [Row(each[0], cells_of(columns, each)) for each in changes]
    return Table(columns, tuple(rows))


def outcome_lines(outcome: ChangeOutcome, offset_bytes: int = 0) -> Iterator[Line]:
    """Return where writes go after a change, its steps, and its notes.

    `offset_bytes` is the capacity of the pool beyond the calculated one.
    """
    for share in outcome.spread:
        yield line(("  writes: ", "dim"), f"{share.part:.0%} to {share.vdev}, which is {share.used:.0%} full")
    for number, stage in enumerate(outcome.stages, start=1):
        time = "" if stage.duration_s is None else f", about {lasting(stage.duration_s)}"
        stopped = ", nothing may write" if stage.is_offline else ""
        failures = (
            f"survives {counted(stage.survives, 'failure')}" if stage.survives else "survives no failure"
        )
        style = "text" if stage.survives else "bad"
        yield line((f"  {number}. ", "dim"), f"{stage.what}{time}{stopped}; ", (failures, style))
    for note in outcome.notes:
        yield line(("  · ", "dim"), f"{note}.")
    staying = offset_bytes - outcome.held_bytes
    if staying and not outcome.stages:  # it stays behind with the old pool
        yield line(
            ("  · ", "dim"),
            f"{both(staying)} of what is usable come from deduplication, clones, special vdevs, "
            "a checkpoint or a removal; taken as staying.",
        )


def _columns(
    size: Units, names: Sequence[str], now: ChangeOutcome, pace: float | None
) -> tuple[Column[NamedOutcome], ...]:
    tb, tib = size.names
    longest = max([len(_NOW) + 2, *map(len, names)])

    def more(each: NamedOutcome) -> Cell:
        found = each[1]
        gained = found.usable_after - found.used_after - now.usable_after + now.used_after
        return Cell(UNKNOWN, "dim") if not gained else size.in_binary(gained)

    return (
        Column("what", "  CHANGE", 22, _name, is_right=False, grows_to=max(22, min(longest, 48)),
               cuts_middle=True),
        Column("full", "FULL", 5, _full, need=95),
        Column("used", f"USED {tb}", 8, lambda each: size.in_decimal(each[1].used_after), need=50),
        Column("used_tib", tib, 8, lambda each: size.in_binary(each[1].used_after), need=45),
        Column("usable", f"USABLE {tb}", 9, lambda each: size.in_decimal(each[1].usable_after), need=90),
        Column("usable_tib", tib, 8, lambda each: size.in_binary(each[1].usable_after), need=85),
        Column("more", f"+FREE {tib}", 9, more, need=80),
        Column("takes", "TAKES", 7, _takes, need=70),
        Column("full_in", "80 % IN", 10, lambda each: _full_in(each[1], pace), need=93),
    )  # fmt: skip


def _marked(each: WhatIfResult, found: PlanningResults) -> str:
    return f"{TYPED}{each.name}" if each in found.asked else f"  {each.name}"


def _name(each: NamedOutcome) -> Cell:
    name = each[0]
    if name == _NOW:
        return Cell(f"  {name}", "dim")
    return Cell(name, "ok" if name.startswith(TYPED) else "text")


def _full(each: NamedOutcome) -> Cell:
    found = each[1]
    full = found.used_after / found.usable_after if found.usable_after else 1.0
    return Cell(f"{full:.0%}", "bad" if full >= 0.9 else "warn" if full >= 0.8 else "text")


def _takes(each: NamedOutcome) -> Cell:
    seconds = each[1].duration_s
    return Cell(UNKNOWN, "dim") if seconds is None else Cell(duration(seconds))


def _full_in(found: ChangeOutcome, pace: float | None) -> Cell:
    if pace is None:
        return Cell(UNKNOWN, "dim")
    days = full_in_days(found, pace)
    if days is None or days > _TEN_YEARS:
        return Cell("> 10y")
    if not days:
        return Cell("now", "warn")
    return Cell(span(days * _DAY_S))

"""What-ifs of a live pool, as a table beside what is now; and of those that were typed all that is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.capacity.results import Answers, Told, full_in_days
from zconsole.analysis.forecast.sentences import span
from zconsole.analysis.pool_growth.outcome import ChangeOutcome
from zconsole.base.formatting import UNKNOWN, duration
from zconsole.model.forecast import Forecast
from zconsole.views.capacity.number_tables import Units, table_lines, units
from zconsole.views.layout.phrases import BAD
from zconsole.views.layout.styled_text import EMPTY, Line, line, wrap
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

NamedOutcome = tuple[str, ChangeOutcome]
_NOW: Final = "as it is now"
_DAY_S: Final = 86400.0
_TEN_YEARS: Final = 3652.5  # days


def change_lines(
    found: Answers | None, forecast: Forecast | None, used: int | None, usable: int | None, cells: int
) -> Iterator[Line]:
    """Now, then what was typed, then what is at hand for this pool."""
    if found is None or used is None or usable is None:
        yield line(("The pool has not been read.", "dim"))
        return
    told = [each for each in (*found.asked, *found.usual) if each.outcome is not None]
    sizes = [usable, *(each.outcome.usable_after for each in told if each.outcome is not None)]
    size = units(sizes)
    pace = forecast.trend.bytes_per_day if forecast is not None and forecast.trend is not None else None
    now = ChangeOutcome(_NOW, 0, usable, used)
    columns = _columns(size, told, now, pace)
    rows = [Row("", cells_of(columns, (_NOW, now)))]
    rows += [
        Row(each.name, cells_of(columns, (_marked(each, found), each.outcome)))
        for each in told
        if each.outcome is not None
    ]
    yield from table_lines(Table(columns, tuple(rows)), cells)
    words = (
        "80 % IN: at the likely pace. Others are typed into `what if`: move raidz2:8, compression 1.2 1.6, "
        "recordsize 128K 16K, copies 1 2, dedup 2."
    )
    yield from wrap(line((words, "dim")), cells)
    for each in found.asked:
        yield from _on_one(each, cells)


def _columns(
    size: Units, told: list[Told], now: ChangeOutcome, pace: float | None
) -> tuple[Column[NamedOutcome], ...]:
    tb, tib = size.names
    longest = max([len(_NOW), *(len(each.name) for each in told)]) + 2

    def more(each: NamedOutcome) -> Cell:
        found = each[1]
        gained = found.usable_after - found.used_after - now.usable_after + now.used_after
        return Cell(UNKNOWN, "dim") if not gained else size.in_binary(gained)

    return (
        Column("what", "  CHANGE", 22, _name, is_right=False, grows_to=max(22, min(longest, 48)),
               cuts_middle=True),
        Column("full", "USED", 5, _used, need=95),
        Column("usable", f"USABLE {tb}", 9, lambda each: size.in_decimal(each[1].usable_after), need=90),
        Column("usable_tib", tib, 8, lambda each: size.in_binary(each[1].usable_after), need=85),
        Column("more", f"+FREE {tib}", 9, more, need=80),
        Column("takes", "TAKES", 7, _takes, need=70),
        Column("full_in", "80 % IN", 10, lambda each: _full_in(each[1], pace), need=93),
    )  # fmt: skip


def _marked(each: Told, found: Answers) -> str:
    return f"▸ {each.name}" if each in found.asked else f"  {each.name}"


def _name(each: NamedOutcome) -> Cell:
    name = each[0]
    if name == _NOW:
        return Cell(f"  {name}", "dim")
    return Cell(name, "ok" if name.startswith("▸") else "text")


def _used(each: NamedOutcome) -> Cell:
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
        return Cell("> 10 years")
    if not days:
        return Cell("now", "warn")
    return Cell(span(days * _DAY_S))


def _on_one(each: Told, cells: int) -> Iterator[Line]:
    yield EMPTY
    if each.outcome is None:
        yield from wrap(line((f"{BAD} {each.name}: ", "bad"), (each.problem, "warn")), cells)
        return
    yield line((f"▸ {each.name}", "title"))
    for share in each.outcome.spread:
        yield line(("  writes: ", "dim"), f"{share.part:.0%} to {share.vdev}, which is {share.used:.0%} full")
    for number, stage in enumerate(each.outcome.stages, start=1):
        time = "" if stage.duration_s is None else f", about {duration(stage.duration_s)}"
        stopped = ", nothing may write" if stage.is_offline else ""
        failures = f"survives {stage.survives}" if stage.survives else "survives no failure"
        style = "text" if stage.survives else "bad"
        yield from _indented(
            line((f"{number}. ", "dim"), f"{stage.what}{time}{stopped}; ", (failures, style)), cells
        )
    for note in each.outcome.notes:
        yield from _indented(line(("· ", "dim"), f"{note}."), cells)


def _indented(words: Line, cells: int) -> Iterator[Line]:
    for each in wrap(words, cells - 2):
        yield line("  ", *each)

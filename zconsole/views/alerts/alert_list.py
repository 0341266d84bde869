"""List of alerts: what the user was called for, when, where, and what was acknowledged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import DAY_AND_MINUTE, duration, moment, recent
from zconsole.model.alert import AlertPhase
from zconsole.model.finding import Severity
from zconsole.views.alerts.console_calls import SEVERITY_STYLES, ConsoleCall
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_GLYPH,
    counted,
    counted_by_severity,
    join,
)
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

_NOTHING: Final = "Nothing new since this console was opened"
_BEFORE: Final = "Held before"
_NOT_NEW: Final = "  there when the console was opened, or told by an earlier one"
_WORDS: Final = {
    AlertPhase.OVER: "ended",
    AlertPhase.FLAPPING: "flapping",
    AlertPhase.WORSE: "worse",
}


def page(calls: Sequence[ConsoleCall], holding: Sequence[ConsoleCall], found: list[Line], now: float) -> Page:
    """Return the calls, newest first, then what held before and was not called for.

    `found` are the numbers of the findings by severity, as their list has them.
    """
    counts = _counts(each.severity for each in calls if not each.is_seen)
    answer = line(("Alerts", "title"), (" this console called you for", "dim"))
    numbers = join([line(counted(len(calls), "alert")), *counts]) if calls else EMPTY
    rows = [Row(key_of(each), cells_of(columns(now), each)) for each in reversed(calls)] or [_none(found)]
    if holding:
        rows.append(Row("before", line=line((_BEFORE, "section"), (_NOT_NEW, "dim")), is_selectable=False))
        rows += [Row(key_of(each), cells_of(columns(now), each)) for each in holding]
    return Page(answer, EMPTY, numbers, Table(columns(now), tuple(rows)))


def key_of(call: ConsoleCall) -> str:
    """The row of a call; of a state that was not called for by what it is."""
    key = call.key
    return str(call.number) if call.number or key is None else f"{key.host} {key.kind} {key.about}"


def _counts(severities: Iterable[Severity]) -> list[Line]:
    """`1 critical`, `2 warnings`."""
    known = list(severities)
    return [
        line((counted_by_severity(known.count(each), each), SEVERITY_STYLES[each]))
        for each in (Severity.CRITICAL, Severity.WARNING)
        if each in known
    ]


def _none(found: list[Line]) -> Row:
    words = line((f"{_NOTHING}; f lists " if found else f"{_NOTHING}.", "dim"))
    return Row("none", line=(*words, *join(found, ", ")), is_selectable=False)


def columns(now: float) -> tuple[Column[ConsoleCall], ...]:
    """The columns; times of another day have the day."""
    return (
        Column("when", "WHEN (UTC)", 16, lambda call: _when(call, now), is_right=False, mark=8),
        Column("how", "WHAT", 9, _how, is_right=False, mark=1),
        Column("host", "HOST", 12, lambda call: Cell(call.host, "dim"), need=50, is_right=False, grows_to=24),
        Column("seen", "ACK", 3, _seen, need=60, is_right=False),
        Column("words", "ALERT", 30, _words, is_right=False, grows_to=200, narrow=20),
    )


def notes(call: ConsoleCall | None, now: float) -> Iterator[Line]:
    """Return the whole sentence of the selected call, and its age."""
    if call is None:
        return
    yield line((call.words, call.style))
    where = f"{call.host}{f' · {call.pool}' if call.pool else ''}"
    before = " · of an earlier console" if call.is_from_before else ""
    when = f"{duration(max(0.0, now - call.at))} ago{before}" if call.number else "held before"
    yield line((f"{where} · {call.id} · {when}", "dim"))


def _when(call: ConsoleCall, now: float) -> Cell:
    if not call.number:
        return Cell("before", "dim", sort=0.0)
    return Cell(recent(call.at, now), "dim", sort=call.at, shorter=moment(call.at, DAY_AND_MINUTE))


def _words(call: ConsoleCall) -> Cell:
    return Cell(call.words, _style(call))


def _how(call: ConsoleCall) -> Cell:
    is_good = call.phase is AlertPhase.OVER or call.style == "ok"
    glyph = "✓" if is_good else SEVERITY_GLYPH[call.severity]
    if call.is_of_repair:
        return Cell("repair", _style(call), shorter=glyph)
    if call.phase in _WORDS:
        return Cell(_WORDS[call.phase], _style(call), shorter=glyph)
    word = "done" if call.severity is Severity.INFO else call.severity.word
    return Cell(word, _style(call), sort=-int(call.severity), shorter=glyph)


def _seen(call: ConsoleCall) -> Cell:
    return Cell("yes" if call.is_seen else "", "dim")


def _style(call: ConsoleCall) -> str:
    return "dim" if call.is_from_before else call.style

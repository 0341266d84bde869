"""The journal: every plan that was carried out from this account, and what became of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.formatting import moment
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState
from zconsole.views.changes.plan import typed
from zconsole.views.layout.page import Page
from zconsole.views.layout.phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table

COLUMNS: Final = (
    Column("at", "WHEN (UTC)", 16, need=90, is_right=False),
    Column("host", "HOST", 8, need=70, is_right=False, grows_to=16, cuts_middle=True),
    Column("end", "ENDED", 8, need=95, is_right=False),
    Column("risk", "RISK", 12, need=30, is_right=False),
    Column("title", "WHAT WAS DONE", 24, need=100, is_right=False, grows_to=300),
    Column("who", "WHO", 8, need=40, is_right=False, grows_to=20),
)
_STYLE: Final = {RunState.DONE: "ok", RunState.FAILED: "bad", RunState.UNKNOWN: "bad"}
_NONE: Final = Row(
    "none", line=line(("Nothing has been carried out from this account yet.", "dim")), is_selectable=False
)
_READING: Final = Row("reading", line=line(("Reading the journal ...", "dim")), is_selectable=False)


def page(entries: Sequence[Entry] | None, problem: str) -> Page:
    """Newest first; None where they are not read yet."""
    first = line(("Journal", "title"), (" of all that was carried out", "dim"))
    if problem:
        row = Row("problem", line=line((problem, "warn")), is_selectable=False)
        return Page(first, EMPTY, EMPTY, Table(COLUMNS, (row,)))
    if entries is None:
        return Page(first, EMPTY, EMPTY, Table(COLUMNS, (_READING,)))
    open_ends = sum(1 for each in entries if each.state is RunState.UNKNOWN and not each.problem)
    unread = sum(1 for each in entries if each.problem)
    numbers = join(
        [
            line(counted(len(entries), "run")),
            line((f"{open_ends} with an unknown end", "bad")) if open_ends else EMPTY,
            line((f"{unread} that cannot be read", "warn")) if unread else EMPTY,
        ]
    )
    rows = tuple(map(_row, reversed(entries)))
    return Page(first, EMPTY, numbers, Table(COLUMNS, rows or (_NONE,)))


def notes(entry: Entry | None) -> tuple[Line, ...]:
    """What became of the selected run."""
    if entry is None:
        return ()
    lines = [line(entry.words)] if entry.words else []
    lines += [line((typed(step.argv), "key"), (f"  {step.state}", "dim")) for step in entry.steps]
    return tuple(lines)


def details(entry: Entry) -> Iterator[Line]:
    """Everything that the journal holds of a run."""
    facts = {
        "began": _at(entry.started),
        "ended": _at(entry.ended),
        "state": entry.state.value,
        "risk": entry.risk,
        "host": entry.host + (f" ({entry.hostname})" if entry.hostname else ""),
        "machine-id": entry.machine_id or "·",
        "who": entry.who,
        "from": entry.origin,
        "fingerprint": entry.fingerprint,
        "way back": entry.undo or "none",
    }
    if entry.words:
        yield line(entry.words)
        yield EMPTY
    if entry.problem:
        yield line(("row         ", "dim"), entry.id)
        return
    for name, value in facts.items():
        yield line((f"{name:<12}", "dim"), value)
    for each in entry.destroys:
        yield line((f"{'destroyed':<12}", "dim"), each)
    for step in entry.steps:
        yield EMPTY
        yield from _step(step)


def _step(step: StepEntry) -> Iterator[Line]:
    status = "" if step.status is None else f", exit {step.status}"
    yield line((typed(step.argv), "key"))
    if step.sent_argv and step.sent_argv != step.argv:
        yield line(("  sent as   ", "dim"), typed(step.sent_argv))
    yield line((f"  {step.state}{status}", "text"), (f"  {_at(step.sent)} - {_at(step.ended)}", "dim"))
    for words in step.said.splitlines():
        yield line((f"  {words.expandtabs()}", "warn" if step.state == "failed" else "text"))
    if step.settled:
        yield line((f"  {step.settled}", "info"))


def _row(entry: Entry) -> Row:
    cells = (
        Cell(_at(entry.started), "dim", sort=entry.started),
        Cell(entry.host, "text"),
        Cell(entry.state.value, _STYLE.get(entry.state, "warn")),
        Cell(entry.risk, "dim"),
        Cell(entry.title, "text"),
        Cell(entry.who, "dim"),
    )
    return Row(entry.id, cells, words=f"{entry.target} {entry.words}")


def _at(epoch_s: float | None) -> str:
    return moment(epoch_s, "%Y-%m-%d %H:%M")

"""The journal: every plan that this account ran, and the outcome of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.plan import split_long
from zconsole.base.fixed_width_formatting import MINUTE, SECOND, moment
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.journal import Entry
from zconsole.model.run import RunState
from zconsole.views.changes.command_as_typed_in_shell import typed
from zconsole.views.changes.plan import undone_on
from zconsole.views.changes.run import STATE_LOOK, step_lines, words_of
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

_NOTHING: Final = "Nothing has been carried out from this account yet"
_NONE: Final = Row("none", line=line((f"{_NOTHING}.", "dim")), is_selectable=False)
_READING: Final = Row("reading", line=line(("Reading the journal ...", "dim")), is_selectable=False)


def page(entries: Sequence[Entry] | None, problem: str) -> Page:
    """Return the runs, newest first; None stands for entries that are not read yet."""
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


def nothing_carried_out(host: str | None) -> tuple[Line, ...]:
    """What is said of an empty journal, of one host or of all."""
    return (line(f"{_NOTHING}{f' on {host}' if host else ''}."),)


def unread(count: int) -> tuple[Line, ...]:
    """What is said before a change where rows that may be runs without a known end cannot be read."""
    if not count:
        return ()
    each = "it" if count == 1 else "each"
    return (
        line(
            (f"The journal has {counted(count, 'row')} that cannot be read", "warn"),
            f": {each} may be a run without a known end. `zconsole journal --last 1000` lists them.",
        ),
    )


def notes(entry: Entry | None) -> tuple[Line, ...]:
    """Return the outcome of the selected run."""
    if entry is None:
        return ()
    lines = [line(entry.words)] if entry.words else []
    return (
        *lines,
        *(each for step in entry.steps for each in step_lines(step, typed(step.argv), known=entry.words)),
    )


def document(entry: Entry, *, is_full: bool) -> tuple[Line, ...]:
    """Return the journal entry of a run; all of it if `is_full`."""
    return tuple(_document(entry, is_full=is_full))


def _document(entry: Entry, *, is_full: bool) -> Iterator[Line]:
    when = line((f"{_second(entry.started)} UTC " if entry.started else "time unknown ", "dim"))
    if entry.problem:
        yield (*when, *line(f"{entry.host or 'host unknown'}: row {entry.id}: {entry.words}"))
        return
    style, state = STATE_LOOK[entry.state]
    title = line((entry.host, "title"), (": ", "dim"), (entry.title, "title"), (": ", "dim"))
    yield (*when, *title, *line((state, style)))
    yield from words_of(entry.state, entry.words)
    yield labelled("BY", line(f"{entry.who or 'nobody known'}, from {entry.origin}"))
    if is_full:
        yield from _facts(entry)
    for step in entry.steps:
        moments = (("sent", step.sent), ("ended", step.ended)) if is_full else ()
        remarks = (f"{what} {_second(at)}" for what, at in moments if at is not None)
        yield from step_lines(step, typed(step.argv), *remarks, known=entry.words)
        if is_full and step.sent_argv not in {(), step.argv}:
            yield labelled("SENT AS", typed(step.sent_argv))
    yield from _lost(entry, is_full=is_full)
    if entry.undo is not None or is_full:
        machine = MachineIdentity(entry.host, host_key=entry.host_key)
        where = "" if entry.undo is None else undone_on(entry.undo, machine)
        yield labelled("UNDO", line(entry.undo or "none", (where, "dim")))


def _without_end(entry: Entry) -> str:
    return "not known" if entry.state.is_end else "not yet"


def _facts(entry: Entry) -> Iterator[Line]:
    """Return the facts that identify a run and its host."""
    hostname = f" ({entry.hostname})" if entry.hostname else ""
    facts = {
        "RUN": entry.id,
        "ENDED": f"{_second(entry.ended)} UTC" if entry.ended is not None else _without_end(entry),
        "RISK": entry.risk,
        "HOST": f"{entry.host}{hostname}",
        "MACHINE": entry.machine_id or "not known",
        "HOST KEY": entry.host_key or "not known",
        "PLAN": entry.fingerprint,
    }
    for label, value in facts.items():
        yield labelled(label, line(value))


def _lost(entry: Entry, *, is_full: bool) -> Iterator[Line]:
    """Return the names of everything that the plan destroys."""
    if not entry.destroys:
        return
    yield labelled("DESTROYS", line(counted(len(entry.destroys), "object")))
    first, rest = (entry.destroys, ()) if is_full else split_long(entry.destroys)
    for name in first:
        yield labelled("", line(name))
    if rest:
        yield labelled("", line((f"and {len(rest)} more: --full has all", "dim")))


def _row(entry: Entry) -> Row:
    return Row(entry.id, cells_of(COLUMNS, entry), words=f"{entry.target} {entry.words}")


def _at(epoch_s: float | None) -> str:
    return moment(epoch_s, MINUTE)


def _second(epoch_s: float | None) -> str:
    return moment(epoch_s, SECOND)


COLUMNS: Final[tuple[Column[Entry], ...]] = (
    Column("at", "WHEN (UTC)", 16, lambda entry: Cell(_at(entry.started or None), "dim", sort=entry.started),
           need=90, is_right=False),
    Column("host", "HOST", 8, lambda entry: Cell(entry.host), need=70, is_right=False, grows_to=16,
           cuts_middle=True),
    Column("end", "ENDED", 8, lambda entry: Cell(entry.state.value, STATE_LOOK[entry.state][0]),
           need=95, is_right=False),
    Column("risk", "RISK", 12, lambda entry: Cell(entry.risk, "dim"), need=30, is_right=False),
    Column("title", "WHAT WAS DONE", 24, lambda entry: Cell(entry.title), need=100, is_right=False,
           grows_to=300),
    Column("who", "WHO", 8, lambda entry: Cell(entry.who, "dim"), need=40, is_right=False, grows_to=20),
)  # fmt: skip

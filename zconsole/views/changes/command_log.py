"""Every command that the console ran, as it would be typed by hand."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from zconsole.base.formatting import moment
from zconsole.hosts.command_log import Ran
from zconsole.hosts.host import Effect, Outcome
from zconsole.views.changes.command import typed
from zconsole.views.layout.page import Page
from zconsole.views.layout.phrases import counted, join
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table

COLUMNS: Final = (
    Column("at", "WHEN (UTC)", 8, need=90, is_right=False),
    Column("host", "HOST", 8, need=50, is_right=False, grows_to=16),
    Column("end", "ENDED", 8, need=80, is_right=False),
    Column("took", "TOOK", 7, need=40),
    Column("command", "COMMAND", 30, need=100, is_right=False, grows_to=400),
)
_NONE: Final = Row("none", line=line(("Nothing that changes anything was run.", "dim")), is_selectable=False)


def page(ran: Sequence[tuple[str, Ran]], *, has_reads: bool) -> Page:
    """Pairs of host and command, oldest first."""
    changes = sum(1 for _, each in ran if each.effect is Effect.CHANGE)
    shown = [(host, each) for host, each in ran if has_reads or each.effect is Effect.CHANGE]
    rows = tuple(_row(host, each) for host, each in shown) or (_NONE,)
    numbers = join(
        [
            line(counted(changes, "command") + " that changed something"),
            line(("all that were run" if has_reads else "v shows those that only read as well", "dim")),
        ]
    )
    return Page(
        line(("Commands", "title"), (" that this console ran", "dim")), (), numbers, Table(COLUMNS, rows)
    )


def whole(ran: Sequence[tuple[str, Ran]], key: str | None) -> str | None:
    """The command of a row, to be copied."""
    return next((shlex.join(each.argv) for host, each in ran if _key(host, each) == key), None)


def notes(ran: Sequence[tuple[str, Ran]], key: str | None) -> tuple[Line, ...]:
    """The whole command, and why it did not end well."""
    found = next((each for host, each in ran if _key(host, each) == key), None)
    if found is None:
        return ()
    return tuple(each for each in (typed(found.argv), line((found.reason, "warn"))) if each)


def _key(host: str, ran: Ran) -> str:
    return f"{host}\0{ran.number}"


def _row(host: str, ran: Ran) -> Row:
    style, words = _ended(ran)
    took = "·" if ran.duration_s is None else f"{ran.duration_s:.2f} s"
    return Row(
        _key(host, ran),
        (
            Cell(moment(ran.at, "%H:%M:%S"), "dim", sort=ran.at),
            Cell(host, "dim"),
            Cell(words, style),
            Cell(took, "dim", sort=ran.duration_s),
            Cell(shlex.join(ran.argv), "text" if ran.effect is Effect.CHANGE else "dim"),
        ),
    )


def _ended(ran: Ran) -> tuple[str, str]:
    match ran.outcome:
        case None:
            return "info", "runs"
        case Outcome.DONE:
            return "ok", "done"
        case Outcome.FAILED:
            return "warn", f"exit {ran.status}"
        case _:
            return "bad", "unknown"

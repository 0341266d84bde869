"""Command log: every command that the console ran, as a person would type it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import SECOND, moment
from zconsole.hosts.command_log import LoggedCommand
from zconsole.hosts.host import Effect, Outcome
from zconsole.views.changes.command_as_typed_in_shell import typed
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

HostCommand = tuple[str, LoggedCommand]  # the host, and the command that ran there
_NONE: Final = Row("none", line=line(("Nothing that changes anything was run.", "dim")), is_selectable=False)


def page(ran: Sequence[HostCommand], *, has_reads: bool) -> Page:
    """Return the page of pairs of host and command, oldest first."""
    changes = sum(1 for _, each in ran if each.effect is Effect.CHANGE)
    shown = [(host, each) for host, each in ran if has_reads or each.effect is Effect.CHANGE]
    rows = tuple(Row(_key(*each), cells_of(COLUMNS, each)) for each in shown) or (_NONE,)
    numbers = join(
        [
            line(counted(changes, "command") + " that changed something"),
            line(("all that were run" if has_reads else "h shows those that only read as well", "dim")),
        ]
    )
    return Page(
        line(("Commands", "title"), (" that this console ran", "dim")), (), numbers, Table(COLUMNS, rows)
    )


def whole(ran: Sequence[HostCommand], key: str | None) -> str | None:
    """Return the whole command of a row, for copying."""
    return next((shlex.join(each.argv) for host, each in ran if _key(host, each) == key), None)


def notes(ran: Sequence[HostCommand], key: str | None) -> tuple[Line, ...]:
    """Return the whole command, and the reason of its failure."""
    found = next((each for host, each in ran if _key(host, each) == key), None)
    if found is None:
        return ()
    return tuple(each for each in (typed(found.argv), line((found.reason, "warn"))) if each)


def _key(host: str, ran: LoggedCommand) -> str:
    return f"{host}\0{ran.number}"


def _ended(ran: LoggedCommand) -> Cell:
    match ran.outcome:
        case None:
            return Cell("runs", "info")
        case Outcome.DONE:
            return Cell("done", "ok")
        case Outcome.FAILED:
            return Cell(f"exit {ran.status}", "warn")
        case _:
            return Cell("unknown", "bad")


def _took(each: HostCommand) -> Cell:
    seconds = each[1].duration_s
    return Cell("·" if seconds is None else f"{seconds:.2f} s", "dim", sort=seconds)


def _command(each: HostCommand) -> Cell:
    return Cell(shlex.join(each[1].argv), "text" if each[1].effect is Effect.CHANGE else "dim")


COLUMNS: Final[tuple[Column[HostCommand], ...]] = (
    Column("at", "WHEN (UTC)", 19, lambda each: Cell(moment(each[1].at, SECOND), "dim", sort=each[1].at),
           need=90, is_right=False),
    Column("host", "HOST", 8, lambda each: Cell(each[0], "dim"), need=50, is_right=False, grows_to=16),
    Column("end", "ENDED", 8, lambda each: _ended(each[1]), need=80, is_right=False),
    Column("took", "TOOK", 7, _took, need=40),
    Column("command", "COMMAND", 30, _command, need=100, is_right=False, grows_to=400),
)  # fmt: skip

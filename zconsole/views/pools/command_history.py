"""History of a pool as ZFS keeps it: each command that changed it, its user, and what was destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import MINUTE, SECOND, moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, RowsOnDemand, Table, cells_of
from zconsole.zfs.listing.history import HistoryRecord

MOST_ROWS: Final = 5000
NEEDS_ROOT: Final = (
    "ZFS shows the history of a pool to root only: sudo rules for it are printed by zconsole sudoers"
)
_DESTROYING: Final = frozenset({"destroy", "rollback"})
_READING: Final = Row("reading", line=line(("Reading the history ...", "dim")), is_selectable=False)
_NOTHING: Final = Row("none", line=line(("The history has no such records.", "dim")), is_selectable=False)
Numbered = tuple[int, HistoryRecord]  # its place in the history: the key of its row


@dataclass(frozen=True, slots=True)
class ChosenRecords:
    """What of a history is shown, and by which record a command destroyed something last."""

    shown: tuple[Numbered, ...]  # oldest first
    destroyed: HistoryRecord | None
    has_internal: bool


def page(called: str, chosen: ChosenRecords | None, *, problem: str = "", now: float = 0.0) -> Page:
    """The page, newest record first. `called`: host and pool. None stands for a history not read yet."""
    first = line((called, "title"), (" · history of the pool", "dim"))
    if problem or chosen is None:
        row = Row("problem", line=line((problem, "warn")), is_selectable=False) if problem else _READING
        return Page(first, EMPTY, EMPTY, Table(COLUMNS, (row,)))
    rows = RowsOnDemand(min(len(chosen.shown), MOST_ROWS), lambda place: _row(chosen.shown[-1 - place]))
    more = len(chosen.shown) - len(rows)
    numbers = join(
        [
            _last_destroyed(chosen.destroyed, now),
            line(counted(len(chosen.shown), "record")),
            line((f"the newest {MOST_ROWS} are shown", "warn")) if more else EMPTY,
            line(("all records" if chosen.has_internal else "h shows internal records too", "dim")),
        ]
    )
    return Page(first, EMPTY, numbers, Table(COLUMNS, rows if chosen.shown else (_NOTHING,)))


def choose(records: Sequence[HistoryRecord], *, has_internal: bool) -> ChosenRecords:
    """The records to show; internal ones only where they are wanted."""
    shown = tuple((at, each) for at, each in enumerate(records) if has_internal or is_telling(each))
    destroyed = next((each for each in reversed(records) if each.is_command and destroys(each)), None)
    return ChosenRecords(shown, destroyed, has_internal)


def _row(each: Numbered) -> Row:
    return Row(str(each[0]), cells_of(COLUMNS, each))


def is_telling(record: HistoryRecord) -> bool:
    """Whether a record is a command, or destroys something, which programs do without a command."""
    return record.is_command or destroys(record)


def destroys(record: HistoryRecord) -> bool:
    """Whether a record destroyed a pool, a dataset, a snapshot, or what came after a snapshot."""
    if record.rolled_back_to is not None:
        return True
    words = record.text.split()
    verb = words[1:2] if record.is_command and words[:1] in (["zfs"], ["zpool"]) else words[:1]
    return (record.is_command or record.txg is not None) and verb != [] and verb[0] in _DESTROYING


def notes(record: HistoryRecord | None, now: float) -> tuple[Line, ...]:
    """The record under the cursor, complete: who, from which host, when."""
    if record is None:
        return ()
    when = f"{moment(record.at, SECOND)} UTC, {lasting(max(0.0, now - record.at))} ago"
    host = f"on {record.host}" if record.host else ""
    if record.is_command:
        who = line((f"by {record.user}" if record.user else "user not recorded", "title"))
        return join([who, line(host), line(when)]), line(record.text)
    remark = "no user: ZFS records one for zfs and zpool commands only"
    return (
        join([line(("internal", "title")), line(host), line(when)]),
        line(record.text),
        line((remark, "dim")),
    )


def _last_destroyed(found: HistoryRecord | None, now: float) -> Line:
    if found is None:
        return ()
    return line(
        "last destroyed ",
        (f"{lasting(max(0.0, now - found.at))} ago", "warn"),
        f" by {found.user or 'an unknown user'}",
    )


def _words(each: Numbered) -> Cell:
    record = each[1]
    plain = "text" if record.is_command else "dim"
    return Cell(record.text.replace("\n", " "), "warn" if destroys(record) else plain)


COLUMNS: Final[tuple[Column[Numbered], ...]] = (
    Column("at", "WHEN (UTC)", 16,
           lambda each: Cell(moment(each[1].at, MINUTE), "dim", sort=each[0]),
           need=98, is_right=False, narrow=16),
    Column("user", "USER", 8, lambda each: Cell(each[1].user or "·", sort=each[1].user),
           need=95, is_right=False, grows_to=20),
    Column("host", "ON", 8, lambda each: Cell(each[1].host or "·", "dim", sort=each[1].host),
           need=30, is_right=False, grows_to=16, cuts_middle=True),
    Column("command", "COMMAND", 24, _words, need=100, is_right=False, grows_to=400, narrow=18),
)  # fmt: skip

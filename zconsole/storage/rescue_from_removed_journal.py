"""Identity of a journal file, and rescue of rows when it was removed or replaced while the console runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.storage.journal_rows import RUN, STEP

Row = tuple[Any, ...]
_ALL: Final = "SELECT rowid FROM runs NOT INDEXED"  # a damaged index may have lost rows
_RUN: Final = f"SELECT {', '.join(RUN)} FROM runs WHERE rowid = ?"  # noqa: S608
_STEPS: Final = f"SELECT {', '.join(STEP)} FROM steps WHERE run = ?"  # noqa: S608
_PUT_RUN: Final = f"INTO runs ({', '.join(RUN)}) VALUES ({', '.join('?' * len(RUN))})"
_PUT_STEP: Final = f"INTO steps ({', '.join(STEP)}) VALUES ({', '.join('?' * len(STEP))})"
_LEFT: Final[list[sqlite3.Connection]] = []  # closing one would delete the log of the file that replaced it


@dataclass(frozen=True, slots=True)
class JournalFiles:
    """Files of a journal: device and inode of the database and its log; None: missing."""

    database: tuple[int, int] | None
    log: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Rescued:
    """Run to be written again. `is_own`: no other process knows its outcome better."""

    run: Row
    steps: Sequence[Row]
    is_own: bool


def place_of(path: Path) -> JournalFiles:
    """Identity of the journal's files now. Raises OSError."""
    return JournalFiles(_file(path), _file(path.with_name(f"{path.name}-wal")))


def rescue(connection: sqlite3.Connection, own: Collection[str]) -> list[Rescued]:
    """This console's runs, and runs without an end; unreadable rows are skipped.

    Raises sqlite3.Error.
    """
    found = (_rescued(connection, row, own) for (row,) in connection.execute(_ALL).fetchall())
    return [each for each in found if each is not None]


def _rescued(connection: sqlite3.Connection, row: int, own: Collection[str]) -> Rescued | None:
    """Run by row number; None for another console's ended run or an unreadable row."""
    try:
        (run,) = connection.execute(_RUN, (row,)).fetchall()
        if run[0] not in own and run[RUN.index("ended")] is not None:
            return None
        return Rescued(run, connection.execute(_STEPS, (run[0],)).fetchall(), is_own=run[0] in own)
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, ValueError):  # a value too long, or a damaged page
        return None


def put_back(connection: sqlite3.Connection, rescued: Sequence[Rescued]) -> None:
    """Insert rescued runs; existing rows of another console's runs are unchanged. Raises sqlite3.Error."""
    for each in rescued:
        how = "INSERT OR REPLACE" if each.is_own else "INSERT OR IGNORE"
        connection.execute(f"{how} {_PUT_RUN}", each.run)
        connection.executemany(f"{how} {_PUT_STEP}", each.steps)


def give_up(connection: sqlite3.Connection, *, is_same_database: bool) -> None:
    """Abandon a connection; closed only while the path still names the same database."""
    if is_same_database:
        connection.close()
    else:
        _LEFT.append(connection)


def _file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino

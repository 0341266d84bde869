"""Journal of runs: who, from where, what, outcome; on disk before a step is sent and after it ended."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from zconsole.base.bounded_user_file import check_regular
from zconsole.base.errors import ZConsoleError
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState
from zconsole.storage.journal_rows import (
    RUN,
    STEP,
    bounded,
    entry_of_rows,
    run_row,
    step_row,
    text,
    unread_entry,
)
from zconsole.storage.rescue_from_removed_journal import (
    JournalFiles,
    Rescued,
    give_up,
    place_of,
    put_back,
    rescue,
)
from zconsole.storage.sqlite_transaction import transaction

FILE: Final = "journal.sqlite"
BUSY_TIMEOUT_S: Final = 5.0  # waiting for another zconsole that is writing
READ_AT_ONCE: Final = 200
LONGEST_VALUE: Final = 16 << 20  # bytes of one value in a row; a row with a longer one cannot be read
_LONGEST_OF_ALL: Final = 2**31 - 1  # SQLite's upper bound
FORMAT: Final = 2
_FORMAT_1: Final = (  # stored as user_version 0
    """CREATE TABLE IF NOT EXISTS runs (
        id TEXT PRIMARY KEY, started REAL NOT NULL, ended REAL,
        console TEXT NOT NULL, who TEXT NOT NULL, origin TEXT NOT NULL,
        host TEXT NOT NULL, hostname TEXT, machine_id TEXT, host_key TEXT,
        action TEXT NOT NULL, intent TEXT NOT NULL, title TEXT NOT NULL, target TEXT NOT NULL,
        risk TEXT NOT NULL, fingerprint TEXT NOT NULL, destroys TEXT NOT NULL, undo TEXT,
        state TEXT NOT NULL, words TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS steps (
        run TEXT NOT NULL REFERENCES runs (id), number INTEGER NOT NULL,
        argv TEXT NOT NULL, why TEXT NOT NULL, stdin_sha256 TEXT, settled_by TEXT NOT NULL,
        state TEXT NOT NULL, sent REAL, sent_argv TEXT NOT NULL, ended REAL, status INTEGER,
        said TEXT NOT NULL, settled TEXT NOT NULL, PRIMARY KEY (run, number))""",
    "CREATE INDEX IF NOT EXISTS runs_started ON runs (started)",
)
_FORMATS: Final = (_FORMAT_1, ("ALTER TABLE steps ADD COLUMN trace TEXT NOT NULL DEFAULT '{}'",))
_TABLES: Final = 2
_HINT: Final = (
    "Nothing is changed on a host without it."
    " Where it cannot be mended, move it away: then a new journal begins."
)
_INSERT_RUN: Final = f"INSERT INTO runs ({', '.join(RUN)}) VALUES ({', '.join('?' * len(RUN))})"  # noqa: S608
_INSERT_STEP: Final = f"INSERT INTO steps ({', '.join(STEP)}) VALUES ({', '.join('?' * len(STEP))})"  # noqa: S608
_SELECT_RUN: Final = f"SELECT {', '.join(RUN)} FROM runs WHERE rowid = ?"  # noqa: S608
_OF_A_MACHINE: Final = (
    " WHERE host = ?"
    " OR machine_id IN (SELECT machine_id FROM runs WHERE host = ? AND machine_id <> '')"
    " OR host_key IN (SELECT host_key FROM runs WHERE host = ? AND host_key <> '')"
)
_HAS_STEP: Final = "SELECT 1 FROM steps WHERE run = ? AND number = ?"
_SELECT_STEPS: Final = f"SELECT {', '.join(STEP)} FROM steps WHERE run = ? ORDER BY number"  # noqa: S608


class JournalError(ZConsoleError):
    """The journal cannot be read or written; nothing runs without it."""


def journal_path() -> Path:
    """Path of the user's journal."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


class Journal:
    """Journal in a file, created at the first write. Methods may be called from any thread."""

    def __init__(self, path: Path | None = None, *, is_kept: bool = True) -> None:
        """With `is_kept` false the journal is in memory only, for practice hosts."""
        self.path = path or journal_path()
        self._is_kept = is_kept
        self._connection: sqlite3.Connection | None = None
        self._place: JournalFiles | None = None  # of the connected file
        self._begun: set[str] = set()
        self._rescued: list[Rescued] = []  # from a removed file, not yet rewritten
        self._notice = ""
        self._lock = threading.Lock()

    def notice(self) -> str:
        """Sentence on a removed or replaced file since the last call; empty when nothing happened."""
        told, self._notice = self._notice, ""
        return told

    def begin(self, entry: Entry) -> None:
        """Record the start of a run with all its planned steps."""
        with self._writing() as write:
            self._begun.add(entry.id)
            write.execute(_INSERT_RUN, run_row(entry))
            write.executemany(
                _INSERT_STEP, [step_row(entry.id, at, step) for at, step in enumerate(entry.steps)]
            )

    def sent(self, run: str, number: int, argv: Sequence[str], at: float, trace: str = "{}") -> None:
        """Record that a step is about to be sent. The step may be sent only after this returns.

        Raises JournalError for a run that has ended: the caller stopped waiting for this write.
        """
        with self._writing() as write:
            changed = write.execute(
                "UPDATE steps SET state = 'sent', sent = ?, sent_argv = ?, trace = ?"
                " WHERE run = ? AND number = ?"
                " AND EXISTS (SELECT 1 FROM runs WHERE id = ? AND ended IS NULL)",
                (at, json.dumps(list(argv)), trace, run, number, run),
            )
            if changed.rowcount != 1:
                raise JournalError(f"the journal {self.path} has no such run that goes on: {run}")
            write.execute("UPDATE runs SET state = ? WHERE id = ?", (RunState.RUNNING.value, run))

    def step_ended(self, run: str, number: int, step: StepEntry) -> None:
        """Record the end of a step, an unknown end, or an outcome settled later.

        An unknown end never replaces a known one. Raises JournalError for a step missing from the journal.
        """
        with self._writing() as write:
            changed = write.execute(
                "UPDATE steps SET state = ?, ended = ?, status = ?, said = ?, settled = ?,"
                " trace = CASE ? WHEN '{}' THEN trace ELSE ? END WHERE run = ? AND number = ?"
                " AND NOT (? = 'unknown' AND state IN ('done', 'failed'))",
                (
                    *(step.state, step.ended, step.status, bounded(step.said), text(step.settled)),
                    *(step.trace, step.trace, run, number, step.state),
                ),
            )
            if changed.rowcount != 1 and not write.execute(_HAS_STEP, (run, number)).fetchone():
                raise JournalError(f"the journal {self.path} has no step {number + 1} of a run {run}")

    def run_ended(
        self, run: str, state: RunState, words: str, at: float | None, unsent: Sequence[int] = ()
    ) -> None:
        """Record the end of a run, known or unknown. The steps `unsent` were never sent.

        Raises JournalError for a run missing from the journal.
        """
        with self._writing() as write:
            changed = write.execute(
                "UPDATE runs SET state = ?, words = ?, ended = ? WHERE id = ?",
                (state.value, bounded(words), at, run),
            )
            if changed.rowcount != 1:
                raise JournalError(f"the journal {self.path} has no such run: {run}")
            write.executemany(
                "UPDATE steps SET state = 'not sent', sent = NULL, sent_argv = '[]', trace = '{}'"
                " WHERE run = ? AND number = ?",
                [(run, number) for number in unsent],
            )

    def set_undo(self, run: str, undo: str) -> None:
        """Record how that is undone which a run has done, in place of that of its whole plan."""
        with self._writing() as write:
            write.execute("UPDATE runs SET undo = ? WHERE id = ?", (undo, run))

    def entries(self, *, host: str | None = None, most: int = READ_AT_ONCE) -> tuple[Entry, ...]:
        """The last runs, oldest first: of all machines, or of one under any of its names."""
        where, values = (_OF_A_MACHINE, [host] * 3) if host is not None else ("", [])
        return self._read(f"{where} ORDER BY started DESC LIMIT ?", [*values, most])[::-1]

    def unsettled(self) -> tuple[Entry, ...]:
        """Runs without a known end, oldest first, including those in progress.

        A run whose last command was seen to end is left out even where its effect is unknown: another
        reading of the host would not tell more.
        """
        ends = [state.value for state in RunState if state.is_end and state is not RunState.UNKNOWN]
        marks = ", ".join("?" * len(ends))
        # NOT INDEXED: a damaged index may have lost rows.
        found = self._read(f" NOT INDEXED WHERE state NOT IN ({marks}) ORDER BY started", ends)
        return tuple(entry for entry in found if not any(step.was_seen_to_end for step in entry.steps))

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self, which: str, values: Sequence[object]) -> tuple[Entry, ...]:
        with self._lock, self._failing("read"), self._reading() as connection:
            if connection is None:
                return ()
            with _any_length(connection):
                rows = connection.execute(f"SELECT rowid FROM runs{which}", values).fetchall()  # noqa: S608
            return tuple(_entry(connection, row) for (row,) in rows)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The open writing connection, else a read-only one; None without a file."""
        if self._connection is not None or self._rescued:
            yield self._open()
            return
        if not self._is_kept:
            yield None  # nothing was written
            return
        connection = self._open_to_read() if self.path.exists() else None
        try:
            yield connection if connection is not None or not self.path.exists() else self._open()
        finally:
            if connection is not None:
                connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on disk when left, in the file at the journal's path."""
        with self._lock, self._failing("written"):
            with self._transaction(self._open()) as connection:
                yield connection
            self._open()  # the file may have been removed during the transaction

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        """Transaction; raises JournalError where a newer zconsole has upgraded the file meanwhile."""
        with transaction(connection):
            self._check_format(_format(connection))
            yield connection

    @contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, OverflowError, UnicodeError, MemoryError) as error:
            raise JournalError(f"the journal {self.path} cannot be {what}: {error}", hint=_HINT) from error

    def _open(self) -> sqlite3.Connection:
        """Writing connection; after the file was replaced a new one, with the rescued runs written to it."""
        if self._connection is not None and self._is_kept:
            now = place_of(self.path)
            if now != self._place or now.database is None:
                self._rescued = rescue(self._connection, self._begun)
                is_same = self._place is not None and now.database == self._place.database
                give_up(self._connection, is_same_database=is_same)
                self._connection = None
        if self._connection is None:
            self._connection = self._connected()
            if self._is_kept:
                self._place = place_of(self.path)
        if self._rescued:
            with self._transaction(self._connection) as connection:
                put_back(connection, self._rescued)
            self._rescued = []
            self._notice = (
                f"the journal {self.path} was removed or replaced meanwhile: what this console knows of its"
                " runs was written again"
            )
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        if self._is_kept:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_regular()
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = _connect(str(self.path.absolute()) if self._is_kept else ":memory:")
        try:
            self._bring_up_to_date(connection)
            connection.execute(_HAS_STEP, ("", 0)).fetchone()  # creates the write-ahead log
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_to_read(self) -> sqlite3.Connection | None:
        """Read-only connection; None for a file of an older format, which needs an upgrade.

        In an unwritable folder SQLite reads a file without a write-ahead log only with `immutable=1`.
        """
        self._check_regular()
        name = f"file:{quote(str(self.path.absolute()))}?mode=ro"
        connection = _connect(name)
        try:
            try:
                found = _format(connection)
            except sqlite3.OperationalError:
                log = self.path.with_name(f"{self.path.name}-wal")
                if log.exists() and log.stat().st_size:
                    raise
                connection.close()
                connection = _connect(f"{name}&immutable=1")
                found = _format(connection)
            self._check_format(found)
            if found == FORMAT:
                self._check_tables(connection)
        except BaseException:
            connection.close()
            raise
        if found == FORMAT:
            return connection
        connection.close()
        return None

    def _check_regular(self) -> None:
        """Raises OSError for a FIFO, which would block, and any other non-regular file."""
        if self.path.exists():
            check_regular(self.path.stat(), self.path)

    def _check_whole(self, connection: sqlite3.Connection) -> None:
        """Raises JournalError for a damaged file; SQLite itself reports only damage that a query reaches."""
        with _any_length(connection):
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise JournalError(f"the journal {self.path} is damaged: {' '.join(found.split())}", hint=_HINT)

    def _check_tables(self, connection: sqlite3.Connection) -> None:
        """Raises JournalError for a file without the tables; a view of the same name might never end."""
        query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('runs', 'steps')"
        (tables,) = connection.execute(query).fetchone()
        if tables != _TABLES:
            raise JournalError(f"{self.path} is not a journal: it lacks its tables", hint=_HINT)

    def _check_format(self, found: int) -> None:
        """Raises JournalError for a format newer than this program's."""
        if found > FORMAT:
            raise JournalError(
                f"the journal {self.path} was written by a newer zconsole: its format is {found},"
                f" and this one knows those up to {FORMAT}",
                hint="Use the newer zconsole, or move the file away: then a new journal begins.",
            )

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        """Create the tables, or upgrade an older format.

        Raises JournalError for a newer format or a damaged file; neither is written to.
        """
        found = _format(connection)
        self._check_format(found)
        self._check_whole(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if found == FORMAT:
            self._check_tables(connection)
            return
        with self._transaction(connection):
            # The format is read again: another console may have upgraded the file meanwhile.
            for statements in _FORMATS[max(0, _format(connection)) :]:
                for statement in statements:
                    connection.execute(statement)
            self._check_tables(connection)
            connection.execute(f"PRAGMA user_version = {FORMAT}")


def _connect(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        name,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        uri=name.startswith("file:"),
    )
    connection.text_factory = _decoded
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


@contextmanager
def _any_length(connection: sqlite3.Connection) -> Iterator[None]:
    """SQLite's length limit lifted, so that a row with a long value does not hide other rows."""
    bound = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_OF_ALL)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, bound)


def _entry(connection: sqlite3.Connection, row: int) -> Entry:
    """Run by row number; for a damaged row an entry that says so."""
    try:
        (run,) = connection.execute(_SELECT_RUN, (row,)).fetchall()
        return entry_of_rows(run, connection.execute(_SELECT_STEPS, (run[0],)).fetchall())
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, ValueError) as error:
        return unread_entry(f"number {row}", str(error))


def _format(connection: sqlite3.Connection) -> int:
    """Format number of the file: 0 for an empty file and for format 1, which had no number."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _decoded(data: bytes) -> str:
    """Text of a value, with invalid UTF-8 escaped."""
    return data.decode("utf-8", "backslashreplace")

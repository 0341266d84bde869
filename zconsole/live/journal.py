"""What was done, by whom, from where and how it ended: on disk before a step is sent and after it ended.

SQLite with a write-ahead log, synced at every write, in the user's state folder; every zconsole of the same
account reads and writes the same file. It holds no secret: of stdin only a digest, secrets left out.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from zconsole.base.errors import ZConsoleError
from zconsole.live.transaction import transaction
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState

FILE: Final = "journal.sqlite"
SAID_CHARACTERS: Final = 64 * 1024  # of a step's own words; ZFS needs a few lines
BUSY_TIMEOUT_S: Final = 5.0  # for another zconsole that is just writing
READ_AT_ONCE: Final = 200
_SCHEMA: Final = (
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
_RUN: Final = (
    *("id", "started", "ended", "console", "who", "origin", "host", "hostname", "machine_id", "host_key"),
    *("action", "intent", "title", "target", "risk", "fingerprint", "destroys", "undo", "state", "words"),
)
_STEP: Final = (
    *("run", "number", "argv", "why", "stdin_sha256", "settled_by", "state", "sent", "sent_argv"),
    *("ended", "status", "said", "settled"),
)
_INSERT_RUN: Final = f"INSERT INTO runs ({', '.join(_RUN)}) VALUES ({', '.join('?' * len(_RUN))})"  # noqa: S608
_INSERT_STEP: Final = f"INSERT INTO steps ({', '.join(_STEP)}) VALUES ({', '.join('?' * len(_STEP))})"  # noqa: S608
_SELECT_RUNS: Final = f"SELECT {', '.join(_RUN)} FROM runs"  # noqa: S608
_OF_A_MACHINE: Final = (
    " WHERE host = ?"
    " OR machine_id IN (SELECT machine_id FROM runs WHERE host = ? AND machine_id <> '')"
    " OR host_key IN (SELECT host_key FROM runs WHERE host = ? AND host_key <> '')"
)
_SELECT_STEPS: Final = f"SELECT {', '.join(_STEP)} FROM steps WHERE run = ? ORDER BY number"  # noqa: S608


class JournalError(ZConsoleError):
    """The journal cannot be read or written; nothing is run without it."""


def journal_path() -> Path:
    """Where the user's journal is."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


class Journal:
    """The journal in a file, made when it is first written to. Its methods may be called from any thread."""

    def __init__(self, path: Path | None = None, *, is_kept: bool = True) -> None:
        """One that is not kept is in memory only: for hosts that are only played with."""
        self.path = path or journal_path()
        self._is_kept = is_kept
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def begin(self, entry: Entry) -> None:
        """A run begins: all that it is going to do."""
        with self._writing() as write:
            write.execute(_INSERT_RUN, _run_row(entry))
            write.executemany(
                _INSERT_STEP, [_step_row(entry.id, at, step) for at, step in enumerate(entry.steps)]
            )

    def sent(self, run: str, number: int, argv: Sequence[str], at: float) -> None:
        """A step is about to be sent. Only when this has returned may it be."""
        with self._writing() as write:
            write.execute(
                "UPDATE steps SET state = 'sent', sent = ?, sent_argv = ? WHERE run = ? AND number = ?",
                (at, json.dumps(list(argv)), run, number),
            )
            write.execute("UPDATE runs SET state = ? WHERE id = ?", (RunState.RUNNING.value, run))

    def step_ended(self, run: str, number: int, step: StepEntry) -> None:
        """A step ended, or its end was not seen, or it became known what had happened."""
        with self._writing() as write:
            write.execute(
                "UPDATE steps SET state = ?, ended = ?, status = ?, said = ?, settled = ?"
                " WHERE run = ? AND number = ?",
                (step.state, step.ended, step.status, _bounded(step.said), _text(step.settled), run, number),
            )

    def run_ended(self, run: str, state: RunState, words: str, at: float | None) -> None:
        """A run came to an end, or its end is not known."""
        with self._writing() as write:
            write.execute(
                "UPDATE runs SET state = ?, words = ?, ended = ? WHERE id = ?",
                (state.value, _bounded(words), at, run),
            )

    def entries(self, *, host: str | None = None, most: int = READ_AT_ONCE) -> tuple[Entry, ...]:
        """The last runs, oldest first; of one machine, by whichever name it was reached, or of all."""
        where, values = (_OF_A_MACHINE, [host] * 3) if host is not None else ("", [])
        return self._read(f"{_SELECT_RUNS}{where} ORDER BY started DESC LIMIT ?", [*values, most])[::-1]

    def unsettled(self) -> tuple[Entry, ...]:
        """The runs that have not come to a known end, oldest first; those that run now among them."""
        ends = [state.value for state in RunState if state.is_end and state is not RunState.UNKNOWN]
        marks = ", ".join("?" * len(ends))
        return self._read(f"{_SELECT_RUNS} WHERE state NOT IN ({marks}) ORDER BY started", ends)

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self, query: str, values: Sequence[object]) -> tuple[Entry, ...]:
        if self._is_kept and not self.path.exists():
            return ()
        with self._lock, self._failing("read"):
            connection = self._open()
            rows = connection.execute(query, values).fetchall()
            return tuple(_entry(row, connection.execute(_SELECT_STEPS, (row[0],)).fetchall()) for row in rows)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on disk when it is left."""
        with self._lock, self._failing("written"), transaction(self._open()) as connection:
            yield connection

    @contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JournalError(
                f"the journal {self.path} cannot be {what}: {error}",
                hint="Nothing is changed on a host without it.",
            ) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if self._is_kept:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            connection = sqlite3.connect(
                self.path if self._is_kept else ":memory:",
                timeout=BUSY_TIMEOUT_S,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            for statement in _SCHEMA:
                connection.execute(statement)
            self._connection = connection
        return self._connection


def _run_row(entry: Entry) -> tuple[object, ...]:
    return (
        *(entry.id, entry.started, entry.ended, entry.console, _text(entry.who), _text(entry.origin)),
        *(entry.host, _text(entry.hostname), entry.machine_id, entry.host_key, entry.action, entry.intent),
        *(_text(entry.title), _text(entry.target), entry.risk, entry.fingerprint),
        *(json.dumps(entry.destroys), _text(entry.undo), entry.state.value, _bounded(entry.words)),
    )


def _step_row(run: str, number: int, step: StepEntry) -> tuple[object, ...]:
    return (
        *(run, number, json.dumps(step.argv), _text(step.why), step.stdin_sha256, step.settled_by),
        *(step.state, step.sent, json.dumps(step.sent_argv), step.ended, step.status),
        *(_bounded(step.said), _text(step.settled)),
    )


def _entry(row: Sequence[Any], steps: Sequence[Sequence[Any]]) -> Entry:
    values = dict(zip(_RUN, row, strict=True))
    values["destroys"] = tuple(json.loads(values["destroys"]))
    values["state"] = RunState(values["state"])
    return Entry(**values, steps=tuple(map(_step, steps)))


def _step(row: Sequence[Any]) -> StepEntry:
    values = dict(zip(_STEP, row, strict=True))
    del values["run"], values["number"]
    for key in ("argv", "sent_argv"):
        values[key] = tuple(json.loads(values[key]))
    return StepEntry(**values)


def _bounded(text: str) -> str:
    if len(text) <= SAID_CHARACTERS:
        return _text(text) or ""
    return (_text(text[:SAID_CHARACTERS]) or "") + "\n..."


def _text(text: str | None) -> str | None:
    """Text that SQLite can keep: bytes that are no UTF-8 are spelled out."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")

"""Alerts in SQLite in the user's state folder: what was told, what waits to be sent, what was acknowledged.

A state that was told and the messages on it are written together: after a crash none is lost and none is
made twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.alert import Alert, AlertKey
from zconsole.storage.sqlite_file import FileFormat, SqliteFile

_T = TypeVar("_T")
FILE: Final = "alerts.sqlite"
FORMAT: Final = 1
APPLICATION_ID: Final = 0x7A5A414C
MOST_LOGGED: Final = 1000
MOST_QUEUED: Final = 1000  # messages of a channel; the oldest are dropped
LONGEST: Final = 64 * 1024  # characters of one row
LATEST: Final = 253_402_300_799  # the end of the year 9999
_SCHEMA: Final = (
    """CREATE TABLE states (
        watcher TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
        data TEXT NOT NULL, PRIMARY KEY (watcher, host, kind, about)) WITHOUT ROWID""",
    """CREATE TABLE acknowledged (
        host TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (host, kind, about)) WITHOUT ROWID""",
    "CREATE TABLE log (number INTEGER PRIMARY KEY AUTOINCREMENT, watcher TEXT NOT NULL, data TEXT NOT NULL)",
    """CREATE TABLE queue (
        number INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, data TEXT NOT NULL,
        attempts INTEGER NOT NULL, due REAL NOT NULL, made REAL NOT NULL)""",
    "CREATE TABLE seen (watcher TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID",
)


class AlertStoreError(ZConsoleError):
    """The alerts cannot be read or written."""


_FORMAT: Final = FileFormat(APPLICATION_ID, FORMAT, _SCHEMA, "the alerts", AlertStoreError)


@dataclass(frozen=True, slots=True)
class QueuedAlert:
    """A message that waits to be sent. Times in epoch seconds."""

    number: int
    alert: Alert
    attempts: int
    due: float
    made: float


def alert_store_path() -> Path:
    """Path of the file."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


class AlertStore:
    """Alerts in a file. Usable from any thread and by several programs; each has its name as a watcher."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = SqliteFile(path or alert_store_path(), _FORMAT)

    @property
    def path(self) -> Path:
        """Where the alerts are."""
        return self._file.path

    def states(self, watcher: str) -> dict[AlertKey, DampedState]:
        """The states that a watcher kept last."""
        rows = self._file.rows("SELECT data FROM states WHERE watcher = ?", (watcher,), _is_text)
        found = [self._decoded(data, DampedState) for (data,) in rows]
        return {each.alert.key: each for each in found}

    def keep(
        self,
        watcher: str,
        states: Mapping[AlertKey, DampedState],
        told: Sequence[Alert],
        queues: Mapping[str, Sequence[Alert]],
        now: float,
    ) -> None:
        """Replace the states of a watcher, log what was told, and queue messages by channel: as a whole."""
        kept = [(watcher, key.host, key.kind, key.about, _text(each)) for key, each in states.items()]
        waiting = [
            (channel, _text(alert), 0, now, now) for channel, alerts in queues.items() for alert in alerts
        ]
        with self._file.transaction() as write:
            write.execute("DELETE FROM states WHERE watcher = ?", (watcher,))
            write.executemany("INSERT INTO states VALUES (?, ?, ?, ?, ?)", kept)
            write.executemany(
                "INSERT INTO log (watcher, data) VALUES (?, ?)", [(watcher, _text(each)) for each in told]
            )
            write.execute("DELETE FROM log WHERE number <= (SELECT max(number) FROM log) - ?", (MOST_LOGGED,))
            write.executemany(
                "INSERT INTO queue (channel, data, attempts, due, made) VALUES (?, ?, ?, ?, ?)", waiting
            )
            for channel in queues:
                write.execute(
                    """DELETE FROM queue WHERE channel = ? AND number NOT IN (
                        SELECT number FROM queue WHERE channel = ? ORDER BY number DESC LIMIT ?)""",
                    (channel, channel, MOST_QUEUED),
                )

    def logged(self, watcher: str) -> tuple[Alert, ...]:
        """What a watcher told lately, oldest first."""
        rows = self._file.rows("SELECT data FROM log WHERE watcher = ? ORDER BY number", (watcher,), _is_text)
        return tuple(self._decoded(data, Alert) for (data,) in rows)

    def acknowledge(self, keys: Iterable[AlertKey], at: float) -> None:
        """Keep that states were acknowledged at a time, for every watcher."""
        rows = [(key.host, key.kind, key.about, at) for key in keys]
        with self._file.transaction() as write:
            write.executemany("INSERT OR REPLACE INTO acknowledged VALUES (?, ?, ?, ?)", rows)

    def acknowledged(self) -> dict[AlertKey, float]:
        """When each state was acknowledged last."""
        rows = self._file.rows("SELECT host, kind, about, at FROM acknowledged", (), _is_acknowledgement)
        return {AlertKey(host, kind, about): at for host, kind, about, at in rows}

    def due(self, channel: str, now: float) -> QueuedAlert | None:
        """The oldest message of a channel, if its time has come: a channel keeps the order."""
        rows = self._file.rows(
            "SELECT number, data, attempts, due, made FROM queue WHERE channel = ? ORDER BY number LIMIT 1",
            (channel,),
            _is_queued,
        )
        for number, data, attempts, due, made in rows:
            if due <= now:
                return QueuedAlert(number, self._decoded(data, Alert), attempts, due, made)
        return None

    def waiting(self, channels: Iterable[str]) -> int:
        """How many messages of the channels wait to be sent."""
        rows = [
            row
            for channel in channels
            for row in self._file.rows("SELECT number FROM queue WHERE channel = ?", (channel,), _is_number)
        ]
        return len(rows)

    def sent(self, number: int) -> None:
        """Forget a message: it was sent, or is given up."""
        with self._file.transaction() as write:
            write.execute("DELETE FROM queue WHERE number = ?", (number,))

    def put_off(self, number: int, due: float) -> None:
        """Try a message again at a later time."""
        with self._file.transaction() as write:
            write.execute("UPDATE queue SET attempts = attempts + 1, due = ? WHERE number = ?", (due, number))

    def look(self, watcher: str, at: float) -> None:
        """Keep when a person last looked at a watcher's alerts."""
        with self._file.transaction() as write:
            write.execute("INSERT OR REPLACE INTO seen VALUES (?, ?)", (watcher, at))

    def looked(self, watcher: str) -> float | None:
        """When a person last looked; None for never."""
        rows = self._file.rows("SELECT at FROM seen WHERE watcher = ?", (watcher,), _is_time)
        return next((at for (at,) in rows), None)

    def _decoded(self, data: str, kind: type[_T]) -> _T:
        import msgspec  # noqa: PLC0415  # a console opens the store before its first frame, and reads it later

        from zconsole.base.drop_wrongly_typed_json import prepared  # noqa: PLC0415

        try:
            return msgspec.json.decode(data, type=prepared(kind))
        except (msgspec.DecodeError, UnicodeError) as error:
            raise AlertStoreError(
                f"the alerts in {self.path} cannot be read: {error}",
                hint="Move it away to start a new one; it is left unchanged.",
            ) from error


def _text(value: object) -> str:
    import msgspec  # noqa: PLC0415  # as above

    return msgspec.json.encode(value).decode()


def _is_text(row: Sequence[object]) -> bool:
    return len(row) == 1 and isinstance(row[0], str) and len(row[0]) <= LONGEST


def _is_number(row: Sequence[object]) -> bool:
    return len(row) == 1 and isinstance(row[0], int)


def _is_moment(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= LATEST


def _is_time(row: Sequence[object]) -> bool:
    return len(row) == 1 and _is_moment(row[0])


def _is_acknowledgement(row: Sequence[object]) -> bool:
    return len(row) == 4 and all(isinstance(each, str) for each in row[:3]) and _is_moment(row[3])


def _is_queued(row: Sequence[object]) -> bool:
    number, data, attempts, due, made = row
    return (
        isinstance(number, int)
        and _is_text((data,))
        and isinstance(attempts, int)
        and _is_moment(due)
        and _is_moment(made)
    )

"""SMART data of disks over the years, in SQLite in the user's data folder: the newest, and one a day.

A disk is kept by its identity, not by its host: it stays the same disk in another shelf.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from zconsole.base.drop_wrongly_typed_json import prepared
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth
from zconsole.storage.sqlite_file import FileFormat, SqliteFile

FILE: Final = "disk-health.sqlite"
FORMAT: Final = 1
APPLICATION_ID: Final = 0x7A5A4648
DAY_S: Final = 86_400
DAILY_S: Final = 14 * DAY_S  # one a day is kept until this age,
KEPT_S: Final = 730 * DAY_S  # and one a week until this age
DAYS_A_WEEK: Final = 7
TREND_S: Final = 7 * DAY_S  # growth is told since the newest data that is at least so old, or the oldest
LEAST_TREND_S: Final = 3600.0
LATEST: Final = 253_402_300_799  # the end of the year 9999
LONGEST: Final = 64 * 1024  # characters of one disk's data
Identity = tuple[str, ...]
_SCHEMA: Final = (
    """CREATE TABLE disks (
        id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, data TEXT NOT NULL)""",
    """CREATE TABLE days (
        disk INTEGER NOT NULL REFERENCES disks (id), day INTEGER NOT NULL, at INTEGER NOT NULL,
        data TEXT NOT NULL, PRIMARY KEY (disk, day)) WITHOUT ROWID""",
)
_NEWEST: Final = (
    "INSERT INTO disks (identity, at, data) VALUES (?, ?, ?)"
    " ON CONFLICT (identity) DO UPDATE SET at = excluded.at, data = excluded.data RETURNING id"
)
_OF_DAYS: Final = "SELECT identity, {}(days.at), days.data FROM days JOIN disks ON disks.id = disk"
_OLDEST: Final = f"{_OF_DAYS.format('min')} GROUP BY disk"
_BEFORE: Final = f"{_OF_DAYS.format('max')} WHERE days.at <= disks.at - ? GROUP BY disk"
_THIN: Final = "DELETE FROM days WHERE at < ? OR (at < ? AND day % ? != 0)"


class DiskHealthStoreError(ZConsoleError):
    """The SMART data cannot be read or written."""


_FORMAT: Final = FileFormat(APPLICATION_ID, FORMAT, _SCHEMA, "the SMART data", DiskHealthStoreError)


@dataclass(frozen=True, slots=True)
class StoredHealth:
    """Newest kept data of a disk with its time in epoch seconds, and the data that growth is told from."""

    health: DiskHealth
    at: float
    earlier: EarlierHealth | None = None


def store_path() -> Path:
    """Path of the user's SMART data."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_data_dir("zconsole", appauthor=False)) / FILE


class DiskHealthStore:
    """SMART data in a file. Usable from any thread and by several consoles."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = SqliteFile(path or store_path(), _FORMAT)

    @property
    def path(self) -> Path:
        """Where the data is."""
        return self._file.path

    def add(self, found: Iterable[tuple[Identity, DiskHealth]], at: float) -> None:
        """Keep the data of disks that was read at a time; the first of a day stays."""
        second = int(at)
        with self._file.transaction() as write:
            for identity, health in found:
                data = msgspec.json.encode(health).decode()
                (disk,) = write.execute(_NEWEST, (_key(identity), second, data)).fetchone()
                write.execute(
                    "INSERT OR IGNORE INTO days VALUES (?, ?, ?, ?)", (disk, second // DAY_S, second, data)
                )
            write.execute(_THIN, (second - KEPT_S, second - DAILY_S, DAYS_A_WEEK))

    def known(self, disks: Iterable[Identity]) -> dict[Identity, StoredHealth]:
        """Newest data of each disk that any is kept of."""
        wanted = {_key(each): each for each in disks}
        oldest = self._rows(_OLDEST, ())
        before = oldest | self._rows(_BEFORE, (TREND_S,))
        return {
            wanted[key]: StoredHealth(health, at, _earlier(at, before.get(key)))
            for key, (at, health) in self._rows("SELECT identity, at, data FROM disks", ()).items()
            if key in wanted
        }

    def _rows(self, query: str, values: Sequence[object]) -> dict[str, tuple[float, DiskHealth]]:
        rows = self._file.rows(query, values, _is_sound)
        try:
            kind = prepared(DiskHealth)
            return {key: (float(at), msgspec.json.decode(data, type=kind)) for key, at, data in rows}
        except (msgspec.DecodeError, UnicodeError) as error:
            raise DiskHealthStoreError(
                f"the SMART data in {self.path} cannot be read: {error}",
                hint="Move it away to start a new one; it is left unchanged.",
            ) from error


def _earlier(at: float, before: tuple[float, DiskHealth] | None) -> EarlierHealth | None:
    if before is None or at - before[0] < LEAST_TREND_S:
        return None
    return EarlierHealth(before[1], at - before[0])


def _key(identity: Identity) -> str:
    return json.dumps(identity)


def _is_sound(row: Sequence[object]) -> bool:
    key, at, data = row
    return (
        isinstance(key, str)
        and isinstance(at, int)
        and 0 <= at <= LATEST
        and isinstance(data, str)
        and len(data) <= LONGEST
    )

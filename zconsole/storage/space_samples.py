"""Space samples over the years, in SQLite in the user's data folder, bounded by thinning."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from zconsole.base.errors import ZConsoleError
from zconsole.model.pools.space_samples import SpaceSample, UsePoint
from zconsole.storage.sqlite_file import FileFormat, SqliteFile

FILE: Final = "samples.sqlite"
FORMAT: Final = 1
APPLICATION_ID: Final = 0x7A5A4653  # tells this file from another program's database
HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S
FINE_S: Final = 2 * DAY_S  # every sample is kept until this age,
HOURLY_S: Final = 60 * DAY_S  # one per hour until this age,
DAILY_S: Final = 3653 * DAY_S  # and one per day until this age
LATEST: Final = 253_402_300_799  # the end of the year 9999, the last that datetime represents
MOST_DATASETS: Final = 30  # the largest datasets kept per sample
_SCHEMA: Final = (
    """CREATE TABLE pools (
        id INTEGER PRIMARY KEY, host TEXT NOT NULL, guid TEXT NOT NULL, name TEXT NOT NULL,
        UNIQUE (host, guid))""",
    """CREATE TABLE samples (
        pool INTEGER NOT NULL REFERENCES pools (id), at INTEGER NOT NULL,
        used INTEGER NOT NULL, available INTEGER NOT NULL,
        size INTEGER, allocated INTEGER, free INTEGER, PRIMARY KEY (pool, at)) WITHOUT ROWID""",
    """CREATE TABLE datasets (
        id INTEGER PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pools (id), name TEXT NOT NULL,
        UNIQUE (pool, name))""",
    """CREATE TABLE uses (
        pool INTEGER NOT NULL REFERENCES pools (id), at INTEGER NOT NULL, dataset INTEGER NOT NULL,
        live INTEGER NOT NULL, snapshots INTEGER, PRIMARY KEY (pool, at, dataset)) WITHOUT ROWID""",
)
_KNOWN_POOL: Final = (
    "INSERT INTO pools (host, guid, name) VALUES (?, ?, ?)"
    " ON CONFLICT (host, guid) DO UPDATE SET name = excluded.name RETURNING id"
)
_KNOWN_DATASET: Final = "INSERT INTO datasets (pool, name) VALUES (?, ?) ON CONFLICT DO NOTHING"
_INSERT_USE: Final = (
    "INSERT OR REPLACE INTO uses (pool, at, dataset, live, snapshots)"
    " SELECT ?, ?, id, ?, ? FROM datasets WHERE pool = ? AND name = ?"
)
_THIN: Final = (
    "DELETE FROM {table} WHERE pool = :pool AND at < :until AND at NOT IN"
    " (SELECT min(at) FROM {table} WHERE pool = :pool AND at < :until GROUP BY at / :every)"
)


class SpaceStoreError(ZConsoleError):
    """The samples cannot be read or written."""


_FORMAT: Final = FileFormat(APPLICATION_ID, FORMAT, _SCHEMA, "the samples", SpaceStoreError)


def store_path() -> Path:
    """Path of the user's samples."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_data_dir("zconsole", appauthor=False)) / FILE


class SpaceStore:
    """Samples in a file, created with the first. Usable from any thread and by several consoles."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = SqliteFile(path or store_path(), _FORMAT)

    @property
    def path(self) -> Path:
        """Where the samples are."""
        return self._file.path

    def add(self, sample: SpaceSample) -> None:
        """Save a sample, and thin old ones. Written in one transaction."""
        with self._file.transaction() as write:
            (pool,) = write.execute(_KNOWN_POOL, (sample.host, str(sample.guid), sample.pool)).fetchone()
            at = int(sample.at)
            (newest,) = write.execute("SELECT max(at) FROM samples WHERE pool = ?", (pool,)).fetchone()
            write.execute(
                "INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    *(pool, at, sample.used_bytes, sample.available_bytes),
                    *(sample.size_bytes, sample.allocated_bytes, sample.free_bytes),
                ),
            )
            for use in sample.datasets[:MOST_DATASETS]:
                write.execute(_KNOWN_DATASET, (pool, use.name))
                write.execute(_INSERT_USE, (pool, at, use.live_bytes, use.snapshots_bytes, pool, use.name))
            if newest is not None:  # a time far ahead, from a wrong clock, thins nothing
                _thin(write, pool, min(newest, at))

    def newest(self, host: str, guid: int) -> SpaceSample | None:
        """The last sample of a pool, without its datasets."""
        samples = self._samples(host, guid, "ORDER BY at DESC LIMIT 1", ())
        return samples[0] if samples else None

    def samples(self, host: str, guid: int, *, since: float = 0.0) -> tuple[SpaceSample, ...]:
        """The samples of a pool, oldest first, without their datasets."""
        return self._samples(host, guid, "AND at >= ? ORDER BY at", (int(since),))

    def uses(self, host: str, guid: int, *, since: float = 0.0) -> dict[str, tuple[UsePoint, ...]]:
        """Space used by the datasets of a pool, oldest first; only at times kept for each dataset."""
        found: dict[str, list[UsePoint]] = {}
        for name, at, live, snapshots in self._rows(
            "SELECT datasets.name, at, live, snapshots FROM uses"
            " JOIN pools ON pools.id = uses.pool JOIN datasets ON datasets.id = dataset"
            " WHERE host = ? AND guid = ? AND at >= ? ORDER BY at",
            (host, str(guid), int(since)),
            known=1,
        ):
            found.setdefault(name, []).append(UsePoint(float(at), live, snapshots))
        return {name: tuple(points) for name, points in found.items()}

    def _samples(
        self, host: str, guid: int, rest: str, values: tuple[object, ...]
    ) -> tuple[SpaceSample, ...]:
        columns = "at, name, used, available, size, allocated, free"
        query = f"SELECT {columns} FROM samples JOIN pools ON pools.id = pool WHERE host = ? AND guid = ?"  # noqa: S608
        return tuple(
            SpaceSample(float(at), host, name, guid, used, available, size, allocated, free)
            for at, name, used, available, size, allocated, free in self._rows(
                f"{query} {rest}", (host, str(guid), *values), known=2
            )
        )

    def _rows(self, query: str, values: tuple[object, ...], *, known: int) -> list[tuple[Any, ...]]:
        """Rows of a time, a name and sizes; the first `known` sizes are never None."""
        return self._file.rows(query, values, lambda row: _is_sound(row, known))


def _is_sound(row: Sequence[object], known: int) -> bool:
    """Whether a row is valid: one name, a time, and sizes; sizes after the first `known` may be None."""
    numbers = [value for value in row if not isinstance(value, str)]
    moment, *sizes = numbers or [None]
    return (
        len(numbers) == len(row) - 1
        and isinstance(moment, int)
        and 0 <= moment <= LATEST
        and all(isinstance(size, int) and size >= 0 for size in sizes[:known])
        and all(size is None or (isinstance(size, int) and size >= 0) for size in sizes[known:])
    )


def _thin(write: sqlite3.Connection, pool: int, now: int) -> None:
    """Thin old samples to one per hour, then one per day; old dataset uses to one per day."""
    for table in ("samples", "uses"):
        write.execute(f"DELETE FROM {table} WHERE pool = ? AND at < ?", (pool, now - DAILY_S))  # noqa: S608
    for table, until, every in (
        ("samples", now - FINE_S, HOUR_S),
        ("samples", now - HOURLY_S, DAY_S),
        ("uses", now - FINE_S, DAY_S),
    ):
        write.execute(_THIN.format(table=table), {"pool": pool, "until": until, "every": every})

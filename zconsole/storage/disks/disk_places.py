"""Places of pools' disks, in SQLite in the user's data folder: where to put a disk back that was pulled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from zconsole.base.errors import ZConsoleError
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.storage.sqlite_file import FileFormat, SqliteFile

FILE: Final = "disk-places.sqlite"
FORMAT: Final = 1
APPLICATION_ID: Final = 0x7A5A4650
KEPT_S: Final = 730 * 86_400  # a device that was not seen for so long is forgotten
LONGEST: Final = 1024  # characters of a text
LATEST: Final = 253_402_300_799  # the end of the year 9999
_SCHEMA: Final = (
    """CREATE TABLE places (
        pool TEXT NOT NULL, leaf TEXT NOT NULL, serial TEXT NOT NULL, model TEXT NOT NULL, bay TEXT NOT NULL,
        path TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (pool, leaf)) WITHOUT ROWID""",
)


class DiskPlaceStoreError(ZConsoleError):
    """The places cannot be read or written."""


_FORMAT: Final = FileFormat(APPLICATION_ID, FORMAT, _SCHEMA, "the places of the disks", DiskPlaceStoreError)


class DiskPlaceStore:
    """Places in a file. Usable from any thread and by several consoles."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, _FORMAT)

    @property
    def path(self) -> Path:
        """Where the places are."""
        return self._file.path

    def add(self, found: Iterable[DiskPlace]) -> None:
        """Keep the places of devices, in place of earlier ones."""
        places = tuple(found)
        if not places:
            return
        rows = (
            (str(each.pool_guid), str(each.leaf_guid), *(text[:LONGEST] for text in each.facts), int(each.at))
            for each in places
        )
        oldest = int(max(each.at for each in places)) - KEPT_S
        with self._file.transaction() as write:
            write.executemany("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            write.execute("DELETE FROM places WHERE at < ?", (oldest,))

    def known(self, pools: Iterable[int]) -> tuple[DiskPlace, ...]:
        """The places of the devices of pools, by the pools' guids."""
        wanted = {str(guid) for guid in pools}
        rows = self._file.rows("SELECT pool, leaf, serial, model, bay, path, at FROM places", (), _is_sound)
        return tuple(
            DiskPlace(int(pool), int(leaf), serial, model, bay, path, float(at))
            for pool, leaf, serial, model, bay, path, at in rows
            if pool in wanted
        )


def _is_sound(row: Sequence[object]) -> bool:
    *texts, at = row
    return (
        all(isinstance(text, str) and len(text) <= LONGEST for text in texts)
        and all(str(guid).isdecimal() and str(guid).isascii() for guid in texts[:2])
        and isinstance(at, int)
        and 0 <= at <= LATEST
    )

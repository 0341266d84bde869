"""Evidence on pools' devices, in SQLite in the user's data folder: why a disk failed that is gone since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from zconsole.base.drop_wrongly_typed_json import prepared
from zconsole.base.errors import ZConsoleError
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.storage.sqlite_file import FileFormat, SqliteFile

FILE: Final = "disk-evidence.sqlite"
FORMAT: Final = 1
APPLICATION_ID: Final = 0x7A5A4645
KEPT_S: Final = 730 * 86_400  # a device that was not seen for so long is forgotten
LONGEST: Final = 256 * 1024  # characters of one device's evidence
LATEST: Final = 253_402_300_799  # the end of the year 9999
_SCHEMA: Final = (
    """CREATE TABLE evidence (
        pool TEXT NOT NULL, leaf TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (pool, leaf)) WITHOUT ROWID""",
)
_KEPT: Final = "SELECT data FROM evidence WHERE pool = ? AND leaf = ?"


class DiskEvidenceStoreError(ZConsoleError):
    """The evidence cannot be read or written."""


_FORMAT: Final = FileFormat(
    APPLICATION_ID, FORMAT, _SCHEMA, "what is known of disks that are gone", DiskEvidenceStoreError
)


class DiskEvidenceStore:
    """Evidence in a file. Usable from any thread and by several consoles."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, _FORMAT)

    @property
    def path(self) -> Path:
        """Where the evidence is."""
        return self._file.path

    def add(self, found: Iterable[DeviceEvidence]) -> None:
        """Keep the evidence on devices, in place of earlier one; what is too long is left out."""
        rows = [
            (str(each.pool_guid), str(each.leaf_guid), int(each.at), data)
            for each in found
            if len(data := msgspec.json.encode(each).decode()) <= LONGEST
        ]
        if not rows:
            return
        oldest = max(at for _, _, at, _ in rows) - KEPT_S
        with self._file.transaction() as write:
            write.executemany("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?)", rows)
            write.execute("DELETE FROM evidence WHERE at < ?", (oldest,))

    def known(self, devices: Iterable[tuple[int, int]]) -> tuple[DeviceEvidence, ...]:
        """What is kept of devices, by the guids of pool and leaf."""
        rows = [
            row for pool, leaf in devices for row in self._file.rows(_KEPT, (str(pool), str(leaf)), _is_sound)
        ]
        try:
            kind = prepared(DeviceEvidence)
            found = tuple(msgspec.json.decode(data, type=kind) for (data,) in rows)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise self._damaged(str(error)) from error
        if not all(_is_possible(each) for each in found):
            raise self._damaged("a time in it is damaged")
        return found

    def _damaged(self, why: str) -> DiskEvidenceStoreError:
        return DiskEvidenceStoreError(
            f"what is known of disks that are gone, in {self.path}, cannot be read: {why}",
            hint="Move it away to start a new one; it is left unchanged.",
        )


def _is_sound(row: Sequence[object]) -> bool:
    return len(row) == 1 and isinstance(row[0], str) and len(row[0]) <= LONGEST


def _is_possible(each: DeviceEvidence) -> bool:
    record = each.record
    of_record = () if record is None else (record.at, record.known_at or 0.0)
    times = (each.at, *of_record, *(message.at for message in each.kernel))
    return all(0 <= at <= LATEST for at in times)

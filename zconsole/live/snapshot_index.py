"""The last known snapshots of pools on disk, in the user's cache: opened at once, whatever their number.

A file a pool and host: a line that says what it is, a header in JSON, then the columns as they are in memory,
which are not read before they are looked at. What is damaged or of another version is as if it was not there.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from zconsole.model.snapshot_table import Listed, SnapshotColumns, SnapshotTable

MAGIC: Final = b"zconsole snapshots 1\n"
FOLDER: Final = "snapshots"
_NUMBER: Final = 8  # bytes of the header's length and of its checksum, each
_END: Final = 4  # bytes of a name's end
_WORD: Final = 8
_PRIVATE: Final = 0o700


def index_folder() -> Path:
    """Where the user's indexes are."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_cache_dir("zconsole", appauthor=False)) / FOLDER


class SnapshotIndex:
    """The files; an index that cannot be written or read is only missed."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or index_folder()

    def path(self, host: str, pool_guid: int) -> Path:
        """The file of a pool as it is reached from here."""
        name = hashlib.sha256(host.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._folder / f"{name}-{pool_guid}"

    def save(self, host: str, table: SnapshotTable) -> None:
        """Put a table in place of the one before, whole or not at all. Raises OSError."""
        self._folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        header = json.dumps(_header(table)).encode()
        path = self.path(host, table.guid)
        handle, part = tempfile.mkstemp(dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC)
                file.write(len(header).to_bytes(_NUMBER) + crc32(header).to_bytes(_NUMBER))
                file.write(header + b" " * (-(file.tell() + len(header)) % _WORD))
                for column in ("guids", "createtxgs", "ends"):
                    for each in table.datasets:
                        file.write(getattr(each.snapshots, column))
                for each in table.datasets:
                    file.write(each.snapshots.names)
            Path(part).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(part).unlink()
            raise

    def load(self, host: str, pool_guid: int) -> SnapshotTable | None:
        """The last known snapshots of a pool; None where there are none that can be read."""
        try:
            with self.path(host, pool_guid).open("rb") as file:
                view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            return _table(view)
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return None


def _header(table: SnapshotTable) -> dict[str, Any]:
    return {
        "pool": table.pool,
        "guid": table.guid,
        "taken_at": table.taken_at,
        "datasets": [
            [
                *(each.name, each.guid, each.createtxg, each.origin, each.changed, each.listed_at),
                *(len(each.snapshots), len(each.snapshots.names)),
            ]
            for each in table.datasets
        ],
    }


def _table(view: memoryview) -> SnapshotTable:
    """Raises ValueError, KeyError or TypeError for anything that `save` did not write."""
    start = len(MAGIC) + 2 * _NUMBER
    if bytes(view[: len(MAGIC)]) != MAGIC:
        raise ValueError("another file")
    size = int.from_bytes(view[len(MAGIC) : len(MAGIC) + _NUMBER])
    header = bytes(view[start : start + size])
    if crc32(header) != int.from_bytes(view[len(MAGIC) + _NUMBER : start]):
        raise ValueError("a damaged header")
    told = json.loads(header)
    rows = told["datasets"]
    total, blob = sum(row[6] for row in rows), sum(row[7] for row in rows)
    at = start + size + -(start + size) % _WORD
    txgs_at, ends_at, names_at = (at + total * each for each in (_WORD, 2 * _WORD, 2 * _WORD + _END))
    if len(view) != names_at + blob:
        raise ValueError("cut short")
    guids, txgs = view[at:txgs_at].cast("Q"), view[txgs_at:ends_at].cast("Q")
    ends, names = view[ends_at:names_at].cast("I"), view[names_at:]
    found: list[Listed] = []
    row_at = name_at = 0
    for name, guid, createtxg, origin, changed, listed_at, count, length in rows:
        part = slice(row_at, row_at + count)
        columns = SnapshotColumns(names[name_at : name_at + length], ends[part], guids[part], txgs[part])
        found.append(Listed(name, guid, createtxg, origin, changed, listed_at, columns))
        row_at, name_at = row_at + count, name_at + length
    return SnapshotTable(told["pool"], told["guid"], tuple(found), told["taken_at"])

"""Saved snapshot listings of pools in the user's cache, opened at once at any size."""

from __future__ import annotations

import hashlib
import json
import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final
from zlib import crc32

from zconsole.base.bounded_user_file import open_regular
from zconsole.base.errors import ZConsoleError
from zconsole.model.datasets.snapshot_table import DatasetSnapshots, Numbers, SnapshotColumns, SnapshotTable
from zconsole.storage.atomic_file import replacing

MAGIC: Final = b"zconsole snapshots 2\n"
FOLDER: Final = "snapshots"
_FAMILY: Final = b"zconsole snapshots "
_NUMBER: Final = 8  # bytes of the header's length field, and of each checksum
_PRIVATE: Final = 0o700


class DamagedIndex(ZConsoleError):
    """Damaged index, which is ignored."""


def index_folder() -> Path:
    """Folder of the user's indexes."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_cache_dir("zconsole", appauthor=False)) / FOLDER


class SnapshotIndex:
    """The index files; an unwritable or unreadable one is only a cache miss."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or index_folder()

    def path(self, host: str, pool_guid: int) -> Path:
        """Path of the index of a pool on a host."""
        name = hashlib.sha256(host.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._folder / f"{name}-{pool_guid}"

    def save(self, host: str, table: SnapshotTable) -> None:
        """Replace a pool's saved table atomically. Raises OSError."""
        self._folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        header = json.dumps(_header(table)).encode()
        with replacing(self.path(host, table.guid)) as file:
            file.write(MAGIC)
            numbers = (len(header), crc32(header), _checksum(table))
            file.write(b"".join(each.to_bytes(_NUMBER) for each in numbers) + header)
            for piece in _pieces(table):
                file.write(piece)  # type: ignore[arg-type]  # an array, or a view of one

    def load(self, host: str, pool_guid: int) -> SnapshotTable | None:
        """Last saved snapshots of a pool; None without a file or with another version's.

        Raises DamagedIndex for a file that differs from what `save` writes.
        """
        path = self.path(host, pool_guid)
        try:
            with os.fdopen(open_regular(path), "rb") as file:
                magic = file.read(len(MAGIC))
                if magic.startswith(_FAMILY) and magic != MAGIC:
                    return None
                return _table(file, magic)
        except OSError:
            return None
        except (ValueError, KeyError, TypeError, EOFError, OverflowError, RecursionError) as error:
            raise DamagedIndex(f"the index of snapshots in {path} is damaged: {error}") from error


def _pieces(table: SnapshotTable) -> Iterator[Numbers | bytes]:
    for column in ("guids", "createtxgs", "ends", "names"):
        for each in table.datasets:
            yield getattr(each.snapshots, column)


def _checksum(table: SnapshotTable) -> int:
    found = 0
    for piece in _pieces(table):
        found = crc32(piece, found)  # type: ignore[arg-type]  # an array, or a view of one
    return found


def _header(table: SnapshotTable) -> dict[str, Any]:
    return {
        "pool": table.pool,
        "guid": table.guid,
        "taken_at": table.taken_at,
        "datasets": [
            [
                *(each.name, each.type, each.guid, each.createtxg, each.origin, each.changed, each.listed_at),
                *(len(each.snapshots), len(each.snapshots.names)),
            ]
            for each in table.datasets
        ],
    }


def _table(file: IO[bytes], magic: bytes) -> SnapshotTable:
    """Table of a header and body; raises ValueError, KeyError, TypeError or EOFError for invalid data."""
    if magic != MAGIC:
        raise ValueError("another file")
    size, of_header, of_columns = (int.from_bytes(file.read(_NUMBER)) for _ in range(3))
    if size > os.fstat(file.fileno()).st_size:
        raise ValueError("truncated")
    header = file.read(size)
    if crc32(header) != of_header:
        raise ValueError("its header has another checksum")
    told = json.loads(header)
    rows = told["datasets"]
    total = sum(row[7] for row in rows)
    guids, txgs, ends = array("Q"), array("Q"), array("I")
    for column in (guids, txgs, ends):
        column.fromfile(file, total)
    columns = tuple(memoryview(each) for each in (ends, guids, txgs))
    found: list[DatasetSnapshots] = []
    at = 0
    for name, kind, guid, createtxg, origin, changed, listed_at, count, length in rows:
        mine = SnapshotColumns(file.read(length), *(each[at : at + count] for each in columns))
        found.append(DatasetSnapshots(name, guid, createtxg, origin, changed, listed_at, mine, kind))
        at += count
    table = SnapshotTable(told["pool"], told["guid"], tuple(found), told["taken_at"])
    if file.read(1) or _checksum(table) != of_columns:
        raise ValueError("its columns have another checksum")
    return table

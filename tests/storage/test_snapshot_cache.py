"""The last known snapshots of a pool, on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.model.datasets.test_snapshot_table import TABLE
from zconsole.model.datasets.snapshot_table import SnapshotTable
from zconsole.storage.snapshot_cache import MAGIC, DamagedIndex, SnapshotIndex


def told(table: SnapshotTable | None) -> list[tuple[str, int, int]]:
    assert table is not None
    return [(table.name(row), table.guid_of(row), table.createtxg(row)) for row in range(len(table))]


def test_what_was_saved_is_there_again(tmp_path: Path) -> None:
    index = SnapshotIndex(tmp_path / "deep")

    index.save("nas1", TABLE)

    assert told(TABLE) == told(index.load("nas1", 5))
    loaded = index.load("nas1", 5)
    assert loaded is not None
    assert [("tank/clone", "tank@ab", 9.0)] == [
        (each.name, each.origin, each.listed_at) for each in loaded.datasets if each.origin
    ]


def test_another_host_and_another_pool_have_files_of_their_own(tmp_path: Path) -> None:
    index = SnapshotIndex(tmp_path)
    index.save("nas1", TABLE)

    assert index.load("nas2", 5) is None
    assert index.load("nas1", 6) is None


def test_a_file_of_another_version_is_as_if_it_was_not_there(tmp_path: Path) -> None:
    index = SnapshotIndex(tmp_path)
    index.save("nas1", TABLE)
    path = index.path("nas1", 5)
    path.write_bytes(path.read_bytes().replace(MAGIC, b"zconsole snapshots 1\n"))

    assert index.load("nas1", 5) is None


def test_a_file_with_any_other_byte_is_damaged(tmp_path: Path) -> None:
    index = SnapshotIndex(tmp_path)
    index.save("nas1", TABLE)
    path = index.path("nas1", 5)
    whole = path.read_bytes()

    for at in range(len(MAGIC), len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with pytest.raises(DamagedIndex, match="is damaged"):
            index.load("nas1", 5)


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data + b"x", lambda data: data[:25]])
def test_a_file_of_another_length_is_damaged(tmp_path: Path, change: object) -> None:
    index = SnapshotIndex(tmp_path)
    index.save("nas1", TABLE)
    path = index.path("nas1", 5)
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]

    with pytest.raises(DamagedIndex):
        index.load("nas1", 5)

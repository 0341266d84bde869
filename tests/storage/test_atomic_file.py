"""A file is the old one or the new one, whatever happens between."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import pytest

from zconsole.storage.atomic_file import creating, replacing


@pytest.mark.parametrize("is_synced", [False, True])
def test_the_new_takes_the_place_of_the_old(tmp_path: Path, is_synced: bool) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")

    with replacing(path, is_synced=is_synced) as file:
        file.write(b"new")
        file.flush()
        assert b"old" == path.read_bytes()

    assert b"new" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())
    assert 0 == path.stat().st_mode & 0o077


def test_after_an_error_the_old_is_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")

    def cut_short() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_short()

    assert b"old" == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "none" / "kept"):
        pass


def links_and_others(tmp_path: Path) -> list[Path]:
    """What must never be written through, nor replaced."""
    (tmp_path / "other").write_bytes(b"other")
    (tmp_path / "link").symlink_to("other")
    (tmp_path / "dangling").symlink_to("none")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    return [tmp_path / name for name in ("link", "dangling", "folder", "fifo")]


@pytest.mark.parametrize("write", [replacing, creating])
def test_nothing_is_written_through_a_link_nor_over_what_is_no_file(
    tmp_path: Path, write: Callable[[Path], AbstractContextManager[IO[bytes]]]
) -> None:
    for path in links_and_others(tmp_path):
        before = path.lstat()

        with pytest.raises(OSError, match=r"regular file|File exists"), write(path) as file:
            file.write(b"mine")

        assert before.st_ino == path.lstat().st_ino
    assert b"other" == (tmp_path / "other").read_bytes()
    assert 5 == len(list(tmp_path.iterdir()))


def test_a_new_file_is_whole_or_not_there_and_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "export"

    def cut_short() -> None:
        with creating(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_short()
    assert [] == list(tmp_path.iterdir())

    with creating(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert b"whole" == path.read_bytes()
    assert 0o600 == path.stat().st_mode & 0o777
    with pytest.raises(FileExistsError), creating(path):
        pass
    assert [path] == list(tmp_path.iterdir())


def test_where_there_are_no_hard_links_a_new_file_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)

    with creating(tmp_path / "export") as file:
        file.write(b"whole")

    assert b"whole" == (tmp_path / "export").read_bytes()
    assert [tmp_path / "export"] == list(tmp_path.iterdir())

"""A file is the old one or the new one, whatever happens between."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.live.whole_file import replacing


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

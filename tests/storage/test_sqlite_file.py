"""A database of ours: made when it is written, and nobody else's is touched."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from zconsole.base.errors import ZConsoleError
from zconsole.storage.sqlite_file import FileFormat, SqliteFile


class NotesError(ZConsoleError):
    """Of the test."""


NOTES = FileFormat(0x5A01, 2, ("CREATE TABLE notes (words TEXT)",), "the notes", NotesError)


def sound(row: object) -> bool:
    return row != ("damaged",)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "notes.db"


def written(path: Path, *words: str) -> SqliteFile:
    file = SqliteFile(path, NOTES)
    with file.transaction() as connection:
        connection.executemany("INSERT INTO notes VALUES (?)", [(each,) for each in words])
    return file


def test_reading_makes_no_file(path: Path) -> None:
    assert [] == SqliteFile(path, NOTES).rows("SELECT words FROM notes", (), sound)
    assert not path.parent.exists()


def test_what_was_written_is_read_by_another_console(path: Path) -> None:
    written(path, "one", "two")

    assert [("two",)] == SqliteFile(path, NOTES).rows(
        "SELECT words FROM notes WHERE words > ?", ("one",), sound
    )
    assert 0o600 == path.stat().st_mode & 0o777
    assert 0o700 == path.parent.stat().st_mode & 0o777


def test_a_transaction_that_fails_leaves_nothing(path: Path) -> None:
    file = written(path, "one")

    def fail() -> None:
        with file.transaction() as connection:
            connection.execute("INSERT INTO notes VALUES ('two')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [("one",)] == file.rows("SELECT words FROM notes", (), sound)


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("it is a database of another program", "PRAGMA application_id = 1"),
        ("it is of format 3, of a newer zconsole, not 2", "PRAGMA user_version = 3"),
    ],
)
def test_a_file_that_is_not_ours_or_newer_is_refused_and_kept(path: Path, said: str, statement: str) -> None:
    file = written(path, "one")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)

    with pytest.raises(NotesError, match=said):
        file.rows("SELECT words FROM notes", (), sound)
    with pytest.raises(NotesError, match=said), file.transaction():
        pass


def test_a_damaged_value_is_told_with_what_to_do(path: Path) -> None:
    file = written(path, "damaged")

    with pytest.raises(
        NotesError, match=r"the notes in .* cannot be read: a value in it is damaged"
    ) as raised:
        file.rows("SELECT words FROM notes", (), sound)
    assert "Move it away to start a new one; it is left unchanged." == raised.value.hint


def test_a_pipe_in_its_place_is_never_opened(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)

    with pytest.raises(NotesError):
        SqliteFile(path, NOTES).rows("SELECT words FROM notes", (), sound)

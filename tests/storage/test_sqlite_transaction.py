"""All of a transaction is in the file, or nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from zconsole.storage.sqlite_transaction import transaction


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    with opened(path) as connection:
        connection.execute("CREATE TABLE t (n)")
    return path


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=0)


def rows(path: Path) -> list[int]:
    connection = opened(path)
    try:
        return [number for (number,) in connection.execute("SELECT n FROM t ORDER BY n")]
    finally:
        connection.close()


def test_what_was_written_is_there_when_it_is_left(file: Path) -> None:
    connection = opened(file)

    with transaction(connection) as inside:
        inside.execute("INSERT INTO t VALUES (1)")
        assert [] == rows(file)

    assert [1] == rows(file)
    assert not connection.in_transaction


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_nothing_is(file: Path, error: type[BaseException]) -> None:
    connection = opened(file)

    def fails() -> None:
        with transaction(connection) as inside:
            inside.execute("INSERT INTO t VALUES (1)")
            raise error

    with pytest.raises(error):
        fails()

    assert [] == rows(file)
    assert not connection.in_transaction


def test_another_writer_waits_from_the_beginning(file: Path) -> None:
    first, second = opened(file), opened(file)

    with transaction(first), pytest.raises(sqlite3.OperationalError, match="locked"), transaction(second):
        pass

"""Runs of a journal that somebody removed under a running console."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.storage.test_journal_rows import ENTRY, STEP_ENTRY
from zconsole.storage.journal_rows import RUN, STEP, run_row, step_row
from zconsole.storage.rescue_from_removed_journal import place_of, put_back, rescue

PUT_RUN = f"INSERT INTO runs VALUES ({', '.join('?' * len(RUN))})"  # noqa: S608
PUT_STEP = f"INSERT INTO steps VALUES ({', '.join('?' * len(STEP))})"  # noqa: S608
OPEN = [*run_row(ENTRY)]
OPEN[RUN.index("ended")] = None


@pytest.fixture
def journal() -> sqlite3.Connection:
    return made()


def made() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE runs ({', '.join(RUN)}, PRIMARY KEY (id))")
    connection.execute(f"CREATE TABLE steps ({', '.join(STEP)}, PRIMARY KEY (run, number))")
    return connection


def add(connection: sqlite3.Connection, name: str, row: list[object]) -> None:
    connection.execute(PUT_RUN, [name, *row[1:]])
    connection.execute(PUT_STEP, step_row(name, 0, STEP_ENTRY))


def test_own_runs_and_those_without_an_end_are_saved(journal: sqlite3.Connection) -> None:
    add(journal, "own", [*run_row(ENTRY)])
    add(journal, "open", OPEN)
    add(journal, "over", [*run_row(ENTRY)])

    found = rescue(journal, {"own"})

    assert [("own", True), ("open", False)] == [(each.run[0], each.is_own) for each in found]
    assert [1, 1] == [len(each.steps) for each in found]


def test_of_another_console_what_stands_there_stays(journal: sqlite3.Connection) -> None:
    add(journal, "own", OPEN)
    add(journal, "open", OPEN)
    found = rescue(journal, {"own"})
    new = made()
    for name in ("own", "open"):
        add(new, name, [*run_row(ENTRY)])

    put_back(new, found)

    ended = dict(new.execute("SELECT id, ended FROM runs").fetchall())
    assert {"own": None, "open": 3.0} == ended


def test_a_file_is_known_by_what_it_is_and_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"")
    before = place_of(path)
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / "other").replace(path)

    assert before.database is not None
    assert before.log is None
    assert before != place_of(path)
    path.unlink()
    assert place_of(path).database is None

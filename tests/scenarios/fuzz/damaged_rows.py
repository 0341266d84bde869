"""Ways in which the tables of an SQLite file are damaged, by seed: values, rows, columns and the format."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

HUGE: Final = 20 << 20  # bytes of one value
VALUES: Final[tuple[object, ...]] = (
    *(None, 0, -1, 1 << 62, -(1 << 63), 0.5, 1e308, float("inf"), float("-inf")),
    *("", "x", "0", "none", "\0", "\x1b[2J", "\u202e", "a" * 100_000, "9" * 5000, "²", "\u0663"),
    *(b"", b"\xff\xfe", b"\0" * 100, b"x"),
    *("[", "[]", "{}", "null", "[1]", '["a", 1]', '[["pool-there"]]', "NaN", "9" * 4301, '{"target": 1}'),
    *("[" * 900 + "]" * 900, "[" * 100_000, '{"a":' * 900 + "1" + "}" * 900, f'{{"target": {"9" * 4301}}}'),
)
FORMATS: Final = (-1, 0, 1, 3, 9, 2**31 - 1)

Way = Callable[[sqlite3.Connection, Random], None]


def damaged(content: bytes, seed: int) -> bytes:
    """The same file with one to four things wrong in its tables; it stays a sound file of SQLite."""
    chance = Random(seed)  # noqa: S311  # to break files, not to keep secrets
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.deserialize(content)
        for _ in range(chance.choice((1, 1, 2, 4))):
            with suppress(sqlite3.Error, OverflowError):  # what is not allowed stays as it was
                chance.choice(WAYS)(connection, chance)
        return connection.serialize()
    finally:
        connection.close()


def set_value(connection: sqlite3.Connection, table: str, column: str, row: int, value: object) -> None:
    """Of one row one value is another one; bytes are taken for text where `value` is text that is none."""
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))  # noqa: S608


def _value(connection: sqlite3.Connection, chance: Random) -> None:
    table = _table(connection, chance)
    column, row = chance.choice(_columns(connection, table)), chance.choice(_rows(connection, table))
    set_value(connection, table, column, row, chance.choice(VALUES))


def _no_text(connection: sqlite3.Connection, chance: Random) -> None:
    """Text that is no UTF-8."""
    table = _table(connection, chance)
    column = chance.choice(_columns(connection, table))
    connection.execute(f"UPDATE {table} SET {column} = CAST(x'ff20c328' AS TEXT)")  # noqa: S608


def _huge(connection: sqlite3.Connection, chance: Random) -> None:
    if chance.random() < 0.1:
        table = _table(connection, chance)
        column, row = chance.choice(_columns(connection, table)), chance.choice(_rows(connection, table))
        set_value(connection, table, column, row, "x" * HUGE)


def _row_gone(connection: sqlite3.Connection, chance: Random) -> None:
    table = _table(connection, chance)
    connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (chance.choice(_rows(connection, table)),))  # noqa: S608


def _rows_doubled(connection: sqlite3.Connection, chance: Random) -> None:
    """In a table that has lost what its columns must be."""
    table = _table(connection, chance)
    connection.execute(f"CREATE TABLE copied AS SELECT * FROM {table}")  # noqa: S608
    connection.execute(f"DROP TABLE {table}")
    connection.execute(f"ALTER TABLE copied RENAME TO {table}")
    connection.execute(f"INSERT INTO {table} SELECT * FROM {table}")  # noqa: S608


def _column_gone(connection: sqlite3.Connection, chance: Random) -> None:
    table = _table(connection, chance)
    column = chance.choice(_columns(connection, table))
    connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


def _column_renamed(connection: sqlite3.Connection, chance: Random) -> None:
    table = _table(connection, chance)
    column = chance.choice(_columns(connection, table))
    connection.execute(f'ALTER TABLE {table} RENAME COLUMN {column} TO "\u202ex"')


def _column_more(connection: sqlite3.Connection, chance: Random) -> None:
    connection.execute(f"ALTER TABLE {_table(connection, chance)} ADD COLUMN more TEXT")


def _table_gone(connection: sqlite3.Connection, chance: Random) -> None:
    connection.execute(f"DROP TABLE {_table(connection, chance)}")


def _endless_view(connection: sqlite3.Connection, chance: Random) -> None:
    """A table is a view of itself, many times over."""
    table = _table(connection, chance)
    connection.execute(f"ALTER TABLE {table} RENAME TO kept")
    connection.execute(
        f"CREATE VIEW {table} AS SELECT kept.rowid AS rowid, kept.* FROM kept, kept b, kept c, kept d"  # noqa: S608
    )


def _format(connection: sqlite3.Connection, chance: Random) -> None:
    connection.execute(f"PRAGMA user_version = {chance.choice(FORMATS)}")


def _table(connection: sqlite3.Connection, chance: Random) -> str:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_%_%'")
    names = sorted(name for (name,) in rows) or ["runs"]
    return str(chance.choice(names))


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [f'"{row[1]}"' for row in connection.execute(f"PRAGMA table_info({table})")] or ["id"]


def _rows(connection: sqlite3.Connection, table: str) -> list[int]:
    return [row for (row,) in connection.execute(f"SELECT rowid FROM {table}")] or [1]  # noqa: S608


WAYS: Final[tuple[Way, ...]] = (
    *(_value, _value, _value, _value, _no_text, _huge, _row_gone, _rows_doubled, _column_gone),
    *(_column_renamed, _column_more, _table_gone, _endless_view, _format),
)

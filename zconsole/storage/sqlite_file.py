"""SQLite file of the user, made at the first write; usable from any thread and by several consoles."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from zconsole.base.bounded_user_file import check_regular
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.storage.sqlite_transaction import transaction

BUSY_TIMEOUT_S: Final = 5.0  # waiting for another zconsole that is writing


@dataclass(frozen=True, slots=True)
class FileFormat:
    """What a file of ours holds; `application_id` tells it from another program's database."""

    application_id: int
    version: int
    schema: tuple[str, ...]
    what: str  # in messages: `the samples`
    error: type[ZConsoleError]


class SqliteFile:
    """Database in one file."""

    def __init__(self, path: Path, of: FileFormat) -> None:
        self.path = path
        self._of = of

    def rows(
        self, query: str, values: Sequence[object], is_sound: Callable[[Sequence[object]], bool]
    ) -> list[tuple[Any, ...]]:
        """Rows of a query; none without the file. An unsound row is damage."""
        with self._failing("read"):
            if not self.path.exists():
                return []
            check_regular(self.path.stat(), self.path)
            with closing(self._open()) as connection:
                rows = connection.execute(query, tuple(values)).fetchall()
            if not all(is_sound(row) for row in rows):
                raise sqlite3.DatabaseError("a value in it is damaged")
            return rows

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write as a whole; the file is created for it."""
        with self._failing("written"):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.path.exists():
                check_regular(self.path.stat(), self.path)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            with closing(self._open()) as connection, transaction(connection):
                yield connection

    @contextmanager
    def _failing(self, done: str) -> Iterator[None]:
        what = self._of.what
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeError) as error:  # the message quotes undecodable bytes
            hint = f"{what[:1].upper()}{what[1:]} in it are left as they are."
            is_passing = isinstance(error, sqlite3.OperationalError | OSError)
            if not is_passing:
                hint = "Move it away to start a new one; it is left unchanged."
            raise self._of.error(f"{what} in {self.path} cannot be {done}: {error}", hint=hint) from error

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            is_made = self._has_tables(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last sample
            if not is_made:
                self._make_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _has_tables(self, connection: sqlite3.Connection) -> bool:
        """Whether it has our tables; another program's file or a later format raises OperationalError."""
        # Tables first: a console that sees tables made meanwhile then reads their application id as well.
        of = self._of
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application == of.application_id and version > of.version:
            raise sqlite3.OperationalError(
                f"it is of format {version}, of a newer zconsole, not {of.version}"
            )
        if tables and application != of.application_id:
            raise sqlite3.OperationalError("it is a database of another program")
        return bool(tables)

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        with transaction(connection):
            if self._has_tables(connection):  # another console has created them meanwhile
                return
            for statement in self._of.schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self._of.application_id}")
            connection.execute(f"PRAGMA user_version = {self._of.version}")

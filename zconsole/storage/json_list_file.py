"""A list in a JSON file, with the version of its schema: how the small files of a user are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JsonListFile(Generic[T]):
    """What a kind of file holds, and what is said of one that cannot be read; it is left unchanged."""

    schema: int
    key: str  # of the list
    from_json: Callable[[Any], T]  # raises ValueError, KeyError or TypeError
    max_bytes: int
    unread: type[ZConsoleError]
    other_version_hint: str
    damaged_hint: str

    def read(self, path: Path) -> tuple[T, ...]:
        """The list; empty without a file. Raises `unread`."""
        try:
            document = json.loads(read_bounded(path, self.max_bytes))
            if document["schema"] != self.schema:
                raise self.unread(f"{path} is of another version of zconsole", hint=self.other_version_hint)
            return tuple(map(self.from_json, document[self.key]))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self.unread(f"{path} cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise self.unread(f"{path} is damaged", hint=self.damaged_hint) from error

"""JSON object of ZFS, read key by key: a wrong type raises a ParseError with its path."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.base.bounded_json import MOST_BYTES, TOO_MUCH, load_json
from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Count
from zconsole.zfs.zfs_numbers_and_dates import MOST, count, epoch, integer

_NOT_UTF8: Final = re.compile("[\ud800-\udfff]")
_EXCERPT: Final = reprlib.Repr()
_EXCERPT.maxstring = _EXCERPT.maxother = 200


class JsonNode:
    """JSON object and its path. A missing key is None; unread keys are ignored.

    Numbers and dates may be strings, as ZFS writes them without --json-int.
    """

    __slots__ = ("_fields", "tool", "where")

    def __init__(self, tool: str, where: str, fields: Mapping[str, object]) -> None:
        self.tool = tool
        self.where = where
        self._fields = fields

    def text(self, key: str) -> str | None:
        """A string."""
        value = self._fields.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.error(key, "expected a string")
        return _legible(value)

    def required_text(self, key: str) -> str:
        """A required string."""
        value = self.text(key)
        if not value:
            raise self.error(key, "expected a string")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty if missing or replaced by a sentence."""
        value = self._fields.get(key)
        if value is None or isinstance(value, str):
            return ()
        if not isinstance(value, list):
            raise self.error(key, "expected a list of strings")
        found = tuple(_legible(item) for item in value if isinstance(item, str))
        if len(found) != len(value):
            raise self.error(key, "expected a list of strings")
        return found

    def integer(self, key: str) -> int | None:
        """A non-negative number."""
        value = self._fields.get(key)
        if value is None:
            return None
        try:
            if isinstance(value, str):
                return integer(value)
        except ValueError as error:
            raise self.error(key, "expected a number") from error
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST:
            raise self.error(key, "expected a number")
        return value

    def count(self, key: str) -> Count | None:
        """An error counter with its rounding flag."""
        value = self._fields.get(key)
        try:
            if isinstance(value, str):
                return count(value)
        except ValueError as error:
            raise self.error(key, "expected a number") from error
        exact = self.integer(key)
        return None if exact is None else Count(exact)

    def moment(self, key: str) -> int | None:
        """Epoch seconds; None for 0, by which ZFS means never."""
        value = self._fields.get(key)
        if isinstance(value, str) and not value.isdigit():
            if value == "-":
                return None
            try:
                return epoch(value)
            except ValueError as error:
                raise self.error(key, "expected a date") from error
        return self.integer(key) or None

    def node(self, key: str) -> JsonNode | None:
        """An object."""
        value = self._fields.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(key, "expected an object")
        return JsonNode(self.tool, f"{self.where}.{key}", value)

    def nodes(self, key: str) -> Iterator[JsonNode]:
        """The objects in an object, in order."""
        holder = self.node(key)
        if holder is not None:
            for name in holder.names():
                found = holder.node(name)
                if found is not None:
                    yield found

    def names(self) -> tuple[str, ...]:
        """All keys in order."""
        return tuple(self._fields)

    def holds_objects_with(self, key: str, inner: str) -> bool:
        """Whether `key` is an object whose values are all objects with the key `inner`."""
        value = self._fields.get(key)
        if not isinstance(value, dict) or not value:
            return False
        return all(isinstance(item, dict) and inner in item for item in value.values())

    def error(self, key: str, reason: str) -> ParseError:
        """The ParseError for a key."""
        return ParseError(self.tool, 1, _excerpt(self._fields.get(key)), f"{self.where}.{key}: {reason}")


def read_json(tool: str, output: bytes) -> JsonNode:
    """Parse a tool's output as an object. Raises ParseError when it is truncated.

    In the C locale ZFS truncates its JSON at the first non-ASCII byte and still exits with 0.
    """
    if len(output) > MOST_BYTES:  # before it is decoded: that may be four times as large
        raise ParseError(tool, 1, "", TOO_MUCH)
    fields = load_json(tool, output.decode("utf-8", "surrogateescape"))
    if not isinstance(fields, dict):
        raise ParseError(tool, 1, _excerpt(fields), "expected an object")
    return JsonNode(tool, "output", fields)


def _excerpt(value: object) -> str:
    """The beginning of a value of any size and depth."""
    return _EXCERPT.repr(value)


def _legible(text: str) -> str:
    r"""Escape bytes that are not UTF-8, as in file names: `\xff`."""
    return text if text.isascii() else _NOT_UTF8.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)

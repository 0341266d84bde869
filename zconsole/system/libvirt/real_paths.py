"""`realpath`: where the symbolic links of paths lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "realpath"


def real_paths(paths: Sequence[str]) -> Command:
    """Print each path with its links followed; a path that does not exist too (-m)."""
    return Command(("realpath", "-m", "-z", "--", *paths))


def parse_real_paths(output: bytes, count: int) -> tuple[str, ...]:
    """The resolved paths in order. Raises ParseError unless there are `count` absolute paths."""
    text = output.decode("utf-8", "surrogateescape")
    found = tuple(text.removesuffix("\0").split("\0")) if text else ()
    if len(found) != count or not text.endswith("\0") or not all(each.startswith("/") for each in found):
        raise ParseError(TOOL, 1, text, f"expected {count} absolute paths")
    return found

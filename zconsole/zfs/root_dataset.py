"""`zfs list` of a root dataset: what a pool's files use and can use. And the lines of any `zfs list`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "zfs list"
ROOT_COLUMNS: Final = ("name", "used", "available", "creation")
_MAX_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class RootDataset:
    """What a pool's root dataset tells of the pool; bytes, epoch seconds."""

    used_bytes: int
    available_bytes: int
    creation: int


def root_dataset(pool: str) -> Command:
    """Print what files use and can still use in a pool, after parity and slop, and when it was created."""
    return Command(("zfs", "list", "-Hp", "-d", "0", "-o", ",".join(ROOT_COLUMNS), pool))


def parse_root_dataset(text: str) -> RootDataset:
    """The one line of `root_dataset` output."""
    lines = list(whole_lines(text))
    if len(lines) != 1:
        raise ParseError(TOOL, 1, text, f"expected one line, got {len(lines)}")
    line_no, line = lines[0]
    fields = line.split("\t")
    try:
        _, used, available, creation = fields
        return RootDataset(natural(used), natural(available), natural(creation))
    except ValueError as error:
        raise ParseError(TOOL, line_no, line, str(error)) from error


def whole_lines(text: str) -> Iterator[tuple[int, str]]:
    """Whole lines with their numbers; not splitlines(), U+2028 is data."""
    lines = text.split("\n")
    if lines.pop():
        raise ParseError(TOOL, len(lines) + 1, text.rpartition("\n")[2], "the output is cut short")
    yield from enumerate(lines, start=1)


def natural(text: str) -> int:
    """A whole number that is not negative; raises ValueError."""
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS:
        raise ValueError(f"not a count: {text!r}")
    return int(text)

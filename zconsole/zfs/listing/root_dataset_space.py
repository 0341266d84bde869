"""`zfs list` of a root dataset: used and available space of a pool. Also the lines of any `zfs list`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from zconsole.base import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "zfs list"
ROOT_COLUMNS: Final = ("name", "used", "available", "creation")
_MAX_DIGITS: Final = 20
_MOST: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class RootDataset:
    """Columns of a pool's root dataset; bytes, epoch seconds."""

    used_bytes: int
    available_bytes: int
    creation: int


def root_dataset(pool: str) -> Command:
    """Print used and available space of a pool, after parity and slop, and its creation time."""
    return Command(("zfs", "list", "-Hp", "-d", "0", "-o", ",".join(ROOT_COLUMNS), pool))


def parse_root_dataset(text: str) -> RootDataset:
    """Parse the one line of `root_dataset` output."""
    found = list(islice(whole_lines(text), 2))
    if len(found) != 1:
        raise ParseError(
            TOOL, 1, text, f"expected one line, got {len(found) or 'none'}{' or more' * len(found[1:])}"
        )
    line_no, line = found[0]
    fields = line.split("\t")
    try:
        _, used, available, creation = fields
        return RootDataset(natural(used), natural(available), natural(creation))
    except ValueError as error:
        raise ParseError(TOOL, line_no, line, str(error)) from error


def whole_lines(text: str) -> Iterator[tuple[int, str]]:
    """Complete lines with their numbers; a line may be as long as a list of clones requires."""
    return bounded_lines.whole_lines(
        TOOL, text, longest=bounded_lines.LONGEST_LIST, reason="the output is truncated"
    )


def natural(text: str) -> int:
    """A non-negative whole number; raises ValueError."""
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS:
        raise ValueError(f"not a count: {text!r}")
    if (number := int(text)) > _MOST:
        raise ValueError(f"exceeds 64 bits: {text!r}")
    return number

"""`zfs list`: which objects there are by these names, told by guid and txg, and how much is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "zfs list"
TIMEOUT_S: Final = 120.0
MOST_CHARACTERS: Final = 100_000  # of names in one command: a shell over SSH gets it as one word of 128 KiB
COLUMNS: Final = ("name", "guid", "createtxg", "written", "referenced", "mounted")
EVERY_TYPE: Final = ("filesystem", "volume", "snapshot", "bookmark")
SYSTEMS: Final = ("filesystem", "volume", "bookmark")
_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class FoundObject:
    """An object that is there; None is what its kind does not have."""

    name: str
    guid: int | None
    createtxg: int | None
    written_bytes: int | None = None
    referenced_bytes: int | None = None
    is_mounted: bool | None = None


def which_objects(
    names: Sequence[str],
    *,
    types: Sequence[str] = EVERY_TYPE,
    recursive: bool = False,
    depth: int | None = None,
) -> Iterator[Command]:
    """Which objects have these names; with all below them, or some levels of that, where it is asked for."""
    below = ("-r",) if recursive else () if depth is None else ("-d", str(depth))
    part: list[str] = []
    length = 0
    for name in (*names, ""):
        if part and (not name or length + len(name) > MOST_CHARACTERS):
            yield Command(
                ("zfs", "list", "-Hp", "-t", ",".join(types), "-o", ",".join(COLUMNS), *below, "--", *part),
                timeout_s=TIMEOUT_S,
            )
            part, length = [], 0
        part.append(name)
        length += len(name) + 1


def parse_which(text: str) -> tuple[FoundObject, ...]:
    """The objects in the output of `which_objects`. Raises ParseError."""
    return tuple(_found(line_no, line) for line_no, line in whole_lines(TOOL, text))


def _found(line_no: int, line: str) -> FoundObject:
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise ParseError(TOOL, line_no, line, f"expected {len(COLUMNS)} fields, not {len(fields)}")
    name, *numbers, mounted = fields
    if any(each != _NONE and not (each.isascii() and each.isdigit() and len(each) <= 20) for each in numbers):
        raise ParseError(TOOL, line_no, line, "expected numbers")
    guid, createtxg, written, referenced = (None if each == _NONE else int(each) for each in numbers)
    return FoundObject(name, guid, createtxg, written, referenced, {"yes": True, "no": False}.get(mounted))

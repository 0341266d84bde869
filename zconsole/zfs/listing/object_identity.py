"""`zfs list`: identity of objects by name: guid, createtxg and size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "zfs list"
TIMEOUT_S: Final = 120.0
# of names per command: over SSH a shell gets it as one word of at most 128 KiB
MOST_CHARACTERS: Final = 100_000
COLUMNS: Final = ("name", "guid", "createtxg", "written", "referenced", "mounted")
EVERY_TYPE: Final = ("filesystem", "volume", "snapshot", "bookmark")
SYSTEMS: Final = ("filesystem", "volume", "bookmark")
_NONE: Final = "-"


@dataclass(frozen=True, slots=True)
class FoundObject:
    """Existing object; None for columns that its type lacks."""

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
    """Identify the objects with these names, optionally with their descendants or some levels of them."""
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
    """Parse the output of `which_objects`. Raises ParseError."""
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

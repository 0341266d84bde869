"""Layout of `zpool status` and `zpool import`: labelled sections, and a tree by indentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import CLASSES, Vdev
from zconsole.zfs.status.vdev_class_order import DEEPEST, in_class_order
from zconsole.zfs.status.vdev_type_and_display_name import class_of

LISTED: Final = "Permanent errors have been detected in the following files:"
_INDENT: Final = 2  # spaces per level
_LABEL: Final = re.compile(r" {0,6}([a-z]+):(?: (.*)|)", re.DOTALL)
_UNALIGNED: Final = re.compile(rb"(\S.*?)(?<! )  ++([A-Z][A-Z_]*+)(?= |$)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """Label, its value, and continuation lines. `line_no` is the label's."""

    label: str
    first: str
    more: tuple[str, ...]
    line_no: int

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines of the section."""
        return (self.first, *self.more)


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One line of a tree; `state` is empty for a heading (`logs`) and for a bare name."""

    line_no: int
    line: str
    depth: int
    name: str
    state: str
    tail: str  # text after the state, with its leading blanks


Make = Callable[[TreeLine, str, tuple[Vdev, ...]], Vdev]  # row, class, children


def pools(tool: str, text: str) -> Iterator[tuple[Section, ...]]:
    """The sections of each pool. Raises ParseError when the last line is unterminated.

    A list of damaged files extends to the end of the text, because a name may contain line breaks and look
    like another pool's status. Hence pools with such a list are queried one by one.
    """
    found: list[Section] = []
    for section in _sections(tool, whole_lines(tool, text)):
        if section.label == "pool" and found:
            yield tuple(found)
            found.clear()
        found.append(section)
    if found:
        yield tuple(found)


def row_of(tool: str, line_no: int, line: str, state_at: int) -> TreeLine:
    """Parse one line of a tree with states in column `state_at`; names may contain blanks.

    Columns count bytes, because ZFS pads by bytes.
    """
    body = _bytes(line)
    if not body.startswith(b"\t"):
        raise ParseError(tool, line_no, line, "expected a line of the vdev tree")
    start = len(body) - len(body[1:].lstrip(b" "))
    depth, rest = divmod(start - 1, _INDENT)
    if rest or depth > DEEPEST:
        raise ParseError(tool, line_no, line, "unexpected indentation")
    name, state, tail = _columns(body, start, state_at)
    if not name:
        raise ParseError(tool, line_no, line, "a vdev without a name")
    return TreeLine(line_no, line, depth, _text(name), _text(state), _text(tail))


def grow(tool: str, rows: Sequence[TreeLine], make: Make) -> tuple[Vdev, ...]:
    """Top-level vdevs of the rows below the root, ordered by class."""
    return in_class_order(tuple(_Grower(tool, rows, make).tops()))


def _sections(tool: str, lines: Iterable[tuple[int, str]]) -> Iterator[Section]:
    label, first, line_no = "", "", 0
    more: list[str] = []
    for number, line in lines:
        found = None if label == "errors" and first == LISTED else _LABEL.fullmatch(line)
        if found is None:
            if not label and line:
                raise ParseError(tool, number, line, "expected `pool:`")
            more.append(line)
            continue
        if label:
            yield Section(label, first, tuple(more), line_no)
        elif found[1] != "pool":
            raise ParseError(tool, number, line, "expected `pool:`")
        label, first, line_no = found[1], found[2] or "", number
        more = []
    if label:
        yield Section(label, first, tuple(more), line_no)


def _columns(body: bytes, start: int, state_at: int) -> tuple[bytes, bytes, bytes]:
    """Name, state and rest of a line; a name wider than its column shifts the others."""
    if (
        len(body) > state_at
        and body[state_at - 2 : state_at] == b"  "
        and body[state_at : state_at + 1] != b" "
    ):
        state, blank, tail = body[state_at:].partition(b" ")
        return body[start:state_at].rstrip(b" "), state, blank + tail
    if found := _UNALIGNED.fullmatch(body[start:]):
        return found[1], found[2], found[3]
    return body[start:].strip(), b"", b""


def byte_length(text: str) -> int:
    """Number of bytes of a text whose bytes may not all be UTF-8."""
    return len(_bytes(text))


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # text that was not decoded from bytes
        return text.encode("utf-8", "replace")


def _text(part: bytes) -> str:
    return part.decode("utf-8", "surrogateescape")


class _Grower:
    """Recursive-descent parser of the rows; a vdev is made after its children."""

    def __init__(self, tool: str, rows: Sequence[TreeLine], make: Make) -> None:
        self._tool = tool
        self._rows = rows
        self._make = make
        self._at = 0

    def tops(self) -> Iterator[Vdev]:
        """The top-level vdevs; a row at depth 0 is a class heading."""
        vdev_class = CLASSES[0]
        while self._at < len(self._rows):
            row = self._rows[self._at]
            if row.depth:
                yield from self._level(1, vdev_class)
                continue
            if row.state:
                raise ParseError(self._tool, row.line_no, row.line, "a second root")
            vdev_class = class_of(row.name)
            self._at += 1

    def _level(self, depth: int, vdev_class: str) -> Iterator[Vdev]:
        """The vdevs of one depth, up to the next row of a lesser depth."""
        while self._at < len(self._rows) and self._rows[self._at].depth >= depth:
            row = self._rows[self._at]
            if row.depth > depth:
                raise ParseError(self._tool, row.line_no, row.line, "indented too far")
            self._at += 1
            children = tuple(self._level(depth + 1, vdev_class))
            yield self._make(row, vdev_class, children)

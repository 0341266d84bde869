r"""`zfs diff`: what differs between a snapshot and a later one, or the file system as it is now.

Asked with -F (types), -H (tabs between fields) and -t (times), and without -h: so a path has every byte
that is not printable ASCII, blanks and backslashes too, as a backslash and four octal digits, and no name
can make a field or a line of its own. Root may ask, and who has the permission `diff`. For a comparison
with now ZFS takes a snapshot that goes when the command ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileChange, FileType

TOOL: Final = "zfs diff"
PERMISSION: Final = "diff"
START_TIMEOUT_S: Final = 60.0
LONGEST_LINE: Final = 64 * 1024  # two paths of 4096 bytes, each byte written as five
TYPES: Final = {
    b"F": FileType.FILE,
    b"/": FileType.FOLDER,
    b"@": FileType.LINK,
    b"|": FileType.FIFO,
    b"=": FileType.SOCKET,
    b"B": FileType.BLOCK,
    b"C": FileType.CHARACTER,
    b">": FileType.OTHER,  # a door and a port, which only Solaris has
    b"P": FileType.OTHER,
    b"?": FileType.OTHER,
}
_TIME: Final = re.compile(rb" {0,9}(-?[0-9]{1,19})\.([0-9]{9})")
_LINKS: Final = re.compile(rb"\(([+-][0-9]{1,10})\)")
_PLAIN: Final = rb"[!-\[\]-~]"
_PATH: Final = re.compile(rb"(?:" + _PLAIN + rb"|\\0[0-3][0-7]{2})+")
_ESCAPE: Final = re.compile(rb"\\0([0-3][0-7]{2})")
_IS_PLAIN: Final = re.compile(_PLAIN)


def diff(older: str, newer: str) -> Command:
    """Compare a snapshot with a later one, or with its file system as it is now; for `Host.stream`."""
    return Command(("zfs", "diff", "-FHt", older, newer), timeout_s=START_TIMEOUT_S)


class DiffReader:
    """Reads the output as it comes; keeps no more than the line that is not whole yet."""

    def __init__(self) -> None:
        self._rest = b""
        self._line_no = 0

    def feed(self, chunk: bytes) -> Iterator[FileChange]:
        """The changes that are whole by now. Raises ParseError."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line_no += 1
            yield self._change(line)
        if len(self._rest) > LONGEST_LINE:
            raise self._error(self._rest, "a line that does not end", at=self._line_no + 1)

    def end(self) -> None:
        """There is no more. Raises ParseError where the last line was cut short."""
        if self._rest:
            raise self._error(self._rest, "cut short", at=self._line_no + 1)

    def _change(self, line: bytes) -> FileChange:
        fields = line.split(b"\t")
        try:
            changed, letter, what, path, *more = fields
        except ValueError:
            raise self._error(line, "expected a time, a change, a type and a path") from None
        try:
            kind = ChangeKind(letter.decode("ascii", "replace"))
        except ValueError:
            raise self._error(line, f"no such change: {letter!r}") from None
        if what not in TYPES:
            raise self._error(line, f"no such type: {what!r}")
        moment = _TIME.fullmatch(changed)
        if moment is None:
            raise self._error(line, "not a time")
        if len(more) != (kind is ChangeKind.RENAMED) and not (kind is ChangeKind.MODIFIED and len(more) == 1):
            raise self._error(line, f"{len(fields)} fields do not fit this change")
        new_path, links = None, 0
        if kind is ChangeKind.RENAMED:
            new_path = self._path(line, more[0])
        elif more:
            delta = _LINKS.fullmatch(more[0])
            if delta is None:
                raise self._error(line, "not a number of links")
            links = int(delta[1])
        changed_ns = int(moment[1]) * 1_000_000_000 + int(moment[2])
        return FileChange(kind, TYPES[what], self._path(line, path), new_path, links, changed_ns)

    def _path(self, line: bytes, field: bytes) -> str:
        if not _PATH.fullmatch(field):
            raise self._error(line, "not a path as zfs diff writes it")
        plain = _ESCAPE.sub(_unescaped, field)
        if plain.count(b"\0") or len(_ESCAPE.findall(field)) != sum(
            not _IS_PLAIN.match(plain, at) for at in range(len(plain))
        ):
            raise self._error(line, "a character is written in octal that needs none")
        return plain.decode("utf-8", "surrogateescape")

    def _error(self, line: bytes, reason: str, *, at: int | None = None) -> ParseError:
        return ParseError(TOOL, at or self._line_no, line.decode("ascii", "backslashreplace"), reason)


def parse_diff(data: bytes) -> tuple[FileChange, ...]:
    """All changes of a whole output. Raises ParseError."""
    reader = DiffReader()
    changes = tuple(reader.feed(data))
    reader.end()
    return changes


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8)])

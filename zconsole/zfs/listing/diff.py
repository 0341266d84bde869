"""`zfs diff`: differences between a snapshot and a later one, or the live file system.

Options are -F (types), -H (tab-separated) and -t (times), without -h: every byte of a path that is not
printable ASCII, and blanks and backslashes, is a backslash and four octal digits, so that no name can break
fields or lines. Requires root or the permission `diff`. For a comparison with the live file system ZFS takes
a temporary snapshot.
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
LONGEST_LINE: Final = 64 * 1024  # two paths of 4096 bytes, each byte escaped to five
TYPES: Final = {
    b"F": FileType.FILE,
    b"/": FileType.FOLDER,
    b"@": FileType.LINK,
    b"|": FileType.FIFO,
    b"=": FileType.SOCKET,
    b"B": FileType.BLOCK,
    b"C": FileType.CHARACTER,
    b">": FileType.OTHER,  # a door and a port, which exist only on Solaris
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
    """Compare a snapshot with a later one, or with its live file system; for `Host.stream`."""
    return Command(("zfs", "diff", "-FHt", older, newer), timeout_s=START_TIMEOUT_S)


class DiffReader:
    """Incremental parser of the output; keeps only the incomplete line."""

    def __init__(self) -> None:
        self._rest = b""
        self._line_no = 0

    def feed(self, chunk: bytes) -> Iterator[FileChange]:
        """The changes completed by this chunk. Raises ParseError."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line_no += 1
            yield self._change(line)
        if len(self._rest) > LONGEST_LINE:
            raise self._error(self._rest, "the line does not end", at=self._line_no + 1)

    def end(self) -> None:
        """End of the output. Raises ParseError when the last line is truncated."""
        if self._rest:
            raise self._error(self._rest, "truncated", at=self._line_no + 1)

    def _change(self, line: bytes) -> FileChange:
        fields = line.split(b"\t")
        try:
            changed, letter, what, path, *more = fields
        except ValueError:
            raise self._error(line, "expected a time, a change, a type and a path") from None
        try:
            kind = ChangeKind(letter.decode("ascii", "replace"))
        except ValueError:
            raise self._error(line, f"unknown change: {letter!r}") from None
        if what not in TYPES:
            raise self._error(line, f"unknown type: {what!r}")
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
            raise self._error(line, "a character is escaped in octal without need")
        return plain.decode("utf-8", "surrogateescape")

    def _error(self, line: bytes, reason: str, *, at: int | None = None) -> ParseError:
        return ParseError(TOOL, at or self._line_no, line.decode("ascii", "backslashreplace"), reason)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8)])

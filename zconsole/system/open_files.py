"""Files held open by processes: `find` over /proc, because `fuser` and `lsof` are often missing.

Only root sees the files of other users' processes. Links are read, not followed: no hanging file system is
accessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "find /proc"
TIMEOUT_S: Final = 30.0
_LINK: Final = re.compile(r"/proc/(\d{1,10})/(cwd|root|exe|fd/\d{1,10})", re.ASCII)

OPEN_FILES: Final = Command((
    "find", "/proc", "-mindepth", "1", "-maxdepth", "3", "-regextype", "posix-extended",
    "-regex", "/proc/[0-9]+(/fd)?",
    "-o", "-regex", "/proc/[0-9]+/(cwd|root|exe|fd/[0-9]+)",
    "-lname", "/?*", "!", "-lname", "/dev/null", "!", "-lname", "/proc/*", "-printf", r"%p\0%l\0",
    "-o", "-prune",
), timeout_s=TIMEOUT_S)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenFile:
    """Process and a path that it uses: an open file, its working directory, its root, or its program."""

    process: int
    how: str  # cwd, root, exe, fd
    path: str


def parse_open_files(text: str) -> tuple[OpenFile, ...]:
    """Parse the output of `OPEN_FILES`: pairs of NUL-terminated strings."""
    return tuple(_links(text))


def _links(text: str) -> Iterator[OpenFile]:
    parts = text.split("\0")
    if parts.pop() or len(parts) % 2:
        raise ParseError(TOOL, len(parts), text[-120:], "truncated")
    for number, (link, target) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        found = _LINK.fullmatch(link)
        if found is None:
            raise ParseError(TOOL, number, link, "not a link of a process")
        yield OpenFile(int(found[1]), found[2].partition("/")[0], target)

"""What processes hold open: `find` over /proc, since `fuser` and `lsof` are missing on many hosts.

Only root sees what the processes of others hold. Links are read, not followed: nothing here touches a
file system that hangs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zconsole.base.errors import ParseError
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
    """A process and a path that it stands on: open, its folder, its root, or its own program."""

    process: int
    how: str  # cwd, root, exe, fd
    path: str


def parse_open_files(text: str) -> tuple[OpenFile, ...]:
    """The links in the output of `OPEN_FILES`: pairs of texts, each ended by NUL."""
    return tuple(_links(text))


def _links(text: str) -> Iterator[OpenFile]:
    parts = text.split("\0")
    if parts.pop() or len(parts) % 2:
        raise ParseError(TOOL, len(parts), text[-120:], "cut short")
    for number, (link, target) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        found = _LINK.fullmatch(link)
        if found is None:
            raise ParseError(TOOL, number, link, "not a link of a process")
        yield OpenFile(int(found[1]), found[2].partition("/")[0], target)

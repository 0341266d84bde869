"""`virsh`: running guests and their disk images and volumes. Read-only, so that root is not needed."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "virsh domblklist"
_SYSTEM: Final = ("virsh", "-r", "-q", "-c", "qemu:///system")
RUNNING: Final = Command((*_SYSTEM, "list", "--uuid"))
ALL: Final = Command((*_SYSTEM, "list", "--all", "--uuid"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ROW: Final = re.compile(r" *+(\S++) ++(\S++) ++(\S++) ++(.*)")


def list_disks(guest: str) -> Command:
    """Print the disks of one guest, selected by uuid because a name may look like an option."""
    return Command((*_SYSTEM, "domblklist", "--details", guest))


def name_of(guest: str) -> Command:
    """Print the name of a guest."""
    return Command((*_SYSTEM, "domname", guest))


def parse_running(text: str) -> tuple[str, ...]:
    """The uuids of the active guests, paused ones included."""
    found: list[str] = []
    for line_no, line in whole_lines("virsh list", text):
        if word := line.strip():
            if not _UUID.fullmatch(word):
                raise ParseError("virsh list", line_no, line, "not a uuid")
            found.append(word)
    return tuple(found)


def parse_disks(text: str) -> tuple[str, ...]:
    """The files and block devices of a guest's disks; an empty drive has none."""
    found: list[str] = []
    for line_no, line in whole_lines(TOOL, text):
        if not line.strip():
            continue
        row = _ROW.fullmatch(line)
        if row is None:
            raise ParseError(TOOL, line_no, line, "expected type, device, target and source")
        if row[4].startswith("/"):
            found.append(row[4].rstrip(" "))
    return tuple(found)

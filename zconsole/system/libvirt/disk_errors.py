"""`virsh domblkerror`: the disks of an active guest whose last I/O failed, and why."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "virsh domblkerror"
_NONE: Final = "No errors found"
_ROW: Final = re.compile(r"(\S+): (\S.*)")


def disk_errors(connection: str, uuid: str) -> Command:
    """Print the disks with an error, of a guest by its uuid."""
    return Command(("virsh", "-r", "-q", "-c", connection, "domblkerror", uuid))


def parse_disk_errors(text: str) -> dict[str, str]:
    """Errors by the targets of the disks: `no space` or `unspecified error`. Raises ParseError."""
    found: dict[str, str] = {}
    for line_no, line in whole_lines(TOOL, text):
        if not line.strip() or line.strip() == _NONE:
            continue
        row = _ROW.fullmatch(line.rstrip())
        if row is None:
            raise ParseError(TOOL, line_no, line, "expected a disk and its error")
        found[row[1]] = row[2]
    return found

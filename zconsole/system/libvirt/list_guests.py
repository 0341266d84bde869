"""`virsh list`: the guests of one libvirt, by uuid. Read-only, so that root is not needed."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "virsh list"
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def list_running(uri: str) -> Command:
    """Print the uuids of the active guests, paused ones included: a name may look like an option."""
    return Command(("virsh", "-r", "-q", "-c", uri, "list", "--uuid"))


def list_all(uri: str) -> Command:
    """Print the uuids of all guests."""
    return Command(("virsh", "-r", "-q", "-c", uri, "list", "--all", "--uuid"))


def list_paused(uri: str) -> Command:
    """Print the uuids of the paused guests."""
    return Command(("virsh", "-r", "-q", "-c", uri, "list", "--state-paused", "--uuid"))


def list_with_saved_memory(uri: str) -> Command:
    """Print the uuids of the guests whose next start resumes a saved memory (`virsh managedsave`)."""
    return Command(("virsh", "-r", "-q", "-c", uri, "list", "--all", "--uuid", "--with-managed-save"))


def parse_uuids(text: str) -> tuple[str, ...]:
    """The uuids in libvirt's order. Raises ParseError."""
    found: list[str] = []
    for line_no, line in whole_lines(TOOL, text):
        if word := line.strip():
            if not _UUID.fullmatch(word):
                raise ParseError(TOOL, line_no, line, "not a uuid")
            found.append(word)
    return tuple(found)

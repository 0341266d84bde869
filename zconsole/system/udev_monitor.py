"""`udevadm monitor`: disks that appear, change and go, as udev tells of them after its rules have run.

Any user may listen. The links below /dev/disk of a new disk are there when its event comes.
"""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

MONITOR: Final = Command(("udevadm", "monitor", "--udev", "--subsystem-match=block"))
LONGEST_LINE: Final = 64 * 1024
_EVENT: Final = re.compile(rb"UDEV +\[[0-9.]+\] ([a-z]+) +(/.*)/([^/]+) \(block\)")
_NO_DISK: Final = re.compile(r"(?:zd|loop|ram|sr|fd|nbd)\d")


@dataclass(frozen=True, slots=True)
class DiskEvent:
    """One event of a block device: `action` is add, remove or change, `name` the kernel's."""

    action: str
    name: str


class DiskEventReader:
    """Turns the output of `MONITOR`, cut anywhere, into events; volumes, loops and the like are left out."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> tuple[DiskEvent, ...]:
        """The events that this chunk completes; other lines are skipped."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._rest = self._rest[:LONGEST_LINE]
        found = (_EVENT.fullmatch(each) for each in lines)
        events = (DiskEvent(each[1].decode(), each[3].decode("utf-8", "replace")) for each in found if each)
        return tuple(each for each in events if not _NO_DISK.match(each.name))

"""`virsh event`: changes of guests, as libvirt tells of them. Read-only, so that root is not needed."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

LONGEST_LINE: Final = 64 * 1024
UNRELATED: Final = frozenset(  # to state, disks and sizes; some come each second
    {"rtc-change", "graphics", "balloon-change", "migration-iteration", "metadata-change", "watchdog"}
)
STATES: Final = frozenset({"lifecycle", "io-error", "io-error-reason", "reboot", "control-error"})
STATES_ONLY: Final = frozenset({"Suspended", "Resumed", "Shutdown", "PMSuspended"})  # of lifecycle
_TIME: Final = re.compile(r"[0-9][0-9:.+ -]{0,40}: ")
_KIND: Final = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True, slots=True)
class GuestEvent:
    """Event of one guest: `kind` by libvirt's name (lifecycle, io-error), `words` what it says of it."""

    kind: str
    guest: str
    words: str


def follow(connection: str) -> Command:
    """Print every event of every guest as it happens."""
    return Command(("virsh", "-r", "-q", "-c", connection, "event", "--all", "--loop", "--timestamp"))


class GuestEventReader:
    """Turns the output of `follow`, cut anywhere, into events that change what is shown of a guest."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> tuple[GuestEvent, ...]:
        """The events that this chunk completes; other lines are skipped."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._rest = self._rest[:LONGEST_LINE]
        events = filter(None, (_event(each.decode("utf-8", "surrogateescape")) for each in lines))
        return tuple(each for each in events if each.kind not in UNRELATED)


def _event(line: str) -> GuestEvent | None:
    """`2026-11-23 17:00:00.000+0000: event 'lifecycle' for domain 'web01': Started Booted`."""
    before, found, rest = line[:LONGEST_LINE].partition("event '")
    kind, _, rest = rest.partition("' for domain '")
    guest, _, words = rest.rpartition("': ")
    if not found or (before and not _TIME.fullmatch(before)) or not _KIND.fullmatch(kind) or not guest:
        return None
    return GuestEvent(kind, guest, words)


def changes_disks(event: GuestEvent) -> bool:
    """Whether a guest's definition, disks or images may be others than before; not its state alone."""
    return event.kind not in STATES or (
        event.kind == "lifecycle" and event.words.partition(" ")[0] not in STATES_ONLY
    )

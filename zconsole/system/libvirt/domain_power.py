"""`virsh` commands that start, shut down, suspend and resume a guest; and that tell its state."""

from __future__ import annotations

from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import SYSTEM, GuestState
from zconsole.system.libvirt.domain_stats import parse_domain_stats

MAY_CHANGE: Final = Command(
    ("virsh", "-q", "-c", SYSTEM, "uri")
)  # opens the connection for changes, and changes nothing

_NOT_REACHED: Final = "Failed to connect socket"  # of libvirt: no daemon has it
_LOST: Final = (  # as libvirt words the end of its connection after it was open
    "Disconnected from ",
    "Cannot recv data",
    "Cannot write data",
    "End of file while reading data",
    "client socket is closed",
)

Argv = tuple[str, ...]


def start(uuid: str, uri: str = SYSTEM) -> Argv:
    """Start a guest that is shut off."""
    return ("virsh", "-q", "-c", uri, "start", uuid)


def shutdown(uuid: str, uri: str = SYSTEM) -> Argv:
    """Ask a running guest to shut down. It returns at once; the guest may take long, or ignore it."""
    return ("virsh", "-q", "-c", uri, "shutdown", uuid)


def suspend(uuid: str, uri: str = SYSTEM) -> Argv:
    """Pause the processors of a running guest; its memory stays."""
    return ("virsh", "-q", "-c", uri, "suspend", uuid)


def resume(uuid: str, uri: str = SYSTEM) -> Argv:
    """Let a paused guest run on."""
    return ("virsh", "-q", "-c", uri, "resume", uuid)


def read_state(uuid: str, uri: str = SYSTEM) -> Command:
    """Print the state of one guest, in the form of `virsh domstats`."""
    return Command(("virsh", "-r", "-q", "-c", uri, "domstats", "--raw", "--state", uuid))


def parse_state(text: str) -> GuestState:
    """The state of the one guest. Raises ParseError."""
    found = parse_domain_stats(text)
    if len(found) != 1:
        raise ParseError("virsh domstats", 1, text, f"expected one guest, and it told of {len(found)}")
    return found[0].state


def is_answer_lost(said: str) -> bool:
    """Whether virsh lost an open connection to libvirtd, which may have obeyed before it ended."""
    return any(words in said for words in _LOST)


def is_not_reached(said: str) -> bool:
    """Whether no libvirtd was there for virsh: nothing was asked."""
    return _NOT_REACHED in said

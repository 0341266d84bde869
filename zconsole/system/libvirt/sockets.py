"""UNIX sockets of libvirt's daemons: where they are, and which of them exist on a host."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import SESSION

_DAEMONS: Final = ("virtqemud-sock", "libvirt-sock")  # QEMU's own daemon, and the one for everything


def sockets_of(connection: str, uid: int) -> tuple[str, ...]:
    """Possible sockets, the best one first; a session has none that allows reading only."""
    if connection == SESSION:
        return tuple(f"/run/user/{uid}/libvirt/{name}" for name in _DAEMONS)
    return tuple(f"/run/libvirt/{name}-ro" for name in _DAEMONS)


def uri_of_socket(connection: str, socket: str) -> str:
    """URI that leads a client to this socket and starts no daemon."""
    return f"{connection.replace('qemu:', 'qemu+unix:', 1)}?socket={socket}"


def list_sockets(paths: tuple[str, ...]) -> Command:
    """Print those of the paths that exist, one a line."""
    return Command(("ls", "-1d", "--", *paths))


def parse_sockets(text: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the paths that `list_sockets` has printed, in the order of the paths. Raises ParseError."""
    printed = {line for _, line in bounded_lines("ls", text)}
    return tuple(path for path in paths if path in printed)

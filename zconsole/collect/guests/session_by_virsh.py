"""`qemu:///session` of the user that commands run as, by virsh over its socket.

virsh finds the session's daemon by variables that a command over SSH does not have, and would start one. With
the path of the socket it does neither.
"""

from __future__ import annotations

from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.privilege import read_user
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Outcome
from zconsole.model.guests.guest import SESSION
from zconsole.system.libvirt.sockets import list_sockets, parse_sockets, sockets_of, uri_of_socket


async def session_by_virsh(asker: Asker) -> VirshSource | None:
    """The session; None where none of its daemons has a socket. Raises HostError and ParseError."""
    user = await read_user(asker)
    paths = sockets_of(SESSION, user.number)
    completed = await asker.run(list_sockets(paths), kind="sockets of libvirt")
    if completed.outcome is Outcome.UNKNOWN:
        return None
    there = parse_sockets(completed.stdout.decode("utf-8", "replace"), paths)
    return VirshSource(asker, uri_of_socket(SESSION, there[0])) if there else None

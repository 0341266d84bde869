"""`qemu:///session` of the user that commands run as, by virsh over its socket.

virsh finds the session's daemon by variables that a command over SSH does not have, and would start one. With
the path of the socket it does neither.
"""

from __future__ import annotations

from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import CannotListFolders, Outcome, keep_answer
from zconsole.model.guests.guest import SESSION
from zconsole.system.libvirt.sockets import list_sockets, parse_sockets, sockets_of, uri_of_socket


async def session_by_virsh(asker: Asker, privilege: Privilege) -> VirshSource | None:
    """The session; None where none of its daemons has a socket. Raises HostError and ParseError."""
    user = await privilege.user()
    paths = sockets_of(SESSION, user.number)
    there = parse_sockets(await _printed(asker, paths), paths)
    return VirshSource(asker, uri_of_socket(SESSION, there[0])) if there else None


async def _printed(asker: Asker, paths: tuple[str, ...]) -> str:
    """Those of the paths that exist, one a line: from their folder, without a process where possible."""
    command = list_sockets(paths)
    try:
        folder = paths[0].rpartition("/")[0]
        names = frozenset(await asker.list_folder(folder))
        printed = "".join(f"{path}\n" for path in paths if path.rpartition("/")[2] in names)
    except (FileNotFoundError, PermissionError):
        printed = ""
    except CannotListFolders:
        completed = await asker.run(command, kind="sockets of libvirt")
        return "" if completed.outcome is Outcome.UNKNOWN else completed.stdout.decode("utf-8", "replace")
    keep_answer(asker.host, command, printed.encode("utf-8", "surrogateescape"))
    return printed

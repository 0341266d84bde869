"""The session of the user that commands run as, by the socket of its daemon."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.collect.guests.guest_source_protocol_and_virsh import VirshSource
from zconsole.collect.guests.session_by_virsh import session_by_virsh
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Host
from zconsole.model.guests.guest import SESSION

SOCKET = "/run/user/1000/libvirt/libvirt-sock"
URI = f"qemu+unix:///session?socket={SOCKET}"


def host(sockets: bytes) -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {
        "id": b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n",
        "ls -1d --": failed("ls", 2, b"No such file or directory", sockets),
        f"virsh -r -q -c {URI} domstats": b"Domain: 'web01'\n  state.state=1\n",
    }
    return made


async def ask(made: Host) -> VirshSource | None:
    asker = Asker(made)
    return await session_by_virsh(asker, Privilege(asker))


async def test_guests_are_asked_for_at_the_socket_that_is_there() -> None:
    source = await ask(host(SOCKET.encode() + b"\n"))

    assert source is not None
    assert (SESSION, URI) == (source.connection, source.uri)
    assert [(SESSION, "web01")] == [each.key for each in await source.statuses()]


@pytest.mark.parametrize("sockets", [b"", b"/run/user/1001/libvirt/libvirt-sock\n"])
async def test_without_a_socket_no_daemon_is_asked_and_none_is_started(sockets: bytes) -> None:
    asked = host(sockets)

    assert await ask(asked) is None
    assert not any(line.startswith("virsh") for line in asked.commands)


class Folders(ScriptedHost):
    """Lists folders without a process."""

    lists_folders = True

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names
        self.answers = {"id": b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n"}

    async def list_folder(self, path: str) -> tuple[str, ...]:
        if not self.names:
            raise FileNotFoundError(path)
        return self.names if path == "/run/user/1000/libvirt" else ()


@pytest.mark.parametrize(("names", "uri"), [(("libvirt-sock", "qemu/"), URI), ((), None), (("qemu/",), None)])
async def test_sockets_are_found_without_a_process_where_folders_are_listed(
    names: tuple[str, ...], uri: str | None
) -> None:
    made = Folders(*names)

    source = await ask(made)

    assert uri == (source.uri if source is not None else None)
    assert ["id"] == made.commands

"""The session of the user that commands run as, by the socket of its daemon."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.collect.guests.session_by_virsh import session_by_virsh
from zconsole.collect.read_command_runner import Asker
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


async def test_guests_are_asked_for_at_the_socket_that_is_there() -> None:
    source = await session_by_virsh(Asker(host(SOCKET.encode() + b"\n")))

    assert source is not None
    assert (SESSION, URI) == (source.connection, source.uri)
    assert [(SESSION, "web01")] == [each.key for each in await source.statuses()]


@pytest.mark.parametrize("sockets", [b"", b"/run/user/1001/libvirt/libvirt-sock\n"])
async def test_without_a_socket_no_daemon_is_asked_and_none_is_started(sockets: bytes) -> None:
    asked = host(sockets)

    assert await session_by_virsh(Asker(asked)) is None
    assert not any(line.startswith("virsh") for line in asked.commands)

"""All libvirts of a host, by the child or by virsh; each costs its own part."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.collect.guests.libvirt_python_doubles import (
    ANSWERS,
    HANGS,
    NO_BINDING,
    READY,
    REFUSES,
    SESSION_SOCKET,
    SOCKET,
    Children,
    SocketHost,
    refused,
)
from tests.collect.guests.libvirt_python_doubles import children as children  # noqa: PLC0414 - a fixture
from tests.collect.guests.test_read_guests import VIRSH
from tests.collect.guests.test_read_statuses import OFF
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, LinkLost
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt, VirshSource
from zconsole.collect.guests.libvirt_connections import AGAIN_S, LibvirtConnections, connected
from zconsole.collect.guests.libvirt_python_source import LibvirtHangs
from zconsole.collect.read_command_runner import Asker
from zconsole.history.command_results_of_last_hour import Memory, RememberedHost
from zconsole.model.guests.guest import SESSION, SYSTEM
from zconsole.model.host.host_state import NO_LIBVIRT
from zconsole.system.libvirt.events import GuestEvent

SOON_S = 0.3
EVENT = 'say({"event": "lifecycle", "guest": "web01", "words": "Started 0"})'
ENDS = f"{READY}\nsys.stdin.readline()\n{EVENT}\nsys.exit('it was killed')"


class Libvirts(LibvirtConnections):
    """With what they run on."""

    def __init__(self, host: SocketHost, within_s: float = 30.0) -> None:
        self.host = host
        self.clock = ManualClock(0)
        super().__init__(Asker(host), self.clock, within_s=within_s)

    def virsh(self) -> int:
        return sum(each.startswith("virsh") for each in self.host.commands)


@pytest.fixture
async def libvirts() -> AsyncIterator[Libvirts]:
    """A host with both sockets, and virsh."""
    host = SocketHost()
    host.has(SOCKET, SESSION_SOCKET)
    host.answers[f"{VIRSH} domstats"] = OFF
    made = Libvirts(host)
    yield made
    await made.close()
    assert 0 == host.forwarded


def both(children: Children, system: str, session: str) -> None:
    children.scripts |= {SYSTEM: system, SESSION: session}


async def test_guests_of_both_have_their_libvirt_and_virsh_is_not_started(
    libvirts: Libvirts, children: Children
) -> None:
    both(children, ANSWERS, ANSWERS)

    statuses, problem = await libvirts.statuses()

    assert [(SYSTEM, "web01"), (SESSION, "web01")] == [each.key for each in statuses]
    assert (0, "") == (libvirts.virsh(), problem)


async def test_one_connection_serves_all_readings(libvirts: Libvirts, children: Children) -> None:
    both(children, ANSWERS, ANSWERS)

    for _ in range(3):
        await libvirts.statuses()
        libvirts.clock.advance(60)

    assert [SYSTEM, SESSION] == children.starts
    assert 1 == sum(each.startswith("ls") for each in libvirts.host.commands)


async def test_without_sockets_virsh_is_asked_and_sockets_are_looked_for_rarely(libvirts: Libvirts) -> None:
    libvirts.host.has()
    for _ in range(int(AGAIN_S / 60)):
        statuses, _ = await libvirts.statuses()
        libvirts.clock.advance(60)

    assert {"web01", "db02"} == {each.name for each in statuses}
    assert [SYSTEM, SYSTEM] == [each.connection for each in statuses]


async def test_without_the_binding_virsh_is_asked_and_the_binding_is_tried_once_until_a_screen_wants_it(
    libvirts: Libvirts, children: Children
) -> None:
    both(children, NO_BINDING, NO_BINDING)
    for _ in range(3):
        statuses, problem = await libvirts.statuses()
        libvirts.clock.advance(AGAIN_S)
    assert (2, 3, "") == (len(statuses), libvirts.virsh(), problem)
    assert 2 == len(children.starts)

    both(children, ANSWERS, NO_BINDING)
    libvirts.try_again()
    await libvirts.statuses()

    assert 3 == libvirts.virsh()


async def test_without_both_it_is_said_why(libvirts: Libvirts, children: Children) -> None:
    both(children, NO_BINDING, NO_BINDING)
    libvirts.host.answers[f"{VIRSH} domstats"] = failed("virsh", 127, b"not found")

    with pytest.raises(NoLibvirt, match=f"{NO_LIBVIRT}, and libvirt-python did not connect"):
        await libvirts.statuses()


async def test_where_sshd_forwards_no_sockets_virsh_is_asked(libvirts: Libvirts, children: Children) -> None:
    both(children, ANSWERS, ANSWERS)
    libvirts.host.refusal = refused()

    statuses, problem = await libvirts.statuses()

    assert (2, "", []) == (len(statuses), problem, children.starts)


async def test_a_system_libvirt_that_hangs_leaves_the_sessions_guests_and_is_told(
    libvirts: Libvirts, children: Children
) -> None:
    libvirts._within_s = SOON_S
    children.scripts[SYSTEM] = HANGS
    libvirts.host.has(SOCKET)
    with pytest.raises(LibvirtHangs, match=r"has not answered in 0\.3 s"):
        await libvirts.statuses()
    assert 0 == libvirts.virsh(), "it would hang as well"

    libvirts._within_s = 30.0
    both(children, f"{READY}\nsys.stdin.readline()\nsys.exit('ended')", ANSWERS)
    libvirts.host.has(SOCKET, SESSION_SOCKET)
    statuses, problem = await libvirts.statuses()

    assert [(SESSION, "web01")] == [each.key for each in statuses]
    assert "libvirt of nas1 (qemu:///system) ended: ended" == problem
    assert [SESSION] == [each.connection for each in libvirts.answering]


async def test_a_libvirtd_that_returns_is_connected_to_again(libvirts: Libvirts, children: Children) -> None:
    both(children, f"{READY}\nsys.stdin.readline()\nsys.exit('ended')", REFUSES)
    libvirts.host.has(SOCKET)
    with pytest.raises(CommandFailed, match="ended"):
        await libvirts.statuses()

    both(children, ANSWERS, REFUSES)
    statuses, problem = await libvirts.statuses()

    assert ([(SYSTEM, "web01")], "") == ([each.key for each in statuses], problem)


async def test_the_socket_of_a_session_that_ended_says_nothing(
    libvirts: Libvirts, children: Children
) -> None:
    both(children, ANSWERS, REFUSES)

    statuses, problem = await libvirts.statuses()

    assert ([SYSTEM], "") == ([each.connection for each in statuses], problem)


async def test_events_are_passed_on_until_a_connection_ends(libvirts: Libvirts, children: Children) -> None:
    both(children, ENDS, ANSWERS)
    libvirts.host.has(SOCKET)
    heard: list[GuestEvent] = []

    await libvirts.sources()
    following = asyncio.create_task(libvirts.follow(heard.extend))
    await asyncio.sleep(0)
    with pytest.raises(CommandFailed):
        await libvirts.statuses()
    with pytest.raises(CommandFailed) as caught:
        await following

    assert "it was killed" == caught.value.said
    assert [GuestEvent("lifecycle", "web01", "Started 0")] == heard


async def test_a_lost_link_is_no_reason_to_ask_otherwise(libvirts: Libvirts, children: Children) -> None:
    both(children, ANSWERS, ANSWERS)
    libvirts.host.refusal = LinkLost("the link to nas1 was lost")

    with pytest.raises(LinkLost):
        await libvirts.statuses()

    assert 0 == libvirts.virsh()


async def test_for_one_reading_it_is_closed_afterwards(children: Children) -> None:
    both(children, ANSWERS, ANSWERS)
    host = SocketHost()
    host.has(SOCKET)

    async with connected(Asker(host), ManualClock(0), 60.0) as libvirt:
        await libvirt.statuses()
        assert 1 == host.forwarded
    assert 0 == host.forwarded


async def test_answers_are_kept_as_virsh_would_have_printed_them_and_play_without_the_binding(
    children: Children,
) -> None:
    both(children, ANSWERS, ANSWERS)
    host = SocketHost()
    host.has(SOCKET, SESSION_SOCKET)
    memory = Memory(ManualClock(0), keep_s=3600, max_bytes=1 << 20)
    async with connected(Asker(RememberedHost(host, memory)), ManualClock(0), 60.0) as libvirt:
        statuses, _ = await libvirt.statuses()
        uuids = await libvirt.answering[0].uuids()

    replayed = ScriptedHost()
    for answer in memory.answers():
        if answer.fields["kind"] == "run":
            argv, blobs = answer.fields["argv"], dict(answer.blobs)
            assert isinstance(argv, list)
            replayed.answers[" ".join(argv)] = memory.blob(blobs["stdout"])
    source = VirshSource(Asker(replayed))

    assert tuple(each for each in statuses if each.connection == SYSTEM) == await source.statuses()
    assert uuids == await source.uuids()


async def test_a_host_that_forwards_no_sockets_is_asked_by_virsh_alone(libvirts: Libvirts) -> None:
    libvirts.host.forwards_sockets = False

    (source,) = await libvirts.sources()

    assert isinstance(source, VirshSource)
    assert [] == libvirts.host.commands

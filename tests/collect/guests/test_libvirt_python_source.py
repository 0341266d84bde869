"""libvirt through a child: what it answers, and that one that hangs, ends or lies costs its own part only."""

from __future__ import annotations

import asyncio

import pytest

from tests.collect.guests.libvirt_python_doubles import (
    ANSWERS,
    GUEST,
    HANGS,
    NO_BINDING,
    READY,
    REFUSES,
    SOCKET,
    STATUSES,
    Children,
    SocketHost,
    answering,
)
from tests.collect.guests.libvirt_python_doubles import children as children  # noqa: PLC0414 - a fixture
from tests.system.libvirt.test_libvirt_python_child import needs_binding
from zconsole.base.errors import CommandFailed, ParseError
from zconsole.collect.guests.libvirt_python_source import LibvirtHangs, NoBinding, libvirt_python
from zconsole.hosts.local.local_host import LocalHost
from zconsole.model.guests.guest import SYSTEM, GuestState

SOON_S = 0.3  # a deadline that a test waits for


def connecting(host: SocketHost | None = None, within_s: float = 30.0):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return libvirt_python(LocalHost(), host or SocketHost(SOCKET), SYSTEM, SOCKET, within_s=within_s)


@needs_binding
async def test_libvirts_test_driver_answers(children: Children) -> None:
    async with connecting() as source:
        (status,) = await source.statuses()
        uuids = await source.uuids()
        definition = await source.definition(GUEST)

    assert ("test", GuestState.RUNNING, SYSTEM) == (status.name, status.state, status.connection)
    assert (GUEST,) == uuids
    assert ("test", GUEST) == (definition.name, definition.uuid)


@needs_binding
async def test_a_guest_that_is_gone_is_an_error_and_others_are_read(children: Children) -> None:
    async with connecting() as source:
        with pytest.raises(CommandFailed, match=r"libvirt of nas1 \(qemu:///system\) refuses") as caught:
            await source.definition("e0f20368-b0cf-4f90-bc00-65f12a552c4b")
        assert "Domain not found" in caught.value.said
        assert 1 == len(await source.statuses())


async def test_the_forwarded_socket_lives_as_long_as_the_child(children: Children) -> None:
    children.scripts[SYSTEM] = ANSWERS
    host = SocketHost(SOCKET)

    async with connecting(host):
        assert 1 == host.forwarded
    assert 0 == host.forwarded


async def test_without_the_binding_each_python_is_tried_once(children: Children) -> None:
    children.scripts[SYSTEM] = NO_BINDING

    with pytest.raises(NoBinding):
        async with connecting():
            pass

    assert 2 == len(children.starts)


async def test_a_libvirtd_that_refuses_is_told_in_its_words(children: Children) -> None:
    children.scripts[SYSTEM] = REFUSES

    with pytest.raises(CommandFailed) as caught:
        async with connecting():
            pass

    assert "Failed to connect socket: Connection refused" == caught.value.said
    assert 1 == len(children.starts)


async def test_a_libvirtd_that_hangs_while_it_is_connected_to_is_told_after_the_deadline(
    children: Children,
) -> None:
    children.scripts[SYSTEM] = HANGS

    with pytest.raises(LibvirtHangs, match=r"has not answered in 0\.3 s"):
        async with connecting(within_s=SOON_S):
            pass


async def test_a_libvirtd_that_hangs_later_has_its_child_ended(children: Children) -> None:
    children.scripts[SYSTEM] = f"{READY}\n{HANGS}"

    async with connecting(within_s=SOON_S) as source:
        with pytest.raises(LibvirtHangs):
            await source.statuses()
        assert source.has_ended
        with pytest.raises(LibvirtHangs):
            await source.uuids()


async def test_a_guest_that_hangs_is_not_asked_again_and_others_are(children: Children) -> None:
    children.scripts[SYSTEM] = answering(f'None if verb == "disk-errors" else {STATUSES}')

    async with connecting(within_s=SOON_S) as source:
        for _ in range(2):
            with pytest.raises(CommandFailed, match=f"has not answered about guest {GUEST}"):
                await source.disk_errors(GUEST)
        assert ["web01"] == [each.name for each in await source.statuses()]
        assert not source.has_ended


async def test_a_guest_that_answers_late_is_asked_again(children: Children) -> None:
    children.scripts[SYSTEM] = f"""\
{READY}
first = json.loads(sys.stdin.readline())
second = json.loads(sys.stdin.readline())
say({{"id": first["id"], "answer": {{"vda": "no space"}}}})
say({{"id": second["id"], "answer": []}})
third = json.loads(sys.stdin.readline())
say({{"id": third["id"], "answer": {{}}}})
"""
    async with connecting(within_s=SOON_S) as source:
        with pytest.raises(CommandFailed):
            await source.disk_errors(GUEST)
        assert () == await source.statuses()
        assert {} == await source.disk_errors(GUEST)


@pytest.mark.parametrize("line", ["rubbish", "{}", '{"id": true}'])
async def test_a_child_that_prints_something_else_is_ended(children: Children, line: str) -> None:
    children.scripts[SYSTEM] = f"{READY}\nsys.stdin.readline()\nsay({line!r})\n{HANGS}"

    async with connecting() as source:
        with pytest.raises(ParseError):
            await source.statuses()
        assert source.has_ended


async def test_a_child_that_ends_fails_all_that_was_asked_and_the_events(children: Children) -> None:
    children.scripts[SYSTEM] = f"{READY}\nsys.stdin.readline()\nsys.exit('libvirt has closed the connection')"

    async with connecting() as source, source.events() as events:
        asked = [asyncio.create_task(source.uuids()), asyncio.create_task(source.statuses())]
        with pytest.raises(CommandFailed) as caught:
            await anext(aiter(events))
        found = await asyncio.gather(*asked, return_exceptions=True)

    assert "libvirt has closed the connection" == caught.value.said
    assert [CommandFailed, CommandFailed] == [type(each) for each in found]


async def test_events_come_as_they_happen_and_a_slow_reader_has_the_newest(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zconsole.collect.guests.libvirt_python_source.MOST_EVENTS", 2)
    children.scripts[SYSTEM] = f"""\
{READY}
line = sys.stdin.readline()
for each in range(5):
    say({{"event": "lifecycle", "guest": "web01", "words": f"Suspended {{each}}"}})
say({{"id": json.loads(line)["id"], "answer": []}})
{HANGS}
"""
    async with connecting() as source, source.events() as events:
        await source.statuses()
        first, second = await anext(aiter(events)), await anext(aiter(events))

    assert ["Suspended 3", "Suspended 4"] == [each.words for each in (*first, *second)]

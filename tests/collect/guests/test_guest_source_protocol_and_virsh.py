"""virsh as a way to libvirt."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_read_guests import DB, VIRSH, WEB, host
from tests.collect.guests.test_read_statuses import ERROR
from tests.doubles.scripted_host import ScriptedStream, failed
from zconsole.base.errors import CommandFailed
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt, VirshSource
from zconsole.collect.read_command_runner import Asker
from zconsole.model.host.host_state import NO_LIBVIRT
from zconsole.system.libvirt.events import GuestEvent


async def test_each_answer_is_one_of_virsh() -> None:
    made = host()
    made.answers[f"{VIRSH} domblkerror {DB}"] = ERROR
    source = VirshSource(Asker(made))

    assert (WEB, DB) == await source.uuids()
    assert "web01" == (await source.definition(WEB)).name
    assert {"web01", "db02"} == {each.name for each in await source.statuses()}
    assert ["no space"] == [*(await source.disk_errors(DB)).values()]


async def test_events_are_those_of_virsh_until_it_ends() -> None:
    made = host()
    made.streams[f"{VIRSH} event"] = stream = ScriptedStream()
    stream.feed(b"1: event 'lifecycle' for domain 'web01': Started Booted\n")
    stream.feed(CommandFailed("virsh ended"))

    async with VirshSource(Asker(made)).events() as events:
        found = await anext(events)
        with pytest.raises(CommandFailed, match="virsh ended"):
            await anext(events)

    assert (GuestEvent("lifecycle", "web01", "Started Booted"),) == found


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        (NO_LIBVIRT, ""),
        (f"{NO_LIBVIRT}, and libvirt-python did not connect: no module", "no module"),
    ],
)
async def test_without_virsh_it_is_said_why_the_other_way_was_not_taken(expected: str, why: str) -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = failed("virsh", 127, b"not found")

    with pytest.raises(NoLibvirt) as caught:
        await VirshSource(Asker(made), why_not_binding=why).statuses()

    assert expected == caught.value.message

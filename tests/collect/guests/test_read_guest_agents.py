"""Agents are asked beside each other; one that hangs or refuses costs its own answer."""

from __future__ import annotations

import pytest

from zconsole.base.clock import ManualClock
from zconsole.collect.guests.read_guest_agents import NOT_ASKED, read_agents
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.guest_agent import FROZEN, THAWED, AgentReading
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.libvirt.guests import PracticeGuest


@pytest.fixture
async def nas() -> PracticeHost:
    host = PracticeHost("nas", ManualClock(1.0), world=create_world("mirror 0 1"))
    host.world.lacking -= {"virsh"}
    host.world.guests += [
        PracticeGuest("web01"),
        PracticeGuest("db02", is_frozen=True),
        PracticeGuest("mail03", does_agent_answer=False),
    ]
    await host.connect()
    return host


async def read(nas: PracticeHost, *, may_change: bool) -> tuple[AgentReading, ...]:
    asker = Asker(nas)
    uuids = [each.uuid for each in nas.world.guests]
    return await read_agents(asker, Privilege(asker), uuids, may_change=may_change)


async def test_each_tells_its_own(nas: PracticeHost) -> None:
    web01, db02, mail03 = await read(nas, may_change=True)

    assert [THAWED, FROZEN, ""] == [web01.status, db02.status, mail03.status]
    assert "Guest agent is not responding: Guest agent not available for now" == mail03.problem


async def test_a_user_without_the_right_asks_nobody(nas: PracticeHost) -> None:
    nas.world.user_id = 1000
    nas.world.lacking |= {"sudo", "doas"}

    found = await read(nas, may_change=False)

    assert {(NOT_ASKED, False)} == {(each.problem, each.was_asked) for each in found}

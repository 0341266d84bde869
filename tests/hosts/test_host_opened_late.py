"""A host that is made when it is first used."""

from __future__ import annotations

from zconsole.hosts.host import Command, Host
from zconsole.hosts.host_opened_late import LateHost
from zconsole.practice import PracticeHost


async def test_it_is_made_at_the_first_use_and_once() -> None:
    made: list[Host] = []

    def make() -> Host:
        made.append(PracticeHost("practice"))
        return made[-1]

    host = LateHost("practice", make)
    assert "practice" == host.label
    assert [] == made

    await host.connect()
    done = await host.run(Command(("zpool", "list", "-H", "-o", "name")))

    assert 1 == len(made)
    assert b"bulk\ntank\nvault\n" == done.stdout
    assert host.is_here


async def test_its_streams_are_those_of_the_host() -> None:
    host = LateHost("practice", PracticeHost)
    await host.connect()

    async with host.stream(Command(("zpool", "events", "-H", "-f"))) as chunks:
        assert b"\t" in await anext(chunks)

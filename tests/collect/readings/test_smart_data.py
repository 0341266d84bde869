"""Reading SMART data: one disk that hangs or lies costs its own data, a missing program is asked for once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.shelves import blank, link, shelf
from zconsole.base.clock import ManualClock
from zconsole.base.errors import LinkLost
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.smart_data import SmartTimeLimit, read_disk_health
from zconsole.hosts.host import Command, Completed
from zconsole.model.pools.smart_health import DiskHealth, HealthAnswer, Unreadable

CAPTURES = Path(__file__).parents[2] / "captures" / "smart"
SOUND = (CAPTURES / "sas-sound.json").read_bytes()
FAILING = (CAPTURES / "sata-failing.json").read_bytes()
NOT_OPENED = failed("smartctl", 2, b"")


def host(*, user: int = 0) -> ScriptedHost:
    made = ScriptedHost()
    made.answers["id"] = f"uid={user}(x) gid=0(root) groups=0(root)\n".encode()
    made.answers["sudo"] = made.answers["doas"] = failed("sudo", 127, b"not found")
    return made


async def read(asked: ScriptedHost, count: int = 2) -> dict[str, HealthAnswer]:
    await asked.connect()
    return await read_disk_health(Asker(asked), shelf(*map(blank, range(count))).disks)


def smartctl(number: int) -> str:
    return f"smartctl --json --all --nocheck=standby -- {link(number)}"


async def test_each_disk_is_asked_by_its_lasting_name() -> None:
    asked = host()
    asked.answers[smartctl(0)], asked.answers[smartctl(1)] = SOUND, failed("smartctl", 8, b"", FAILING)

    found = await read(asked)

    sound, failing = found["sda"], found["sdb"]
    assert isinstance(sound, DiskHealth)
    assert isinstance(failing, DiskHealth)
    assert (True, False) == (sound.is_passing, failing.is_passing)


@pytest.mark.parametrize(
    ("answer", "because"),
    [
        (b"", Unreadable.NO_ANSWER),
        (b"not json", Unreadable.NOT_UNDERSTOOD),
        (b"[]", Unreadable.NOT_UNDERSTOOD),
    ],
)
async def test_nonsense_costs_its_own_disk(answer: bytes, because: Unreadable) -> None:
    asked = host()
    asked.answers[smartctl(0)], asked.answers[smartctl(1)] = SOUND, answer

    found = await read(asked)

    assert isinstance(found["sda"], DiskHealth)
    assert because is found["sdb"]


async def test_a_missing_program_is_not_looked_for_a_disk_at_a_time() -> None:
    asked = host()
    asked.answers["smartctl"] = failed("smartctl", 127, b"not found")

    found = await read(asked, 20)

    assert {Unreadable.NO_PROGRAM} == set(found.values())
    assert 4 >= sum(line.startswith("smartctl") for line in asked.commands)


async def test_who_is_not_root_is_told_so() -> None:
    asked = host(user=1000)
    asked.answers["smartctl"] = failed("smartctl", 1, b"", (CAPTURES / "not-opened.json").read_bytes())

    assert {Unreadable.NOT_PERMITTED} == set((await read(asked)).values())


async def test_a_lost_link_ends_it() -> None:
    asked = host()
    asked.answers["smartctl"] = LinkLost("the link to nas1 was lost")

    with pytest.raises(LinkLost):
        await read(asked)


async def test_each_disk_has_its_share_of_the_time_and_none_is_asked_after_its_end() -> None:
    clock, asked = ManualClock(), host()
    limits = []

    class Slow(ScriptedHost):
        async def run(self, command: Command) -> Completed:
            if command.argv[0] == "smartctl":
                limits.append(command.timeout_s)
                clock.advance(2.0)
            return await super().run(command)

    slow = Slow()
    slow.answers = asked.answers | {"smartctl": SOUND}
    await slow.connect()

    limit = SmartTimeLimit(clock, clock.monotonic() + 9.0, 4.0)
    found = await read_disk_health(Asker(slow), shelf(*map(blank, range(20))).disks, limit=limit)

    assert [4.0, 4.0, 4.0, 3.0, 1.0] == limits
    assert 5 == len(found)

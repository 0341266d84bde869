"""A refused plan, whose offers are planned too, asks nothing twice, however many guests there are."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from tests.bench.repair_plan import FarHost
from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import intent
from zconsole.practice import PracticeHost
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk

REFUSED: Final = 23  # commands of the refused plan on the command line, whatever the number of guests


def host_with(guests: int) -> tuple[Bench, FarHost]:
    bench = Bench()
    bench.world.lacking -= {"virsh", "qemu-img"}
    for at in range(guests):
        bench.type(f"zfs create -s -V 1G tank/vm{at}")
        disk = PracticeGuestDisk("vda", f"/dev/zvol/tank/vm{at}")
        bench.world.guests.append(PracticeGuest(f"web{at}", [disk]))
    return bench, FarHost(PracticeHost(HOST, bench.manual, world=bench.world), 0.0)


@pytest.mark.parametrize("guests", [1, 5, 30])
async def test_a_refused_destroy_below_a_guest_asks_nothing_twice(guests: int) -> None:
    bench, host = host_with(guests)

    made = await bench.another(host).prepare(HOST, intent("destroy", "tank/vm0"))

    assert made.is_refused
    assert ["in-use"] == [each.rule for each in made.refusals]
    asked = Counter(each.argv for each in host.commands)
    assert {} == {argv: times for argv, times in asked.items() if times > 1}
    assert REFUSED >= len(host.commands)


async def test_another_plan_asks_everything_again() -> None:
    bench, host = host_with(1)
    operator = bench.another(host)
    assert (await operator.prepare(HOST, intent("destroy", "tank/vm0"))).is_refused
    bench.world.guests.clear()
    host.begin_anew()

    made = await operator.prepare(HOST, intent("destroy", "tank/vm0"))

    assert not made.is_refused

"""Guests for a plan: read without the sizes of images, with whether this user may change them."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.collect.guests.read_guests_to_change import read_guest_states, read_guests_to_change
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.guest import GuestState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk

MISSING = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
async def bench() -> Bench:
    made = Bench()
    made.world.lacking -= {"virsh"}
    disk = PracticeGuestDisk("vda", "/tank/home/a.qcow2", "qcow2")
    made.world.guests.append(PracticeGuest("web01", [disk]))
    await made.host.connect()
    return made


async def test_no_image_is_opened(bench: Bench) -> None:
    asker = Asker(bench.host)
    guests, problem, may_change = await read_guests_to_change(asker, Privilege(asker), Inventory())

    assert [("web01", ("tank/home",))] == [(each.name, each.places) for each in guests or ()]
    assert ("", True) == (problem, may_change)
    assert not any("qemu-img" in command.argv for command in bench.host.commands)


async def test_who_may_not_change_them_may_read_them(bench: Bench) -> None:
    bench.world.user_id = 1000
    asker = Asker(bench.host)
    guests, _, may_change = await read_guests_to_change(asker, Privilege(asker), Inventory())

    assert guests is not None
    assert not may_change


async def test_without_libvirt_it_is_told_why(bench: Bench) -> None:
    bench.world.lacking |= {"virsh"}
    asker = Asker(bench.host)
    guests, problem, _ = await read_guests_to_change(asker, Privilege(asker), Inventory())

    assert guests is None
    assert "virsh" in problem


async def test_a_guest_that_is_gone_has_no_state(bench: Bench) -> None:
    known = bench.world.guests[0].uuid
    asker = Asker(bench.host)
    assert ((known, GuestState.RUNNING),) == await read_guest_states(asker, [known, MISSING])

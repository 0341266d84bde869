"""Guests for a plan: read without the sizes of images, with whether this user may change them."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.collect.guests.read_guests_to_change import read_guest_states, read_guests_to_change
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.guests.guest import SESSION, SYSTEM, GuestState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk
from zconsole.system.libvirt.domain_power import MAY_CHANGE

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


async def test_that_a_user_may_change_them_is_not_asked_again(bench: Bench) -> None:
    asker = Asker(bench.host)
    _, _, may_change = await read_guests_to_change(asker, Privilege(asker), Inventory(), may_change=True)

    assert may_change
    assert MAY_CHANGE.argv not in [command.argv for command in bench.host.commands]


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


SOCKET = "/run/user/0/libvirt/libvirt-sock"
URI = f"qemu+unix:///session?socket={SOCKET}"
OWN = "862cc6c2-adf1-4bb7-88e4-8d26a01e48cb"


def done(stdout: str) -> Completed:
    return Completed(Command(()), Outcome.DONE, 0, stdout.encode(), b"")


def with_session(bench: Bench) -> None:
    """A libvirtd of root's session that has one guest."""
    bench.host.answers |= {
        "ls -1d --": done(f"{SOCKET}\n"),
        f"virsh -r -q -c {URI} domstats": done("Domain: 'web01'\n  state.state=5\n"),
        f"virsh -r -q -c {URI} list --all": done(f"{OWN}\n"),
        f"virsh -r -q -c {URI} dumpxml": done(f"<domain><name>web01</name><uuid>{OWN}</uuid></domain>"),
    }


async def test_guests_of_the_own_session_are_read_too_and_told_apart_by_their_address(bench: Bench) -> None:
    with_session(bench)
    asker = Asker(bench.host)

    guests, problem, _ = await read_guests_to_change(asker, Privilege(asker), Inventory())

    assert "" == problem
    assert [("web01", SYSTEM), ("web01", SESSION)] == [
        (each.name, each.definition.connection) for each in guests or ()
    ]
    address = (guests or ())[1].definition.address
    assert ((address, GuestState.SHUT_OFF),) == await read_guest_states(asker, [address])


async def test_a_session_that_fails_costs_its_own_guests(bench: Bench) -> None:
    with_session(bench)
    bench.host.answers[f"virsh -r -q -c {URI} domstats"] = Completed(
        Command(()), Outcome.FAILED, 1, b"", b"error: failed to connect\nerror: no such file"
    )
    asker = Asker(bench.host)

    guests, problem, _ = await read_guests_to_change(asker, Privilege(asker), Inventory())

    assert ["web01"] == [each.name for each in guests or ()]
    assert problem.endswith("error: failed to connect · error: no such file")

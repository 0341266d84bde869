"""Facts about guests: read where an action needs them, and not otherwise."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.moving_guests import NEW, MovingGuest
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import intent
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_facts, read_needs
from zconsole.model.guests.guest import GuestState
from zconsole.practice.libvirt.guests import SHUT_OFF


async def reader_of(moving: MovingGuest) -> Reader:
    await moving.nas.connect()
    asker = Asker(moving.nas)
    return Reader(asker, moving.clock, Privilege(asker))


async def test_the_move_of_a_volume_reads_its_definition_and_no_image() -> None:
    moving = MovingGuest()

    facts = await read_facts(await reader_of(moving), intent("guest-move", "web01", NEW))

    assert ["web01"] == [each.name for each in facts.guests or ()]
    assert [moving.guest.uuid] == [each.uuid for each in facts.stored]
    assert () == facts.image_chains


async def test_the_move_of_a_file_reads_what_its_image_builds_on() -> None:
    moving = MovingGuest(on_volume=False)

    facts = await read_facts(await reader_of(moving), intent("guest-move", "web01", NEW))

    assert [("/tank/web01/disk.qcow2", 1)] == [(path, len(chain or ())) for path, chain in facts.image_chains]


async def test_states_alone_are_one_command() -> None:
    moving = MovingGuest()
    reader = await reader_of(moving)

    facts = await read_needs(reader, Needs(guest_states=(moving.guest.uuid,)), "tank")

    assert ((moving.guest.uuid, GuestState.RUNNING),) == facts.guest_states
    assert ["domstats"] == [each.argv[5] for each in moving.nas.commands if each.argv[0] == "virsh"]


async def test_nothing_of_guests_is_read_for_what_does_not_need_it() -> None:
    moving = MovingGuest()

    facts = await read_needs(await reader_of(moving), Needs(), "tank")

    assert (None, ()) == (facts.guests, facts.stored)
    assert not [each for each in moving.nas.commands if each.argv[0] in {"virsh", "qemu-img"}]


async def test_the_io_of_a_guest_is_measured_by_two_readings_of_its_counters() -> None:
    moving = MovingGuest()
    reader = replace(await reader_of(moving), io_sample_s=5.0)

    facts = await read_facts(reader, intent("guest-move", "web01", NEW))

    (guest,) = facts.guests or ()
    (rates,) = [each.rates for each in guest.disks]
    assert rates is not None
    assert 5.0 <= rates.seconds
    assert 3 == len([each for each in moving.nas.commands if "domstats" in each.argv])


async def test_what_a_screen_has_just_read_is_not_measured_again() -> None:
    moving = MovingGuest()
    reader = replace(await reader_of(moving), io_sample_s=5.0)
    known = (await read_facts(reader, intent("guest-move", "web01", NEW))).guests or ()
    moving.nas.commands.clear()

    facts = await read_facts(replace(reader, known_guests=known), intent("guest-move", "web01", NEW))

    assert [each.rates for each in known[0].disks] == [
        each.rates for guest in facts.guests or () for each in guest.disks
    ]
    assert 1 == len([each for each in moving.nas.commands if "domstats" in each.argv])


async def test_without_a_time_for_it_nothing_is_measured_of_a_plan_that_is_checked_again() -> None:
    moving = MovingGuest()

    facts = await read_facts(await reader_of(moving), intent("guest-move", "web01", NEW))

    assert [None] == [each.rates for guest in facts.guests or () for each in guest.disks]
    assert 1 == len([each for each in moving.nas.commands if "domstats" in each.argv])


async def test_a_guest_that_is_off_is_not_measured() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF
    reader = replace(await reader_of(moving), io_sample_s=5.0)

    await read_facts(reader, intent("guest-move", "web01", NEW))

    assert 1 == len([each for each in moving.nas.commands if "domstats" in each.argv])

"""libvirt's events of the practice host, read by the reader of real ones."""

from __future__ import annotations

import pytest

from zconsole.practice.libvirt.change_power_state import change
from zconsole.practice.libvirt.guest_events import GuestEvents
from zconsole.practice.libvirt.guests import (
    IO_ERROR,
    PAUSED,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
)
from zconsole.practice.program_and_subcommand_table import FollowingWorld, answer
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World
from zconsole.system.libvirt.events import GuestEventReader, follow


@pytest.fixture
def world() -> World:
    made = create_world("mirror 0 1")
    made.lacking -= {"virsh"}
    answer(made, ("zfs", "create", "-V", "64M", "tank/web01"))
    made.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", f"{ZVOL}tank/web01")]))
    return made


def told(events: GuestEvents) -> list[tuple[str, str, str]]:
    return [(each.kind, each.guest, each.words) for each in GuestEventReader().feed(events.news().encode())]


def lifecycle(*words: str) -> list[tuple[str, str, str]]:
    return [("lifecycle", "web01", each) for each in words]


def test_the_consoles_command_follows_the_guests(world: World) -> None:
    assert isinstance(answer(world, follow("qemu:///system").argv), FollowingWorld)


def test_changes_are_told_in_libvirts_words_and_once(world: World) -> None:
    events, (web,) = GuestEvents(world), world.guests
    assert [] == told(events)

    change(world, "suspend", web, is_read_only=False)
    assert lifecycle("Suspended Paused") == told(events)
    change(world, "resume", web, is_read_only=False)
    assert lifecycle("Resumed Unpaused") == told(events)
    assert [] == told(events)


def test_a_guest_that_shuts_down_is_told_when_it_is_off(world: World) -> None:
    events, (web,) = GuestEvents(world), world.guests
    change(world, "shutdown", web, is_read_only=False)
    assert [] == told(events)

    assert web.off_at is not None
    web.off_at = world.now
    assert lifecycle("Shutdown Finished after guest request", "Stopped Shutdown") == told(events)
    change(world, "start", web, is_read_only=False)
    assert lifecycle("Started Booted") == told(events)


def test_an_io_error_names_the_disk(world: World) -> None:
    events, (web,) = GuestEvents(world), world.guests
    web.state, web.reason = PAUSED, IO_ERROR

    assert [
        *lifecycle("Suspended I/O Error"),
        ("io-error", "web01", f"{ZVOL}tank/web01 (virtio-disk0) pause"),
        ("io-error-reason", "web01", f"{ZVOL}tank/web01 (virtio-disk0) pause due to enospc"),
    ] == told(events)


def test_guests_that_are_defined_and_undefined_are_told(world: World) -> None:
    events = GuestEvents(world)
    world.guests.append(PracticeGuest("db02", state=SHUT_OFF))
    assert [("lifecycle", "db02", "Defined Added")] == told(events)

    world.guests.pop()
    assert [("lifecycle", "db02", "Undefined Removed")] == told(events)

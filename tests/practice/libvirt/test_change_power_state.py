"""virsh of the practice host changes guests as libvirt does, and refuses what libvirt refuses."""

from __future__ import annotations

import pytest

from zconsole.practice.libvirt.guests import PAUSED, RUNNING, SHUT_OFF, PracticeGuest
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World


@pytest.fixture
def world() -> World:
    made = create_world("mirror 0 1")
    made.lacking -= {"virsh"}
    made.guests.append(PracticeGuest("web01"))
    return made


def did(world: World, verb: str, *before: str) -> Reply:
    reply = answer(world, ("virsh", *before, "-c", "qemu:///system", verb, "web01"))
    assert isinstance(reply, Reply)
    return reply


def test_a_shutdown_takes_its_time(world: World) -> None:
    assert (0, "Domain 'web01' is being shutdown\n\n") == (
        (reply := did(world, "shutdown")).status,
        reply.stdout,
    )
    assert RUNNING == world.guests[0].state

    world.now += 6
    did(world, "domname")
    assert SHUT_OFF == world.guests[0].state


@pytest.mark.parametrize(
    ("state", "verb", "words"),
    [
        (RUNNING, "start", "domain is already running"),
        (SHUT_OFF, "shutdown", "domain is not running"),
        (PAUSED, "suspend", "domain is already paused"),
        (RUNNING, "resume", "domain is already running"),
    ],
)
def test_what_libvirt_refuses_is_refused(world: World, state: int, verb: str, words: str) -> None:
    world.guests[0].state = state
    reply = did(world, verb)
    assert 1 == reply.status
    assert words in reply.stderr


def test_a_read_only_connection_changes_nothing(world: World) -> None:
    assert "read only access prevents virDomainShutdown" in did(world, "shutdown", "-r").stderr


def test_without_the_group_only_reading_is_allowed(world: World) -> None:
    world.user_id = 1000
    assert "authentication unavailable" in did(world, "shutdown").stderr
    assert 0 == did(world, "domname", "-r").status

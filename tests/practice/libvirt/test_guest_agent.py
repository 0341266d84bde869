"""virsh of the practice host prints for agents what libvirt 9.0 printed with a real qemu-ga 7.2."""

from __future__ import annotations

import pytest

from zconsole.practice.libvirt.guests import PAUSED, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World

STATUS = ("qemu-agent-command", "--timeout", "5", "web01", '{"execute":"guest-fsfreeze-status"}')
PING = ("qemu-agent-command", "--timeout", "5", "web01", '{"execute":"guest-ping"}')
NOT_CONNECTED = "error: Guest agent is not responding: QEMU guest agent is not connected\n"


@pytest.fixture
def world() -> World:
    made = create_world("mirror 0 1")
    made.lacking -= {"virsh"}
    made.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", "/dev/zvol/tank/web01")]))
    return made


def did(world: World, *words: str) -> Reply:
    reply = answer(world, ("virsh", "-c", "qemu:///system", *words))
    assert isinstance(reply, Reply)
    return reply


def test_it_freezes_and_thaws(world: World) -> None:
    assert '{"return":"thawed"}\n\n' == did(world, *STATUS).stdout
    assert "Froze 1 filesystem(s)\n\n" == did(world, "domfsfreeze", "web01").stdout
    assert '{"return":"frozen"}\n\n' == did(world, *STATUS).stdout
    again = did(world, "domfsfreeze", "web01")
    assert (1, "\n") == (again.status, again.stdout)
    assert (
        "error: Unable to freeze filesystems\nerror: internal error: unable to execute QEMU agent command "
        "'guest-fsfreeze-freeze': Command guest-fsfreeze-freeze has been disabled: the agent is in frozen "
        "state\n"
    ) == again.stderr
    assert "Thawed 1 filesystem(s)\n\n" == did(world, "domfsthaw", "web01").stdout
    assert "Thawed 0 filesystem(s)\n\n" == did(world, "domfsthaw", "web01").stdout


def test_quietly_it_does_not_tell_how_many(world: World) -> None:
    assert Reply() == did(world, "-q", "domfsfreeze", "web01")
    assert world.guests[0].is_frozen


def test_it_tells_its_file_systems_and_answers_a_ping(world: World) -> None:
    assert (
        " Mountpoint   Name   Type   Target\n------------------------------------\n"
        " /            vda1   ext4   vda\n\n"
    ) == did(world, "domfsinfo", "web01").stdout
    assert '{"return":{}}\n\n' == did(world, *PING).stdout


@pytest.mark.parametrize(
    ("words", "before"),
    [
        (("domfsfreeze", "web01"), "error: Unable to freeze filesystems\n"),
        (("domfsthaw", "web01"), "error: Unable to thaw filesystems\n"),
        (("domfsinfo", "web01"), "error: Unable to get filesystem information\n"),
        (PING, ""),
    ],
)
def test_an_agent_that_is_not_connected_is_an_error_of_each(
    world: World, words: tuple[str, ...], before: str
) -> None:
    world.guests[0].is_agent_connected = False

    assert Reply("\n", before + NOT_CONNECTED, 1) == did(world, *words)


def test_a_paused_guest_hears_nothing_and_readers_may_not_ask(world: World) -> None:
    assert "read only access prevents virDomainFSFreeze" in did(world, "-r", "domfsfreeze", "web01").stderr
    world.guests[0].state = PAUSED

    assert "error: Requested operation is not valid: domain is not running\n" == did(world, *STATUS).stderr


def test_a_command_that_the_agent_does_not_know_is_refused(world: World) -> None:
    assert "has not been found" in did(world, *STATUS[:-1], '{"execute":"guest-dance"}').stderr
    assert "cannot parse json" in did(world, *STATUS[:-1], "{").stderr

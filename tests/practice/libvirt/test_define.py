"""`virsh define` of the practice host, and a start that fails on read-only storage."""

from __future__ import annotations

import pytest

from tests.doubles.moving_guests import MovingGuest
from zconsole.practice.libvirt.define import SCRIPT
from zconsole.practice.libvirt.guests import SHUT_OFF
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.system.libvirt.domain_power import start
from zconsole.system.libvirt.stored_definition import DEFINE, define, dump_stored_xml

NEW_UUID = "11111111-2222-3333-4444-555555555555"
XML = (
    "<domain><name>{}</name><uuid>{}</uuid><devices><disk><source dev='/dev/zvol/vault/x'/>"
    "<target dev='vda'/></disk></devices></domain>"
)


def told(moving: MovingGuest, argv: tuple[str, ...], stdin: str = "") -> Reply:
    found = answer(moving.nas_world, argv, stdin.encode())
    assert isinstance(found, Reply)
    return found


def test_it_knows_the_script_of_the_console() -> None:
    assert DEFINE == SCRIPT


def test_a_new_guest_is_off_and_has_its_own_uuid() -> None:
    moving = MovingGuest()

    assert 0 == told(moving, define(), XML.format("db02", NEW_UUID)).status
    made = moving.nas_world.guests[-1]
    assert ("db02", NEW_UUID, SHUT_OFF) == (made.name, made.uuid, made.state)


def test_what_it_prints_can_be_defined_again() -> None:
    moving = MovingGuest()
    xml = told(moving, dump_stored_xml(moving.guest.uuid).argv).stdout

    assert 0 == told(moving, define(), xml.replace("tank/web01", "vault/x")).status
    assert [moving.guest] == moving.nas_world.guests
    assert "/dev/zvol/vault/x" == moving.disk


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ("<domain", "domain_definition"),
        (XML.format("web01", NEW_UUID), "already exists with uuid"),
        (XML.format("db02", MovingGuest().guest.uuid), "already exists with uuid"),
    ],
)
def test_what_libvirt_would_refuse_is_refused(xml: str, words: str) -> None:
    refused = told(MovingGuest(), define(), xml)

    assert (1, True) == (refused.status, words in refused.stderr)


def test_a_guest_is_not_started_on_a_read_only_volume() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF
    moving.type("zfs set readonly=on tank/web01")

    refused = told(moving, start(moving.guest.uuid))

    assert (1, SHUT_OFF) == (refused.status, moving.guest.state)
    assert "Read-only file system" in refused.stderr


def test_a_guest_is_not_started_without_its_image() -> None:
    moving = MovingGuest(on_volume=False)
    moving.guest.state = SHUT_OFF
    xml = told(moving, dump_stored_xml(moving.guest.uuid).argv).stdout

    assert 0 == told(moving, define(), xml.replace("/tank/web01", "/vault/web01")).status
    assert "No such file or directory" in told(moving, start(moving.guest.uuid)).stderr

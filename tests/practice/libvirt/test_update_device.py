"""`virsh update-device` of the practice host: what the console sends, and nothing else."""

from __future__ import annotations

import pytest

from tests.doubles.moving_guests import MovingGuest
from zconsole.practice.libvirt.guests import SHUT_OFF
from zconsole.practice.libvirt.update_device import SCRIPT
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.system.libvirt.stored_definition import UPDATE_DISK, update_disk

DISK = b"<disk type='block'><source dev='/dev/zvol/vault/x'/><target dev='vda'/></disk>"


def told(moving: MovingGuest, stdin: bytes = DISK, uuid: str = "") -> Reply:
    found = answer(moving.nas_world, update_disk(uuid or moving.guest.uuid), stdin)
    assert isinstance(found, Reply)
    return found


def test_it_knows_the_script_of_the_console() -> None:
    assert UPDATE_DISK == SCRIPT


def test_a_guest_that_is_off_gets_the_disk_at_its_new_path() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF

    assert 0 == told(moving).status
    assert "/dev/zvol/vault/x" == moving.disk


@pytest.mark.parametrize(
    ("stdin", "uuid", "words"),
    [
        (b"<disk", "", "device_definition"),
        (b"<disk><target dev='vdz'/></disk>", "", "target vdz doesn't exist"),
        (DISK, "00000000-0000-0000-0000-000000000000", "failed to get domain"),
    ],
)
def test_what_libvirt_would_refuse_is_refused(stdin: bytes, uuid: str, words: str) -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF
    before = moving.disk

    refused = told(moving, stdin, uuid)

    assert (1, before) == (refused.status, moving.disk)
    assert words in refused.stderr


def test_a_guest_that_runs_keeps_its_disk() -> None:
    moving = MovingGuest()

    refused = told(moving)

    assert 1 == refused.status
    assert "/dev/zvol/tank/web01" == moving.disk

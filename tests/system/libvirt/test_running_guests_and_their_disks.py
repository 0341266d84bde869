"""Guests and their disks as virsh prints them."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.system.libvirt.running_guests_and_their_disks import list_disks, parse_disks, parse_running

UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
DISKS = """\
 file    disk    vda   /tank/vm/web server.qcow2
 block   disk    vdb   /dev/zvol/tank/vm/db
 file    cdrom   sda   -
 network disk    vdc   pool/image

"""


def test_running_guests_are_told_by_uuid() -> None:
    assert (UUID,) == parse_running(f"{UUID}\n\n")


def test_files_and_devices_of_a_guest_are_read() -> None:
    assert ("/tank/vm/web server.qcow2", "/dev/zvol/tank/vm/db") == parse_disks(DISKS)


def test_an_answer_cut_short_is_an_error_or_the_first_disks() -> None:
    for at in range(len(DISKS)):
        try:
            part = parse_disks(DISKS[:at])
        except ParseError:
            continue
        assert parse_disks(DISKS)[: len(part)] == part


@pytest.mark.parametrize("text", ["error: failed\n", f"{UUID[:-1]}\n"])
def test_what_is_no_uuid_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_running(text)


def test_a_guest_is_asked_for_by_uuid_and_read_only() -> None:
    argv = list_disks(UUID).argv

    assert "-r" in argv
    assert UUID == argv[-1]

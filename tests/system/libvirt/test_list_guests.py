"""Guests as `virsh list` prints them."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.list_guests import list_all, list_running, parse_uuids

UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
OTHER = "862cc6c2-adf1-4bb7-88e4-8d26a01e48cb"


def test_guests_are_told_by_uuid() -> None:
    assert (UUID, OTHER) == parse_uuids(f"{UUID}\n{OTHER}\n\n")


@pytest.mark.parametrize("text", ["error: failed\n", f"{UUID[:-1]}\n"])
def test_what_is_no_uuid_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_uuids(text)


def test_the_connection_is_read_only_and_guests_that_are_off_are_asked_for_by_name() -> None:
    running, every = list_running(SYSTEM).argv, list_all(SYSTEM).argv

    assert ("-r", "-r") == (running[1], every[1])
    assert {"--all"} == {*every} - {*running}

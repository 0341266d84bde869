"""Disks whose I/O failed, as `virsh domblkerror` of libvirt 9.0 prints them."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.system.libvirt.disk_errors import parse_disk_errors

PAUSED = (CAPTURES / "libvirt" / "9.0" / "domblkerror_paused.txt").read_text()


def test_the_disk_of_a_real_guest_that_found_no_space() -> None:
    assert {"vda": "no space"} == parse_disk_errors(PAUSED)


@pytest.mark.parametrize("text", ["No errors found\n", "No errors found\n\n", "", "\n"])
def test_a_guest_without_errors_has_none(text: str) -> None:
    assert {} == parse_disk_errors(text)


@pytest.mark.parametrize("text", ["error\n", "vda\n", "vda: no space"])
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_disk_errors(text)

"""Serial numbers that any disk may report identify none."""

from __future__ import annotations

import pytest

from zconsole.model.pools.placeholder_serial_numbers import is_placeholder


@pytest.mark.parametrize(
    "serial", ["0000000000", "00-00 00", "xxxxxxxx", "ffffffff", " unknown ", "N/A", "0123456789ABCDEF", "*?"]
)
def test_fillers_and_placeholders_are_no_serial_numbers(serial: str) -> None:
    assert is_placeholder(serial)


@pytest.mark.parametrize("serial", ["", "ZC13A0R7", "0000000A", "2", "12345678901234567890", "unknown7"])
def test_everything_else_is_one_and_the_empty_one_is_just_absent(serial: str) -> None:
    assert not is_placeholder(serial)

"""Locate LEDs."""

from __future__ import annotations

from zconsole.system.ledctl import locate, locate_off


def test_the_leds_of_other_disks_stay_as_they_are() -> None:
    assert ("ledctl", "--listed-only", "locate=/dev/sda") == locate("/dev/sda")
    assert ("ledctl", "--listed-only", "locate_off=/dev/sda") == locate_off("/dev/sda")

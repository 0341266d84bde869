"""Words on the activity light of a disk: which one blinks, and how to find one that cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.model.repair import DeviceIdentity
from zconsole.views.layout.styled_text import EMPTY, Line, line

LASTS_S: Final = 120.0


def blinking(device: DeviceIdentity) -> Iterator[Line]:
    """The disk answers: its light goes on and off about once a second."""
    yield line((device.labelled, "title"), " is read in bursts: about one second on, one second off")
    yield EMPTY
    yield line("Look for the light that blinks in this rhythm; the lights of busy disks flicker irregularly.")
    yield line("Compare the serial number before you pull the disk.")
    yield line((f"Enter ends it; otherwise it ends after {LASTS_S:.0f} s. Nothing is written.", "dim"))


def ended(device: DeviceIdentity) -> Iterator[Line]:
    """The time is over."""
    yield line((device.labelled, "title"), f": the reads ended after {LASTS_S:.0f} s")


def silent(device: DeviceIdentity, problem: str) -> Iterator[Line]:
    """The disk does not answer, or may not be read: the others tell where it is."""
    yield line((device.labelled, "title"), " cannot be made to blink: ", (problem, "warn"))
    yield EMPTY
    yield line("Find it by elimination: while the pool is busy, as in a scrub or a resilver, the lights of")
    yield line("the other disks of its vdev flicker, and its own stays dark. Compare the serial number.")

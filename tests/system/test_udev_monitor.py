"""udev's events of block devices, as `udevadm monitor` of systemd 252 prints them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.system.udev_monitor import LONGEST_LINE, DiskEvent, DiskEventReader

PRINTED = b"""monitor will print the received events for:
UDEV - the event which udev sends out after rule processing

UDEV  [1374.120518] add      /devices/pci0000:00/0000:00:0c.0/virtio9/block/vdg (block)
UDEV  [1374.156301] add      /devices/pci0000:00/0000:00:0c.0/virtio9/block/vdg/vdg1 (block)
UDEV  [1391.870042] change   /devices/virtual/block/zd16 (block)
UDEV  [1401.000121] remove   /devices/pci0000:00/0000:00:0b.0/virtio8/block/vdf (block)
UDEV  [1402.5] change   /devices/virtual/block/loop0 (block)
"""
EVENTS = (DiskEvent("add", "vdg"), DiskEvent("add", "vdg1"), DiskEvent("remove", "vdf"))


def test_disks_that_come_and_go_and_no_volumes() -> None:
    assert EVENTS == DiskEventReader().feed(PRINTED)


@given(st.lists(st.integers(0, len(PRINTED)), max_size=6))
def test_output_that_is_cut_anywhere(cuts: list[int]) -> None:
    reader, places = DiskEventReader(), sorted({0, *cuts, len(PRINTED)})

    found = [event for start, end in pairwise(places) for event in reader.feed(PRINTED[start:end])]

    assert list(EVENTS) == found


@pytest.mark.parametrize(
    "noise", [b"\xff\xfe\n", b"UDEV  [1.0] add /x (net)\n", b"KERNEL[1.0] add /a/b (block)\n"]
)
def test_other_lines_are_skipped(noise: bytes) -> None:
    assert (DiskEvent("add", "sda"),) == DiskEventReader().feed(
        noise + b"UDEV  [2.0] add      /devices/x/block/sda (block)\n"
    )


def test_a_line_that_never_ends_takes_no_memory() -> None:
    reader = DiskEventReader()
    for _ in range(64):
        reader.feed(b"x" * LONGEST_LINE)

    assert LONGEST_LINE >= len(reader._rest)

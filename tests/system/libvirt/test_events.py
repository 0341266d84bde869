"""Events of guests as `virsh event` of libvirt 9.0 printed them: an image without space, a start, a stop."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.system.libvirt.events import LONGEST_LINE, GuestEvent, GuestEventReader, changes_disks

PRINTED = (CAPTURES / "libvirt" / "9.0" / "event_loop.txt").read_bytes()
EVENTS = GuestEventReader().feed(PRINTED)


def test_every_line_of_a_real_libvirt_is_an_event() -> None:
    assert PRINTED.count(b": event '") == len(EVENTS)
    assert GuestEvent("io-error", "db02", "/small/fills.qcow2 (virtio-disk0) pause") == EVENTS[0]
    assert "/small/fills.qcow2 (virtio-disk0) pause due to enospc" == EVENTS[1].words
    assert ["db02", "web01"] == list(dict.fromkeys(each.guest for each in EVENTS))


def test_a_guest_that_starts_or_is_defined_may_have_other_disks_and_one_that_is_paused_has_not() -> None:
    told = {f"{each.kind}: {each.words}": changes_disks(each) for each in EVENTS}

    assert [
        "agent-lifecycle: state: 'disconnected' reason: 'domain started'",
        "lifecycle: Started Booted",
        "lifecycle: Stopped Destroyed",
        "lifecycle: Undefined Removed",
        "lifecycle: Defined Added",
    ] == [words for words, changes in told.items() if changes]


@given(st.lists(st.integers(0, len(PRINTED)), max_size=6))
def test_output_that_is_cut_anywhere(cuts: list[int]) -> None:
    reader, places = GuestEventReader(), sorted({0, *cuts, len(PRINTED)})

    found = [event for start, end in pairwise(places) for event in reader.feed(PRINTED[start:end])]

    assert list(EVENTS) == found


@pytest.mark.parametrize(
    "noise",
    [b"\xff\xfe\n", b"events received: 3\n", b"event 'rtc-change' for domain 'a': 12\n", b"event 'x'\n"],
)
def test_other_lines_and_events_of_other_things_are_skipped(noise: bytes) -> None:
    resumed = b"event 'lifecycle' for domain 'it's': Resumed Unpaused\n"

    assert (GuestEvent("lifecycle", "it's", "Resumed Unpaused"),) == GuestEventReader().feed(noise + resumed)


def test_a_line_that_never_ends_takes_no_memory() -> None:
    reader = GuestEventReader()
    for _ in range(64):
        reader.feed(b"x" * LONGEST_LINE)

    assert LONGEST_LINE >= len(reader._rest)

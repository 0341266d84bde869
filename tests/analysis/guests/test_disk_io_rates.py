"""Rates of a guest's disks between two readings of libvirt's counters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.analysis.guests.disk_io_rates import SHORTEST_S, with_rates
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestDiskCounters,
    GuestDiskRates,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)

BEFORE = GuestDiskCounters(
    "vda", reads=100, read_bytes=1 << 20, read_ns=10**9, writes=50, written_bytes=4096, write_ns=10**8,
    flushes=3, flush_ns=10**7,
)  # fmt: skip
AFTER = GuestDiskCounters(
    "vda", reads=120, read_bytes=3 << 20, read_ns=10**9 + 4 * 10**7, writes=50, written_bytes=4096,
    write_ns=10**8, flushes=5, flush_ns=3 * 10**7,
)  # fmt: skip


def guest(counters: GuestDiskCounters | None, state: GuestState = GuestState.RUNNING) -> Guest:
    disk = StoredDisk(GuestDisk("vda", "/dev/zd0", SourceKind.BLOCK), counters=counters)
    return Guest(GuestDefinition("u", "web01"), GuestStatus("web01", state), (disk,))


def rates(before: Guest, after: Guest, seconds: float = 2.0) -> GuestDiskRates | None:
    (found,) = with_rates((before,), (after,), seconds)
    return found.disks[0].rates


def test_operations_and_bytes_are_per_second_and_latencies_the_mean_of_the_interval() -> None:
    expected = GuestDiskRates(
        seconds=2.0, reads_per_s=10.0, read_bytes_per_s=float(1 << 20), mean_read_ns=2e6,
        writes_per_s=0.0, written_bytes_per_s=0.0, mean_write_ns=None, flushes_per_s=1.0, mean_flush_ns=1e7,
    )  # fmt: skip

    assert expected == rates(guest(BEFORE), guest(AFTER))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (guest(None), guest(AFTER)),
        (guest(BEFORE), guest(None)),
        (guest(AFTER), guest(BEFORE)),
        (guest(BEFORE), guest(AFTER, GuestState.SHUT_OFF)),
        (guest(BEFORE), guest(replace(AFTER, writes=None))),
    ],
    ids=["no counters before", "none now", "started in between", "off", "a counter is gone"],
)
def test_what_was_not_counted_in_both_has_no_rate(before: Guest, after: Guest) -> None:
    assert rates(before, after) is None


def test_a_counter_that_libvirt_does_not_have_leaves_the_others() -> None:
    found = rates(guest(replace(BEFORE, flushes=None)), guest(replace(AFTER, read_bytes=None)))

    assert found is not None
    assert (10.0, None, None, None) == (
        found.reads_per_s,
        found.read_bytes_per_s,
        found.flushes_per_s,
        found.mean_flush_ns,
    )


def test_a_new_guest_has_no_rate_and_one_of_the_same_name_elsewhere_is_another() -> None:
    elsewhere = replace(guest(BEFORE), definition=GuestDefinition("u", "web01", connection="qemu:///session"))

    assert rates(elsewhere, guest(AFTER)) is None
    assert with_rates((), (guest(AFTER),), 2.0)[0].disks[0].rates is None


def test_a_reading_right_after_another_leaves_the_earlier_rates() -> None:
    (first,) = with_rates((guest(BEFORE),), (guest(AFTER),), 2.0)

    assert first.disks[0].rates == rates(first, guest(AFTER), SHORTEST_S / 2)
    assert 0.0 == getattr(rates(first, guest(AFTER), SHORTEST_S), "reads_per_s", None)

"""I/O of a guest's disk in words, and the sum of a guest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestDiskRates,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)
from zconsole.views.guests.disk_io_rates import (
    rates_in_words,
    read_bytes_per_second,
    written_bytes_per_second,
)

BUSY = GuestDiskRates(
    5.0, 12.0, 0.4, read_bytes_per_s=1258291.2, written_bytes_per_s=4096.0, flushes_per_s=0.0,
    mean_read_ns=800_000.0, mean_write_ns=4.1e6,
)  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "rates"),
    [
        ("read 12/s 1.20 MiB/s 0.8 ms · write 0.4/s 4.00 KiB/s 4.1 ms · flush 0/s", BUSY),
        ("read 0/s · write 0/s", GuestDiskRates(5.0, 0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_each_kind_is_told_with_its_bytes_and_its_mean(expected: str, rates: GuestDiskRates) -> None:
    assert expected == rates_in_words(rates)


def test_a_guest_has_the_sum_of_its_disks_as_far_as_it_is_known() -> None:
    disk = StoredDisk(GuestDisk("vda", "/dev/zd0", SourceKind.BLOCK))
    guest = Guest(
        GuestDefinition("u", "web01"),
        GuestStatus("web01", GuestState.RUNNING),
        (replace(disk, rates=BUSY), disk, replace(disk, rates=replace(BUSY, written_bytes_per_s=None))),
    )

    assert 2 * 1258291.2 == read_bytes_per_second(guest)
    assert 4096.0 == written_bytes_per_second(guest)
    assert read_bytes_per_second(replace(guest, disks=(disk,))) is None

"""I/O of a guest's disk between two readings, in words and in sums of a guest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.base.fixed_width_formatting import bandwidth, count, milliseconds
from zconsole.model.guests.guest import Guest, GuestDiskRates

FEW: Final = 9.95  # operations per second


def rates_in_words(rates: GuestDiskRates) -> str:
    """`read 12/s 1.20 MiB/s 0.8 ms · write 0/s · flush 2.0/s 4.1 ms`: number, bytes, mean time of one."""
    kinds = (
        ("read", rates.reads_per_s, rates.read_bytes_per_s, rates.mean_read_ns),
        ("write", rates.writes_per_s, rates.written_bytes_per_s, rates.mean_write_ns),
        ("flush", rates.flushes_per_s, None, rates.mean_flush_ns),
    )
    return " · ".join(_kind(*each) for each in kinds if each[1] is not None)


def read_bytes_per_second(guest: Guest) -> float | None:
    """Of all disks; None where it is not known of any."""
    return _sum(disk.rates.read_bytes_per_s for disk in guest.disks if disk.rates is not None)


def written_bytes_per_second(guest: Guest) -> float | None:
    """Of all disks; None where it is not known of any."""
    return _sum(disk.rates.written_bytes_per_s for disk in guest.disks if disk.rates is not None)


def _kind(name: str, number: float | None, bytes_per_s: float | None, mean_ns: float | None) -> str:
    amount = f" {bandwidth(bytes_per_s)}" if bytes_per_s else ""
    mean = f" {milliseconds(mean_ns)} ms" if mean_ns is not None else ""
    return f"{name} {_number(number)}/s{amount}{mean}"


def _number(per_s: float | None) -> str:
    """A rate, of a slow disk with a decimal: `0.4`, `12`, `1.2k`."""
    return f"{per_s:.1f}" if per_s is not None and 0 < per_s < FEW else count(per_s)


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None

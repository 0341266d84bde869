"""I/O of each guest's disks between two readings of libvirt's counters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zconsole.model.guests.guest import Guest, GuestDiskCounters, GuestDiskRates, StoredDisk

SHORTEST_S: Final = 1.0  # between readings; an event may cause one right after another


def with_rates(before: Iterable[Guest], guests: Iterable[Guest], seconds: float) -> tuple[Guest, ...]:
    """The guests with the rates since an earlier reading, which was `seconds` before.

    A disk without counters in both, and one of a guest that was started in between, has none. Readings that
    are too close leave the earlier rates.
    """
    earlier = {(each.key, disk.disk.target): disk for each in before for disk in each.disks}

    def rated(guest: Guest, disk: StoredDisk) -> StoredDisk:
        then = earlier.get((guest.key, disk.disk.target))
        if then is None or not guest.status.state.is_active:
            return replace(disk, rates=None)
        if seconds < SHORTEST_S:
            return replace(disk, rates=then.rates)
        return replace(disk, rates=_rates(then.counters, disk.counters, seconds))

    return tuple(replace(guest, disks=tuple(rated(guest, disk) for disk in guest.disks)) for guest in guests)


def _rates(
    then: GuestDiskCounters | None, now: GuestDiskCounters | None, seconds: float
) -> GuestDiskRates | None:
    if then is None or now is None:
        return None
    reads, writes = _grown(then.reads, now.reads), _grown(then.writes, now.writes)
    flushes = _grown(then.flushes, now.flushes)
    if reads is None or writes is None:
        return None
    return GuestDiskRates(
        seconds=seconds,
        reads_per_s=reads / seconds,
        read_bytes_per_s=_per_second(then.read_bytes, now.read_bytes, seconds),
        mean_read_ns=_mean(then.read_ns, now.read_ns, reads),
        writes_per_s=writes / seconds,
        written_bytes_per_s=_per_second(then.written_bytes, now.written_bytes, seconds),
        mean_write_ns=_mean(then.write_ns, now.write_ns, writes),
        flushes_per_s=None if flushes is None else flushes / seconds,
        mean_flush_ns=_mean(then.flush_ns, now.flush_ns, flushes),
    )


def _grown(then: int | None, now: int | None) -> int | None:
    """How much a counter has grown; None for one that is unknown or began again."""
    return None if then is None or now is None or now < then else now - then


def _per_second(then: int | None, now: int | None, seconds: float) -> float | None:
    grown = _grown(then, now)
    return None if grown is None else grown / seconds


def _mean(then_ns: int | None, now_ns: int | None, number: int | None) -> float | None:
    grown = _grown(then_ns, now_ns)
    return None if grown is None or not number else grown / number

"""How many reads and writes of disks ended in each latency bucket, read without making the rows.

Hundreds of disks are looked at twice a second, and of each row two columns are needed, where they are not 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.pools.histograms import HistogramRow
from zconsole.zfs.iostat.histogram_stream import LATENCIES, LazyHistograms

POWERS: Final = 40  # buckets are numbered by the bits of their upper bound; the last holds all beyond 4 min
_BEFORE: Final = LATENCIES.columns.index("disk_read")  # columns between the bound and these two
_BUSY: Final = re.compile(  # a line in which one of the two is not 0
    rb"^(\d{1,20})" + rb"\t\d+" * _BEFORE + rb"\t(?!0\t0\t)(\d{1,20})\t(\d{1,20})", re.MULTILINE
)
_POWER_OF: Final = {b"%d" % ((1 << power) - 1): power for power in range(POWERS)}

Ended = tuple[int, int, int]  # the bucket's number, reads a second, writes a second


def names_of(rows: Sequence[HistogramRow]) -> tuple[str, ...]:
    """What each row is of; the same tuple as long as a stream prints the same rows."""
    return rows.names if isinstance(rows, LazyHistograms) else tuple(row.name for row in rows)


def ended_at_disk(rows: Sequence[HistogramRow], places: Sequence[int]) -> Iterator[list[Ended]]:
    """Of each of the rows at these places, the buckets of the time at the disk in which any I/O ended."""
    if isinstance(rows, LazyHistograms) and rows.kind is LATENCIES:
        for place in places:
            found = _BUSY.findall(rows.body(place))
            yield [(_power(bound), int(reads), int(writes)) for bound, reads, writes in found]
        return
    for place in places:
        yield list(_of_row(rows[place]))


def _power(bound: bytes) -> int:
    power = _POWER_OF.get(bound)
    return min(int(bound).bit_length(), POWERS - 1) if power is None else power


def _of_row(row: HistogramRow) -> Iterator[Ended]:
    reads, writes = row.histograms.get("disk_read"), row.histograms.get("disk_write")
    if reads is None or writes is None:
        return
    for bound, read, written in zip(reads.upper_bounds, reads.counts, writes.counts, strict=True):
        if read or written:
            yield min(bound.bit_length(), POWERS - 1), read, written

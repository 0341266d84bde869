"""Per-bucket numbers of reads and writes at the disk, read without building rows.

Hundreds of disks are evaluated twice a second, and only two columns are needed, where they are not 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.pools.histograms import HistogramRow
from zconsole.zfs.iostat.histogram_stream import LATENCIES, LazyHistograms

POWERS: Final = 40  # buckets are numbered by the bit length of their bound; the last has all above 4 min
_BEFORE: Final = LATENCIES.columns.index("disk_read")  # number of columns between the bound and these two
_BUSY: Final = re.compile(  # a line in which one of the two is not 0
    rb"^(\d{1,20})" + rb"\t\d+" * _BEFORE + rb"\t(?!0\t0\t)(\d{1,20})\t(\d{1,20})", re.MULTILINE
)
_POWER_OF: Final = {b"%d" % ((1 << power) - 1): power for power in range(POWERS)}

Ended = tuple[int, int, int]  # bucket number, reads per second, writes per second


def names_of(rows: Sequence[HistogramRow]) -> tuple[str, ...]:
    """The name of each row; the same tuple object while the rows stay the same."""
    return rows.names if isinstance(rows, LazyHistograms) else tuple(row.name for row in rows)


def ended_at_disk(rows: Sequence[HistogramRow], places: Sequence[int]) -> Iterator[list[Ended]]:
    """For each of these rows, the disk-time buckets in which any I/O ended."""
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

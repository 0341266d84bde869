"""The few numbers of a row that tell how a disk does, read without making the row.

Hundreds of disks are looked at every second, and most of their rows are needed for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zconsole.model.io import IoRow, LazyRows
from zconsole.zfs.iostat_row import DEFAULT_COLUMNS, LATENCY_COLUMNS, LAYOUTS, QUEUE_COLUMNS

_NO_IO: Final = frozenset((b"-", b"-1"))
_FIRST_LATENCY: Final = len(DEFAULT_COLUMNS)
_READS, _WRITES, _READ_BYTES, _WRITE_BYTES = map(
    DEFAULT_COLUMNS.index, ("read_ops", "write_ops", "read_bytes", "write_bytes")
)
_DISK_READ, _DISK_WRITE, _SYNC_WRITE, _ASYNC_WRITE, _SCRUB, _TRIM, _REBUILD = (
    _FIRST_LATENCY + LATENCY_COLUMNS.index(name)
    for name in ("disk_read", "disk_write", "syncq_write", "asyncq_write", "scrub", "trim", "rebuild")
)
_MOST_DIGITS: Final = 15  # of a mean in nanoseconds: no operation takes longer than eleven days
_READING: Final = ("syncq_read_active", "asyncq_read_active", "scrub_active")
_WRITING: Final = ("syncq_write_active", "asyncq_write_active")  # TRIM may take seconds, rightly


class Numbers(NamedTuple):
    """Operations and bytes a second, mean time at the disk in ns (None: no such I/O), and what runs."""

    reads: float
    writes: float
    read_bytes: float
    write_bytes: float
    read_ns: float | None
    write_ns: float | None
    is_sync: bool  # the writes were synchronous, all of them
    scrubs: bool
    trims: bool
    rebuilds: bool
    is_reading: bool  # nothing has ended in the interval, and reads are at the disk at its end
    is_writing: bool  # likewise

    @property
    def has_completed(self) -> bool:
        """Whether any read or write has ended in the interval."""
        return self.read_ns is not None or self.write_ns is not None


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a line of so many fields has what not every version and option prints."""

    has_rebuild: bool
    reading: tuple[int, ...]
    writing: tuple[int, ...]


def _places() -> dict[int, _Places]:
    found: dict[int, _Places] = {}
    for width, layout in LAYOUTS.items():
        if layout.latencies and not layout.is_recorded:
            first = _FIRST_LATENCY + layout.latencies
            active = [
                tuple(first + QUEUE_COLUMNS.index(name) for name in names) if layout.queues else ()
                for names in (_READING, _WRITING)
            ]
            found[width] = _Places(layout.latencies == len(LATENCY_COLUMNS), *active)
    return found


_OF_WIDTH: Final = _places()


def numbers(rows: Sequence[IoRow], places: Sequence[int]) -> list[Numbers | None]:
    """Those of the rows at these places; None for a disk that has neither done anything nor has to.

    Rows without latencies tell nothing of how fast a disk is, and count as such.
    """
    if not isinstance(rows, LazyRows):
        return [_of_row(rows[place]) for place in places]
    lines = rows.lines
    return [_of_line(line) if isinstance(line := lines[place], bytes) else _of_row(line) for place in places]


def queued(row: IoRow) -> int:
    """Operations at a disk or waiting for it, but for TRIM."""
    queues = row.queues
    return (
        queues.syncq_read_pending + queues.syncq_read_active
        + queues.syncq_write_pending + queues.syncq_write_active
        + queues.asyncq_read_pending + queues.asyncq_read_active
        + queues.asyncq_write_pending + queues.asyncq_write_active
        + queues.scrub_pending + queues.scrub_active
        + queues.rebuild_pending + queues.rebuild_active
    )  # fmt: skip


def _of_line(line: bytes) -> Numbers | None:
    fields = line.split(b"\t")
    places = _OF_WIDTH.get(len(fields))
    if places is None:
        return None
    read, written = fields[_DISK_READ], fields[_DISK_WRITE]
    read_ns = None if read in _NO_IO or len(read) > _MOST_DIGITS else float(read)
    write_ns = None if written in _NO_IO or len(written) > _MOST_DIGITS else float(written)
    reading = writing = False
    if read_ns is None and write_ns is None:
        reading = any(fields[at] != b"0" for at in places.reading)
        writing = any(fields[at] != b"0" for at in places.writing)
        if not reading and not writing:
            return None
    return Numbers(
        float(fields[_READS]),
        float(fields[_WRITES]),
        float(fields[_READ_BYTES]),
        float(fields[_WRITE_BYTES]),
        read_ns,
        write_ns,
        write_ns is not None and fields[_SYNC_WRITE] not in _NO_IO and fields[_ASYNC_WRITE] in _NO_IO,
        fields[_SCRUB] not in _NO_IO,
        fields[_TRIM] not in _NO_IO,
        places.has_rebuild and fields[_REBUILD] not in _NO_IO,
        reading,
        writing,
    )


def _of_row(row: IoRow) -> Numbers | None:
    latency, queues = row.latency, row.queues
    read_ns, write_ns = _plausible(latency.disk_read), _plausible(latency.disk_write)
    reading = writing = False
    if read_ns is None and write_ns is None:
        reading = bool(queues.syncq_read_active or queues.asyncq_read_active or queues.scrub_active)
        writing = bool(queues.syncq_write_active or queues.asyncq_write_active)
        if not reading and not writing:
            return None
    return Numbers(
        row.read_ops,
        row.write_ops,
        row.read_bytes,
        row.write_bytes,
        read_ns,
        write_ns,
        write_ns is not None and latency.syncq_write is not None and latency.asyncq_write is None,
        latency.scrub is not None,
        latency.trim is not None,
        latency.rebuild is not None,
        reading,
        writing,
    )


def _plausible(took_ns: float | None) -> float | None:
    return None if took_ns is None or took_ns >= 10.0**_MOST_DIGITS else took_ns

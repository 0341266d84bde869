"""Numbers of rows that show disk performance, read without building rows.

Hundreds of disks are evaluated every second, and most of their rows are used for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import field
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoRow, LazyRows
from zconsole.zfs.iostat.row_parser import DEFAULT_COLUMNS, LATENCY_COLUMNS, LAYOUTS

_NO_IO: Final = frozenset((b"-", b"-1"))
_FIRST_LATENCY: Final = len(DEFAULT_COLUMNS)
_READS, _WRITES, _READ_BYTES, _WRITE_BYTES = map(
    DEFAULT_COLUMNS.index, ("read_ops", "write_ops", "read_bytes", "write_bytes")
)
_DISK_READ, _DISK_WRITE, _SYNC_WRITE, _ASYNC_WRITE, _SCRUB, _TRIM, _REBUILD = (
    _FIRST_LATENCY + LATENCY_COLUMNS.index(name)
    for name in ("disk_read", "disk_write", "syncq_write", "asyncq_write", "scrub", "trim", "rebuild")
)
_NOTHING: Final = IoRow("", None, None, 0.0, 0.0, 0.0, 0.0)
_MOST_DIGITS: Final = 15  # of a mean in nanoseconds: no operation takes longer than eleven days
_READING: Final = ("syncq_read_active", "asyncq_read_active", "scrub_active", "rebuild_active")
_WRITING: Final = (
    "syncq_write_active",
    "asyncq_write_active",
)  # without TRIM, which may legitimately take seconds


@dataclass(slots=True)
class Work:
    """Work of some disks in an interval, as columns; disks are numbered in the requested order."""

    reads: list[float]  # operations per second
    writes: list[float]
    read_bytes: list[float]  # per second
    write_bytes: list[float]
    read_ns: list[float | None]  # mean time at the disk; None without operations
    write_ns: list[float | None]
    scrubbing: set[int]
    trimming: set[int]
    rebuilding: set[int]
    idle: set[int]  # no operations completed or pending; these disks are in no other set
    reading: set[int]  # completed nothing in the interval, with reads pending at its end
    writing: set[int]  # likewise, with writes
    _sync_waits: list[bytes] = field(repr=False, compare=False)
    _async_waits: list[bytes] = field(repr=False, compare=False)
    has_queues: bool = True  # whether queues were read
    holding_trim: Set[int] = frozenset()  # with a TRIM at the end of the interval, and none completed in it

    def has_completed(self, disk: int) -> bool:
        """Whether any read or write of the disk completed in the interval."""
        return self.read_ns[disk] is not None or self.write_ns[disk] is not None

    def is_sync(self, disk: int) -> bool:
        """Whether all writes of the disk were synchronous."""
        return (
            self.write_ns[disk] is not None
            and self._sync_waits[disk] not in _NO_IO
            and self._async_waits[disk] in _NO_IO
        )


@dataclass(frozen=True, slots=True)
class _Places:
    """Column positions of optional fields for lines with this number of fields."""

    has_rebuild: bool
    reading: tuple[int, ...]
    writing: tuple[int, ...]
    trimming: int | None  # TRIMs at the disk


def _places() -> dict[int, _Places]:
    found: dict[int, _Places] = {}
    for width, layout in LAYOUTS.items():
        if layout.latencies:
            first = _FIRST_LATENCY + len(layout.latencies)
            active = [
                tuple(first + layout.queues.index(name) for name in names if name in layout.queues)
                for names in (_READING, _WRITING)
            ]
            trims = first + layout.queues.index("trim_active") if layout.queues else None
            found[width] = _Places(layout.latencies == LATENCY_COLUMNS, active[0], active[1], trims)
    return found


_OF_WIDTH: Final = _places()


def work(rows: Sequence[IoRow], places: Sequence[int]) -> Work:
    """Work of the disks in these rows; without latency columns all count as idle."""
    if not isinstance(rows, LazyRows):
        return _of_rows([rows[place] for place in places])
    lines = rows.lines
    chosen = [line for place in places if isinstance(line := lines[place], bytes)]
    if len(chosen) < len(places):
        return _of_rows([rows[place] for place in places])
    return _of_lines(chosen)


def queued(row: IoRow) -> int:
    """Operations pending or active at a disk, TRIM excluded."""
    queues = row.queues
    return (
        queues.syncq_read_pending + queues.syncq_read_active
        + queues.syncq_write_pending + queues.syncq_write_active
        + queues.asyncq_read_pending + queues.asyncq_read_active
        + queues.asyncq_write_pending + queues.asyncq_write_active
        + queues.scrub_pending + queues.scrub_active
        + queues.rebuild_pending + queues.rebuild_active
    )  # fmt: skip


def _of_lines(lines: Sequence[bytes]) -> Work:
    """All lines of a sample have equally many fields: one split, and each column is a slice."""
    fields = b"\t".join(lines).split(b"\t")
    width = len(fields) // max(1, len(lines))
    places = _OF_WIDTH.get(width)
    if places is None:
        return _of_rows([_NOTHING] * len(lines))
    read_ns, write_ns = _waits(fields[_DISK_READ::width]), _waits(fields[_DISK_WRITE::width])
    silent = _silent(read_ns, write_ns)
    reading, writing = (
        {disk for disk in silent if any(fields[disk * width + column] != b"0" for column in columns)}
        for columns in (places.reading, places.writing)
    )
    idle = silent - reading - writing
    trims = [b"0"] if places.trimming is None else fields[places.trimming :: width]
    return Work(
        list(map(float, fields[_READS::width])),
        list(map(float, fields[_WRITES::width])),
        list(map(float, fields[_READ_BYTES::width])),
        list(map(float, fields[_WRITE_BYTES::width])),
        read_ns,
        write_ns,
        _marked(fields[_SCRUB::width], idle),
        _marked(fields[_TRIM::width], idle),
        _marked(fields[_REBUILD::width], idle) if places.has_rebuild else set(),
        idle,
        reading,
        writing,
        fields[_SYNC_WRITE::width],
        fields[_ASYNC_WRITE::width],
        bool(places.reading),
        _held(trims, fields[_TRIM::width]),
    )


def _of_rows(rows: Sequence[IoRow]) -> Work:
    latencies, queues = [row.latency for row in rows], [row.queues for row in rows]
    read_ns = [_plausible(each.disk_read) for each in latencies]
    write_ns = [_plausible(each.disk_write) for each in latencies]
    silent = _silent(read_ns, write_ns)
    reading = {disk for disk in silent if any(getattr(queues[disk], name) for name in _READING)}
    writing = {disk for disk in silent if any(getattr(queues[disk], name) for name in _WRITING)}
    idle = silent - reading - writing
    return Work(
        [row.read_ops for row in rows],
        [row.write_ops for row in rows],
        [row.read_bytes for row in rows],
        [row.write_bytes for row in rows],
        read_ns,
        write_ns,
        _marked([_mark(each.scrub) for each in latencies], idle),
        _marked([_mark(each.trim) for each in latencies], idle),
        _marked([_mark(each.rebuild) for each in latencies], idle),
        idle,
        reading,
        writing,
        [_mark(each.syncq_write) for each in latencies],
        [_mark(each.asyncq_write) for each in latencies],
        holding_trim=_held(
            [b"%d" % each.trim_active for each in queues], [_mark(each.trim) for each in latencies]
        ),
    )


def _waits(column: Sequence[bytes]) -> list[float | None]:
    return [None if wait in _NO_IO or len(wait) > _MOST_DIGITS else float(wait) for wait in column]


def _silent(read_ns: Sequence[float | None], write_ns: Sequence[float | None]) -> set[int]:
    """Disks of which nothing completed."""
    if None not in read_ns or None not in write_ns:
        return set()
    both = zip(read_ns, write_ns, strict=True)
    return {disk for disk, (read, written) in enumerate(both) if read is None and written is None}


def _held(active: Sequence[bytes], waits: Sequence[bytes]) -> Set[int]:
    """Disks with operations that completed none."""
    if all(each == b"0" for each in active):
        return frozenset()
    both = zip(active, waits, strict=True)
    return {disk for disk, (at_it, wait) in enumerate(both) if at_it != b"0" and wait in _NO_IO}


def _marked(waits: Sequence[bytes], idle: Set[int]) -> set[int]:
    """Disks that waited for something, without the idle ones."""
    if _NO_IO.issuperset(waits):
        return set()
    return {disk for disk, wait in enumerate(waits) if wait not in _NO_IO} - idle


def _mark(wait_ns: float | None) -> bytes:
    return b"-" if wait_ns is None else b"0"


def _plausible(took_ns: float | None) -> float | None:
    return None if took_ns is None or took_ns >= 10.0**_MOST_DIGITS else took_ns

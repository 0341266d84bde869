"""Live I/O of a pool's vdevs, one sample an interval; bytes a second, operations a second, nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass

Number = float | None


@dataclass(frozen=True, slots=True)
class Latency:
    """Mean waits in nanoseconds; `None` is "no I/O in the interval"."""

    total_read: Number = None
    total_write: Number = None
    disk_read: Number = None
    disk_write: Number = None
    syncq_read: Number = None
    syncq_write: Number = None
    asyncq_read: Number = None
    asyncq_write: Number = None
    scrub: Number = None
    trim: Number = None
    rebuild: Number = None


@dataclass(frozen=True, slots=True)
class Queues:
    """Operations in each I/O queue, pending (waiting) and active (at the disk)."""

    syncq_read_pending: int = 0
    syncq_read_active: int = 0
    syncq_write_pending: int = 0
    syncq_write_active: int = 0
    asyncq_read_pending: int = 0
    asyncq_read_active: int = 0
    asyncq_write_pending: int = 0
    asyncq_write_active: int = 0
    scrub_pending: int = 0
    scrub_active: int = 0
    trim_pending: int = 0
    trim_active: int = 0
    rebuild_pending: int = 0
    rebuild_active: int = 0


@dataclass(frozen=True, slots=True)
class IoRow:
    """One vdev's line of `zpool iostat`."""

    name: str
    allocated_bytes: int | None
    free_bytes: int | None
    read_ops: float
    write_ops: float
    read_bytes: float
    write_bytes: float
    latency: Latency = Latency()
    queues: Queues = Queues()


@dataclass(frozen=True, slots=True)
class IoSample:
    """One pool, one interval: rows in the order that `zpool iostat -v` prints, the pool's own first.

    `busy` maps a row's index to the part of the interval (0..1) in which its disk had work.
    """

    pool: str
    at: float  # epoch seconds, of the host's clock where the stream carries it
    rows: tuple[IoRow, ...]
    busy: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Histogram:
    """Operations a bucket: `counts[i]` took at most `upper_bounds[i]` (ns, or bytes for sizes)."""

    upper_bounds: tuple[int, ...]
    counts: tuple[int, ...]

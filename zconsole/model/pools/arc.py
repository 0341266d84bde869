"""The kernel's ZFS between programs and disks: cache, write throttle, intent log, transaction groups.

Rates are a second. A counter that a version does not have is None.
"""

from __future__ import annotations

from dataclasses import dataclass

Rate = float | None


@dataclass(frozen=True, slots=True)
class Hits:
    """Lookups of one kind in an interval, a second; `io_hits` found a read of the same block under way."""

    hits: float
    misses: float
    io_hits: float = 0.0  # 0 before 2.2, which counts them as hits

    @property
    def ratio(self) -> float | None:
        """The part (0..1) that needed no read of its own; None when nothing was looked up."""
        found = self.hits + self.io_hits
        return found / (found + self.misses) if found + self.misses else None


@dataclass(frozen=True, slots=True)
class L2Arc:
    """The second level, on cache devices; rates a second."""

    size_bytes: int  # before compression
    stored_bytes: int  # on the devices
    header_bytes: int  # in memory, to know what is there
    lookups: Hits
    read_bytes: float
    write_bytes: float
    errors: int  # since the module was loaded: bad checksums, I/O errors and failed writes


@dataclass(frozen=True, slots=True)
class ArcSample:
    """The adaptive replacement cache at a moment, and since the reading before; rates a second."""

    at: float  # epoch seconds
    interval_s: float | None  # None for the first reading: its rates are means since the module was loaded
    size_bytes: int
    target_bytes: int
    min_bytes: int
    max_bytes: int
    data_bytes: int
    metadata_bytes: int
    header_bytes: int
    dnode_bytes: int
    dbuf_bytes: int
    mru_bytes: int
    mfu_bytes: int
    compressed_bytes: int
    uncompressed_bytes: int
    total: Hits
    demand_data: Hits
    demand_metadata: Hits
    prefetch_data: Hits
    prefetch_metadata: Hits
    mru_hits: float
    mfu_hits: float
    mru_ghost_hits: float  # would have been hits, had the MRU list been longer
    mfu_ghost_hits: float
    evicted: float  # buffers
    memory_bytes: int | None  # of the host
    memory_free_bytes: int | None
    memory_available_bytes: int | None  # to the cache; below 0 it shrinks
    throttled: float  # times that memory was short and writes were held up
    may_grow: bool
    l2: L2Arc | None = None  # None without cache devices
    at_ns: int | None = None  # the same moment on the host's clock since boot, on which groups are born


@dataclass(frozen=True, slots=True)
class ThrottleSample:
    """How writes are held up for dirty data on their way to disk; all pools of the host; a second."""

    at: float
    interval_s: float | None  # None for the first reading: means since the module was loaded
    assigned: float  # transactions that were let in
    dirty_delay: float  # were delayed, since more than 60 % of zfs_dirty_data_max was dirty
    dirty_throttle: float  # had to wait, since much of the cache was dirty
    dirty_over_max: float  # had to wait, since all of it was
    memory: float  # had to wait for memory
    suspended: float
    frees_delay: float  # deletes that had to wait
    log_delay: Rate = (
        None  # delayed by how much the intent log holds; None where the version does not count it
    )
    quota: float = 0.0
    dirty_max_bytes: int | None = None  # zfs_dirty_data_max


@dataclass(frozen=True, slots=True)
class ZilSample:
    """The intent log, which synchronous writes wait for; all pools of the host; a second."""

    at: float
    interval_s: float | None  # None for the first reading: means since the module was loaded
    commits: float
    writers: float  # commits that wrote the log themselves; the others waited for one of these
    records: float
    indirect_bytes: float  # written to their final place at once
    copied_bytes: float
    needcopy_bytes: float
    normal_bytes: float  # of log blocks on data vdevs
    slog_bytes: float  # of log blocks on log devices
    errors: Rate = None  # commits that failed or stalled, and so waited for a whole transaction group; 2.4


@dataclass(frozen=True, slots=True)
class Txg:
    """One transaction group; times in nanoseconds, 0 for what has not begun."""

    number: int
    birth_ns: int  # on the host's clock since boot
    state: str  # ZFS's letter: O open, Q quiescing, W waiting for sync, S syncing, C committed
    dirty_bytes: int
    read_bytes: int
    written_bytes: int
    reads: int
    writes: int
    open_ns: int
    quiesce_ns: int
    wait_ns: int
    sync_ns: int

    @property
    def ended_ns(self) -> int:
        """When it was on disk, on that clock, if its times are all known."""
        return self.birth_ns + self.open_ns + self.quiesce_ns + self.wait_ns + self.sync_ns

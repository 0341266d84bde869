"""Kernel counters between programs and disks: ARC, write throttle, intent log, transaction groups.

Rates are per second. A counter that a version lacks is None.
"""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass

Rate = float | None


@dataclass(frozen=True, slots=True)
class Hits:
    """Lookups of one kind per second; `io_hits` found a read of the same block in progress."""

    hits: float
    misses: float
    io_hits: float = 0.0  # 0 before 2.2, which counts these as hits

    @property
    def ratio(self) -> float | None:
        """The fraction (0..1) that needed no read; None without lookups."""
        found = self.hits + self.io_hits
        return found / (found + self.misses) if found + self.misses else None


@dataclass(frozen=True, slots=True)
class L2Arc:
    """L2ARC on cache devices; rates per second."""

    size_bytes: int  # before compression
    stored_bytes: int  # on the devices
    header_bytes: int  # in memory, for the index
    lookups: Hits
    read_bytes: float
    write_bytes: float
    errors: int  # since the module was loaded: bad checksums, I/O errors and failed writes


@dataclass(frozen=True, slots=True)
class ArcSample:
    """ARC at one time and since the previous reading; rates per second."""

    at: float  # epoch seconds
    interval_s: float | None  # None for the first reading, whose rates are means since the module was loaded
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
    mru_ghost_hits: float  # misses that a longer MRU list would have made hits
    mfu_ghost_hits: float
    evicted: float  # buffers per second
    memory_bytes: int | None  # memory of the host
    memory_free_bytes: int | None
    memory_available_bytes: int | None  # available to the ARC; below 0 it shrinks
    throttled: float  # writes delayed because memory was short
    may_grow: bool
    l2: L2Arc | None = None  # None without cache devices
    at_ns: int | None = None  # the same time on the host's clock since boot, as in txg birth times


@dataclass(frozen=True, slots=True)
class ThrottleSample:
    """Write throttle: delays of writes because of dirty data; all pools of the host; per second."""

    at: float
    interval_s: float | None  # None for the first reading: means since the module was loaded
    assigned: float  # transactions assigned to a txg
    dirty_delay: float  # delayed, because more than 60 % of zfs_dirty_data_max was dirty
    dirty_throttle: float  # waited, because much of the ARC was dirty
    dirty_over_max: float  # waited, because zfs_dirty_data_max was reached
    memory: float  # waited for memory
    suspended: float
    frees_delay: float  # delayed deletes
    log_delay: Rate = None  # delayed by the size of the intent log; None when the version does not count it
    quota: float = 0.0
    dirty_max_bytes: int | None = None  # zfs_dirty_data_max


@dataclass(frozen=True, slots=True)
class ZilSample:
    """Intent log (ZIL), which synchronous writes wait for; all pools of the host; per second."""

    at: float
    interval_s: float | None  # None for the first reading: means since the module was loaded
    commits: float
    writers: float  # commits that wrote the log themselves; the others waited for one of these
    records: float
    indirect_bytes: float  # bytes written directly to their final location
    copied_bytes: float
    needcopy_bytes: float
    normal_bytes: float  # log blocks on data vdevs
    slog_bytes: float  # log blocks on log devices
    errors: Rate = None  # commits that failed or stalled and waited for a full transaction group; 2.4


@dataclass(frozen=True, slots=True)
class Txg:
    """One transaction group; times in nanoseconds, 0 for a phase that has not begun."""

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
        """The time at which it was on disk, on that clock, if all its times are known."""
        return self.birth_ns + self.open_ns + self.quiesce_ns + self.wait_ns + self.sync_ns

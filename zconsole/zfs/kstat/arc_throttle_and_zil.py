"""ARC, write throttle and intent log of a host's ZFS, from two readings of their kstats.

All three count for the module, that is for all pools together.
"""

from __future__ import annotations

from typing import Final

from zconsole.model.pools.kernel_counters import ArcSample, Hits, L2Arc, ThrottleSample, ZilSample
from zconsole.zfs.kstat.pool_state_and_kstat_parser import POOLS_DIR, Kstat

ARCSTATS: Final = f"{POOLS_DIR}/arcstats"
DMU_TX: Final = f"{POOLS_DIR}/dmu_tx"
ZIL: Final = f"{POOLS_DIR}/zil"
DIRTY_MAX: Final = "/sys/module/zfs/parameters/zfs_dirty_data_max"
_NS: Final = 1e9


def arc_sample(now: Kstat, before: Kstat | None, at: float) -> ArcSample:
    """The ARC at `at` (epoch s); without a previous reading rates are means since the module was loaded."""
    since = _Since(now, before)
    size = now.count("size") or 0
    return ArcSample(
        at=at,
        interval_s=since.interval_s,
        size_bytes=size,
        target_bytes=now.count("c") or 0,
        min_bytes=now.count("c_min") or 0,
        max_bytes=now.count("c_max") or 0,
        data_bytes=now.count("data_size") or 0,
        metadata_bytes=now.count("metadata_size") or 0,
        header_bytes=now.count("hdr_size") or 0,
        dnode_bytes=now.count("dnode_size") or 0,
        dbuf_bytes=now.count("dbuf_size") or 0,
        mru_bytes=now.count("mru_size") or 0,
        mfu_bytes=now.count("mfu_size") or 0,
        compressed_bytes=now.count("compressed_size") or 0,
        uncompressed_bytes=now.count("uncompressed_size") or 0,
        total=since.hits(""),
        demand_data=since.hits("demand_data_"),
        demand_metadata=since.hits("demand_metadata_"),
        prefetch_data=since.hits("prefetch_data_"),
        prefetch_metadata=since.hits("prefetch_metadata_"),
        mru_hits=since.rate("mru_hits"),
        mfu_hits=since.rate("mfu_hits"),
        mru_ghost_hits=since.rate("mru_ghost_hits"),
        mfu_ghost_hits=since.rate("mfu_ghost_hits"),
        evicted=since.rate("deleted"),
        memory_bytes=now.count("memory_all_bytes"),
        memory_free_bytes=now.count("memory_free_bytes"),
        memory_available_bytes=now.count("memory_available_bytes"),
        throttled=since.rate("memory_throttle_count"),
        may_grow=not now.count("arc_no_grow"),
        l2=_l2(now, since),
        at_ns=now.at_ns,
    )


def throttle_sample(
    now: Kstat, before: Kstat | None, at: float, dirty_max_bytes: int | None
) -> ThrottleSample:
    """Delays of writes."""
    since = _Since(now, before)
    return ThrottleSample(
        at=at,
        interval_s=since.interval_s,
        assigned=since.rate("dmu_tx_assigned"),
        dirty_delay=since.rate("dmu_tx_dirty_delay"),
        dirty_throttle=since.rate("dmu_tx_dirty_throttle"),
        dirty_over_max=since.rate("dmu_tx_dirty_over_max"),
        memory=since.rate("dmu_tx_memory_reserve") + since.rate("dmu_tx_memory_reclaim"),
        suspended=since.rate("dmu_tx_suspended"),
        frees_delay=since.rate("dmu_tx_dirty_frees_delay"),
        log_delay=since.known("dmu_tx_wrlog_delay"),
        quota=since.rate("dmu_tx_quota"),
        dirty_max_bytes=dirty_max_bytes,
    )


def zil_sample(now: Kstat, before: Kstat | None, at: float) -> ZilSample:
    """Work of the intent logs."""
    since = _Since(now, before)
    failed = [since.known(f"zil_commit_{kind}_count") for kind in ("error", "stall", "suspend", "crash")]
    known = [rate for rate in failed if rate is not None]
    return ZilSample(
        at=at,
        interval_s=since.interval_s,
        commits=since.rate("zil_commit_count"),
        writers=since.rate("zil_commit_writer_count"),
        records=since.rate("zil_itx_count"),
        indirect_bytes=since.rate("zil_itx_indirect_bytes"),
        copied_bytes=since.rate("zil_itx_copied_bytes"),
        needcopy_bytes=since.rate("zil_itx_needcopy_bytes"),
        normal_bytes=since.rate("zil_itx_metaslab_normal_bytes"),
        slog_bytes=since.rate("zil_itx_metaslab_slog_bytes"),
        errors=sum(known) if known else None,
    )


class _Since:
    """Rates between two readings of a kstat; if the module was reloaded, since then."""

    def __init__(self, now: Kstat, before: Kstat | None) -> None:
        if before is not None and (before.created_ns != now.created_ns or before.at_ns >= now.at_ns):
            before = None
        self._now = now
        self._before = before
        began = now.created_ns if before is None else before.at_ns
        self._seconds = max(now.at_ns - began, 1) / _NS
        self.interval_s = None if before is None else self._seconds

    def known(self, name: str) -> float | None:
        """Rate per second; None when this version lacks the counter."""
        now = self._now.count(name)
        if now is None:
            return None
        before = 0 if self._before is None else self._before.count(name) or 0
        return max(0, now - before) / self._seconds

    def rate(self, name: str) -> float:
        """Rate per second; 0 when this version lacks the counter."""
        return self.known(name) or 0.0

    def hits(self, kind: str) -> Hits:
        """Lookups of one kind."""
        return Hits(self.rate(f"{kind}hits"), self.rate(f"{kind}misses"), self.rate(f"{kind}iohits"))


def _l2(now: Kstat, since: _Since) -> L2Arc | None:
    """L2ARC; present when a device is, which only newer versions count, or when it holds data."""
    if not any(now.count(name) for name in ("l2_ndev", "l2_size", "l2_asize")):
        return None
    return L2Arc(
        size_bytes=now.count("l2_size") or 0,
        stored_bytes=now.count("l2_asize") or 0,
        header_bytes=now.count("l2_hdr_size") or 0,
        lookups=Hits(since.rate("l2_hits"), since.rate("l2_misses")),
        read_bytes=since.rate("l2_read_bytes"),
        write_bytes=since.rate("l2_write_bytes"),
        errors=sum(now.count(name) or 0 for name in ("l2_cksum_bad", "l2_io_error", "l2_writes_error")),
    )

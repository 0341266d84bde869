"""/proc/spl/kstat/zfs/arcstats: the counters of the ARC."""

from __future__ import annotations

from typing import Final

from zconsole.practice.system.kstat_format import head, rows
from zconsole.practice.world.host_world import World

_NAMES: Final = """
hits iohits misses demand_data_hits demand_data_iohits demand_data_misses demand_metadata_hits
demand_metadata_iohits demand_metadata_misses prefetch_data_hits prefetch_data_iohits prefetch_data_misses
prefetch_metadata_hits prefetch_metadata_iohits prefetch_metadata_misses mru_hits mru_ghost_hits mfu_hits
mfu_ghost_hits uncached_hits deleted mutex_miss access_skip evict_skip evict_not_enough evict_l2_cached
evict_l2_eligible evict_l2_eligible_mfu evict_l2_eligible_mru evict_l2_ineligible evict_l2_skip hash_elements
hash_elements_max hash_collisions hash_chains hash_chain_max meta pd pm c c_min c_max size compressed_size
uncompressed_size overhead_size hdr_size data_size metadata_size dbuf_size dnode_size bonus_size anon_size
anon_data anon_metadata anon_evictable_data anon_evictable_metadata mru_size mru_data mru_metadata
mru_evictable_data mru_evictable_metadata mru_ghost_size mru_ghost_data mru_ghost_metadata
mru_ghost_evictable_data mru_ghost_evictable_metadata mfu_size mfu_data mfu_metadata mfu_evictable_data
mfu_evictable_metadata mfu_ghost_size mfu_ghost_data mfu_ghost_metadata mfu_ghost_evictable_data
mfu_ghost_evictable_metadata uncached_size uncached_data uncached_metadata uncached_evictable_data
uncached_evictable_metadata l2_ndev l2_hits l2_misses l2_prefetch_asize l2_mru_asize l2_mfu_asize
l2_bufc_data_asize l2_bufc_metadata_asize l2_feeds l2_rw_clash l2_read_bytes l2_write_bytes l2_writes_sent
l2_writes_done l2_writes_error l2_writes_lock_retry l2_evict_lock_retry l2_evict_reading l2_evict_l1cached
l2_free_on_write l2_abort_lowmem l2_cksum_bad l2_io_error l2_size l2_asize l2_hdr_size l2_log_blk_writes
l2_log_blk_avg_asize l2_log_blk_asize l2_log_blk_count l2_data_to_meta_ratio l2_rebuild_success
l2_rebuild_unsupported l2_rebuild_io_errors l2_rebuild_dh_errors l2_rebuild_cksum_lb_errors l2_rebuild_lowmem
l2_rebuild_size l2_rebuild_asize l2_rebuild_bufs l2_rebuild_bufs_precached l2_rebuild_log_blks
memory_throttle_count memory_direct_count memory_indirect_count memory_all_bytes memory_free_bytes
memory_available_bytes arc_no_grow arc_tempreserve arc_loaned_bytes arc_prune arc_meta_used arc_dnode_limit
async_upgrade_sync predictive_prefetch demand_hit_predictive_prefetch demand_iohit_predictive_prefetch
prescient_prefetch demand_hit_prescient_prefetch demand_iohit_prescient_prefetch arc_need_free arc_sys_free
arc_raw_size cached_only_in_progress abd_chunk_waste_size
""".split()  # noqa: SIM905
_SIGNED: Final = frozenset({"memory_available_bytes"})
_MEMORY: Final = 256 << 30
_TARGET: Final = 120 << 30
_HITS_PER_MISS: Final = 17.0
_LEAST_LIMIT: Final = 64 << 20  # MIN_ARC_MAX: a smaller `zfs_arc_max` is ignored


def arcstats(world: World) -> str:
    """The whole file."""
    misses = int(sum(pool.logical_reads for pool in world.pools.values()))
    hits = int(misses * _HITS_PER_MISS)
    caches = [cache for pool in world.pools.values() for cache in pool.caches]
    l2_hits = sum(cache.meter.reads for cache in caches)
    l2_size = sum(cache.allocated for cache in caches)
    size = int(_TARGET * 0.991)
    free = _MEMORY - size - (44 << 30)
    values = {
        "hits": hits,
        "misses": misses,
        "demand_data_hits": int(hits * 0.61),
        "demand_data_misses": int(misses * 0.7),
        "demand_metadata_hits": int(hits * 0.38),
        "demand_metadata_misses": int(misses * 0.2),
        "prefetch_data_hits": int(hits * 0.01),
        "prefetch_data_misses": int(misses * 0.1),
        "mru_hits": int(hits * 0.18),
        "mru_ghost_hits": int(misses * 0.05),
        "mfu_hits": int(hits * 0.82),
        "mfu_ghost_hits": int(misses * 0.08),
        "hash_elements": 5_120_331,
        "hash_elements_max": 5_402_118,
        "meta": 1 << 30,
        "pd": 1 << 31,
        "pm": 1 << 31,
        "c": min(_TARGET, most(world)),
        "c_min": _MEMORY // 32,
        "c_max": most(world),
        "size": size,
        "compressed_size": int(size * 0.9),
        "uncompressed_size": int(size * 1.4),
        "overhead_size": int(size * 0.04),
        "hdr_size": int(size * 0.008),
        "data_size": int(size * 0.85),
        "metadata_size": int(size * 0.1),
        "mru_size": int(size * 0.3),
        "mfu_size": int(size * 0.66),
        "l2_ndev": len(caches),
        "l2_hits": l2_hits,
        "l2_misses": max(0, misses - l2_hits) if caches else 0,
        "l2_size": int(l2_size * 1.3),
        "l2_asize": l2_size,
        "memory_all_bytes": _MEMORY,
        "memory_free_bytes": free,
        "memory_available_bytes": free - (8 << 30),
        "arc_meta_used": int(size * 0.15),
        "arc_dnode_limit": _TARGET // 10,
        "arc_sys_free": _MEMORY // 32,
    }
    return head(world, 19, len(_NAMES)) + rows(_NAMES, values, _SIGNED)


def most(world: World) -> int:
    """Bytes that the ARC may take: `zfs_arc_max` as arc_init takes it, or half of the memory."""
    asked = world.parameters.get("zfs_arc_max", 0)
    return asked if _LEAST_LIMIT <= asked < _MEMORY else _MEMORY // 2

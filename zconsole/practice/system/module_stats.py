"""Kstats and parameters of the ZFS module: write throttle, intent log, /sys/module/zfs/parameters."""

from __future__ import annotations

from typing import Final

from zconsole.practice.nicenum_and_times import words
from zconsole.practice.system.kstat_format import head, rows
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool

PARAMETERS: Final = "/sys/module/zfs/parameters/"
_DMU_TX: Final = words("""
        dmu_tx_assigned dmu_tx_delay dmu_tx_error dmu_tx_suspended dmu_tx_group dmu_tx_memory_reserve
        dmu_tx_memory_reclaim dmu_tx_dirty_throttle dmu_tx_dirty_delay dmu_tx_dirty_over_max
        dmu_tx_dirty_frees_delay dmu_tx_wrlog_delay dmu_tx_quota
    """)
ZIL: Final = words("""
        zil_commit_count zil_commit_writer_count zil_commit_error_count zil_commit_stall_count
        zil_commit_suspend_count zil_commit_crash_count zil_itx_count zil_itx_indirect_count
        zil_itx_indirect_bytes zil_itx_copied_count zil_itx_copied_bytes zil_itx_needcopy_count
        zil_itx_needcopy_bytes zil_itx_metaslab_normal_count zil_itx_metaslab_normal_bytes
        zil_itx_metaslab_normal_write zil_itx_metaslab_normal_alloc zil_itx_metaslab_slog_count
        zil_itx_metaslab_slog_bytes zil_itx_metaslab_slog_write zil_itx_metaslab_slog_alloc
    """)
_DELAYED: Final = 0.004  # of all transactions
_MERGED: Final = 0.6  # of commits; they wait for one that writes
_MIDDLE_NS: Final = 1 << 25  # of the waits for a transaction group
_ASSIGN_BUCKETS: Final = 28
_BLOCK: Final = 4096


def dmu_tx(world: World) -> str:
    """/proc/spl/kstat/zfs/dmu_tx."""
    assigned = int(sum(pool.logical_writes for pool in world.pools.values()))
    values = {"dmu_tx_assigned": assigned, "dmu_tx_dirty_delay": int(assigned * _DELAYED)}
    return head(world, 9, len(_DMU_TX)) + rows(_DMU_TX, values)


def zil(world: World) -> str:
    """/proc/spl/kstat/zfs/zil."""
    totals = dict.fromkeys(ZIL, 0)
    for pool in world.pools.values():
        for name, value in zil_counts(pool, 1.0).items():
            totals[name] += value
    return head(world, 13, len(ZIL)) + rows(ZIL, totals)


def zil_counts(pool: PracticePool, share: float) -> dict[str, int]:
    """Counters of the intent log for a share of a pool's writes."""
    load = pool.load
    if load is None or not load.sync_writes:
        return {}
    commits = int(pool.logical_writes * load.sync_writes / (load.writes + load.sync_writes) * share)
    size = commits * load.sync_bytes
    where = "slog" if pool.tops("log") else "normal"
    return {
        "zil_commit_count": commits,
        "zil_commit_writer_count": int(commits * _MERGED),
        "zil_itx_count": commits,
        "zil_itx_needcopy_count": commits,
        "zil_itx_needcopy_bytes": size,
        f"zil_itx_metaslab_{where}_count": commits,
        f"zil_itx_metaslab_{where}_bytes": size,
        f"zil_itx_metaslab_{where}_write": size + commits * _BLOCK,
        f"zil_itx_metaslab_{where}_alloc": size + commits * _BLOCK,
    }


def dmu_tx_assign(world: World, pool: PracticePool) -> str:
    """/proc/spl/kstat/zfs/POOL/dmu_tx_assign: waits of transactions; nothing where none has waited."""
    waits = int(pool.logical_writes * _DELAYED)
    if not waits:
        return ""
    counts = {
        f"{1 << power} ns": waits >> abs(power - _MIDDLE_NS.bit_length() + 1) + 1
        for power in range(_ASSIGN_BUCKETS)
    }
    return head(world, 28, len(counts)) + rows(counts, counts)


def parameter(world: World, path: str) -> str:
    """A parameter of the module; raises FileNotFoundError."""
    try:
        return f"{world.parameters[path.removeprefix(PARAMETERS)]}\n"
    except KeyError:
        raise FileNotFoundError(path) from None

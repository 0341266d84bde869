"""Module parameters whose change has consequences: default by release, and what the parameter does.

Sources: zfs(4) of 2.1.11, 2.2.7, 2.3.4 and 2.4.4, where all of these have one default. Those that depend on
memory or processors, or that an installation sets as a matter of course, are not here.
"""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ParameterDefault:
    """Default of one parameter, and in words what another value does."""

    name: str
    default: str
    changed: str
    risks_data: bool = False  # another value may lose data, or leave damage unseen


PARAMETERS: Final = (
    ParameterDefault(
        "zfs_nocacheflush",
        "0",
        "disks are never told to flush: with volatile caches a power failure may lose the pool",
        risks_data=True,
    ),
    ParameterDefault(
        "zil_nocacheflush",
        "0",
        "with volatile caches synchronous writes may be lost with the power",
        risks_data=True,
    ),
    ParameterDefault(
        "zil_replay_disable",
        "0",
        "synchronous writes before a crash are not replayed, but lost",
        risks_data=True,
    ),
    ParameterDefault(
        "zfs_recover", "0", "some fatal errors are passed over, for a rescue only", risks_data=True
    ),
    ParameterDefault(
        "zfs_max_missing_tvds", "0", "a pool may be imported read-only without some of its vdevs"
    ),
    ParameterDefault(
        "zfs_no_scrub_io", "0", "a scrub does not read the data it should verify", risks_data=True
    ),
    ParameterDefault("zfs_no_scrub_prefetch", "0", "a scrub prefetches nothing and takes longer"),
    ParameterDefault("zfs_scan_legacy", "0", "scrubs and resilvers read in random order and take far longer"),
    ParameterDefault(
        "zfs_scan_ignore_errors", "0", "a resilver with errors counts as complete", risks_data=True
    ),
    ParameterDefault(
        "zfs_removal_ignore_errors", "0", "a removal goes on over data that it cannot read", risks_data=True
    ),
    ParameterDefault("zfs_resilver_disable_defer", "0", "a new resilver restarts the one that runs"),
    ParameterDefault(
        "zfs_rebuild_scrub_enabled", "1", "a sequential resilver is not verified by a scrub", risks_data=True
    ),
    ParameterDefault(
        "spa_load_verify_data", "1", "an import after a rewind does not verify data", risks_data=True
    ),
    ParameterDefault("zfs_deadman_enabled", "1", "I/O that never ends is not reported"),
    ParameterDefault("zfs_deadman_failmode", "wait", "I/O that hangs is sent again, or panics the host"),
    ParameterDefault("zio_slow_io_ms", "30000", "slow I/Os are counted from another duration on"),
    ParameterDefault(
        "zfs_txg_timeout", "5", "data waits longer or shorter for its disks, and is lost in a crash"
    ),
    ParameterDefault("zfs_prefetch_disable", "0", "sequential reads are not read ahead"),
    ParameterDefault("zfs_abd_scatter_enabled", "1", "the ARC needs memory in one piece, and fragments it"),
    ParameterDefault("l2arc_rebuild_enabled", "1", "the L2ARC is empty after each import"),
    ParameterDefault(
        "spa_slop_shift", "5", "less or more of each pool is kept back for frees when it is full"
    ),
    ParameterDefault(
        "zfs_special_class_metadata_reserve_pct",
        "25",
        "small blocks leave more or less of special to metadata",
    ),
    ParameterDefault("metaslab_lba_weighting_enabled", "1", "hard disks are not filled from their fast side"),
    ParameterDefault(
        "zfs_disable_ivset_guid_check",
        "0",
        "raw streams are received without a check of their keys",
        risks_data=True,
    ),
    ParameterDefault("zfs_vdev_max_active", "1000", "another limit of I/Os at a time for each disk"),
    ParameterDefault(
        "zfs_dirty_data_max_percent", "10", "another share of memory may hold data not yet written"
    ),
    ParameterDefault("zvol_request_sync", "0", "requests to volumes are handled one after another"),
)

"""The feature flags of OpenZFS 2.4, in the order in which it lists them."""

from __future__ import annotations

from typing import Final

from zconsole.practice.nicenum_and_times import words

FEATURES: Final = words("""
        async_destroy empty_bpobj lz4_compress multi_vdev_crash_dump spacemap_histogram enabled_txg
        hole_birth extensible_dataset embedded_data bookmarks filesystem_limits large_blocks large_dnode
        sha512 skein edonr userobj_accounting encryption project_quota device_removal obsolete_counts
        zpool_checkpoint spacemap_v2 allocation_classes resilver_defer bookmark_v2 redaction_bookmarks
        redacted_datasets bookmark_written log_spacemap livelist device_rebuild zstd_compress draid
        zilsaxattr head_errlog blake3 block_cloning vdev_zaps_v2 redaction_list_spill raidz_expansion
        fast_dedup longname large_microzap dynamic_gang_header block_cloning_endian physical_rewrite
    """)
NOT_BY_UPGRADE: Final = frozenset({"dynamic_gang_header"})  # but by its name
FROM_THE_START: Final = frozenset(  # active in every pool
    words("""
        lz4_compress spacemap_histogram enabled_txg hole_birth extensible_dataset embedded_data
        userobj_accounting project_quota spacemap_v2 log_spacemap head_errlog vdev_zaps_v2
    """)
)
WITH_USE: Final = frozenset(  # by snapshots, bookmarks, clones and synchronous writes
    words("empty_bpobj bookmarks bookmark_v2 bookmark_written livelist zilsaxattr")
)

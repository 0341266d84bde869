"""Advice on the settings of pools and datasets, in words."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Severity
from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

SETTINGS: Final = (
    Advice(
        "checksum-off",
        Stake.DATA,
        HelpedData.NEW,
        "A dataset has checksum=off, and so have all that inherit it. One finding for "
        "the uppermost dataset that has it, none for those that inherit it. "
        "A risk and not advice: damage stays unnoticed.",
        "the value itself; the default is on",
        "Without checksums ZFS cannot tell good data from bad: neither a scrub nor a mirror helps. Metadata "
        "keeps its checksums.",
        "zfs set checksum=on DATASET.",
        "None worth measuring.",
        ("dataset", "checksum"),
        risk=(Severity.WARNING,),
    ),
    Advice(
        "sync-disabled",
        Stake.DATA,
        HelpedData.NEW,
        "A dataset that is not read-only has sync=disabled. One finding for the uppermost dataset that has "
        "it, none for those that inherit it, with the guests of libvirt that write to it: their flushes are "
        "answered as early, whatever the cache mode.",
        "the value itself; the default is standard",
        "A program that waits for its data to be stored is told so at once. A crash or a power failure "
        "loses the last seconds, five by default and more under load: "
        "databases and guests are then as they were some seconds before, and disagree with what they have "
        "told others: NFS clients, replicas, the other pool of a guest. The pool itself is consistent.",
        "zfs set sync=standard DATASET; add a log device if synchronous writes are then too slow.",
        "Synchronous writes are slower.",
        ("dataset", "sync", "guests"),
    ),
    Advice(
        "compression-off",
        Stake.SPACE,
        HelpedData.NEW,
        "A dataset has compression=off, and blocks larger than a sector. One finding for "
        "the uppermost dataset that has it, none for those that inherit it.",
        "the value itself; from 2.2 on the default is on",
        "lz4 costs hardly any time and gives up early on data that does not shrink. Without it even zeros, "
        "and the end "
        "of the last record of each file, take space.",
        "zfs set compression=lz4 DATASET, or zstd for what is seldom written. Where all data is encrypted "
        "before ZFS sees it, silence this.",
        "None worth measuring for lz4.",
        ("dataset", "compression"),
    ),
    Advice(
        "compression-slow",
        Stake.SPEED,
        HelpedData.NEW,
        "A dataset has compression gzip-7, gzip-8 or gzip-9. One finding for "
        "the uppermost dataset that has it, none for those that inherit it.",
        "a limit of this program",
        "Writes are bound by the processor, at some ten MB/s a core, for a few percent of space against "
        "zstd.",
        "zfs set compression=gzip-6 DATASET; or zstd, which is faster still, where the feature zstd_compress "
        "is enabled on the pool.",
        "A few percent of space. Old data is read as before.",
        ("dataset", "compression"),
    ),
    Advice(
        "dedup-on",
        Stake.SPEED,
        HelpedData.NEW,
        "A dataset has dedup on, and the ratio of the pool is below 2. One finding for "
        "the uppermost dataset that has it, none for those that inherit it. "
        "What a table costs that pays is dedup-table-large.",
        "the value itself; the default is off. The ratio of 2 is a limit of this program",
        "Each write and each free looks into a table of all deduplicated blocks. Where it does not fit "
        "into memory or on "
        "fast disks, each of them waits for random reads. A ratio near 1 means that this buys nothing.",
        "zfs set dedup=off DATASET. zpool status -D shows the table.",
        "New data takes its full space. Old blocks stay in the table until they are freed or written again.",
        ("dataset", "dedup", "dedup_ratio", "limit_ratio"),
    ),
    Advice(
        "dedup-table-large",
        Stake.SPEED,
        HelpedData.NEW,
        "The deduplication table would take a quarter of the memory that the ARC may have, or more, if "
        "all of it were loaded.",
        "zpool status -D (in core) and c_max of arcstats; the quarter is a limit of this program",
        "The table competes with data and other metadata for the ARC. Entries that are not in memory are "
        "read at random before a block is written or freed: a destroy may take hours.",
        "zfs set dedup=off where it gains little; a mirrored dedup vdev of SSDs (zpool add POOL dedup mirror "
        "DISK DISK); from 2.3 on zpool ddtprune, or dedup_table_quota.",
        "Old blocks stay in the table until they are freed. A dedup vdev cannot be removed from a pool "
        "with raidz, and losing it loses the pool.",
        ("entries", "core_bytes", "disk_bytes", "arc_max_bytes", "has_fast_vdevs", "limit_percent"),
    ),
    Advice(
        "dedup-quota-near",
        Stake.SPACE,
        HelpedData.NEW,
        "The deduplication table has reached 90 % of dedup_table_quota. A quota of auto is not judged.",
        "zpoolprops(7), dedup_table_quota; the 90 % are a limit of this program",
        "At the quota ZFS makes no new entries: new blocks are written in full, without a word.",
        "zpool ddtprune removes the oldest entries that have one reference; or zpool set "
        "dedup_table_quota=SIZE POOL.",
        "Pruned blocks are not found again by new copies. A larger table needs more memory.",
        ("disk_bytes", "quota_bytes", "limit_percent"),
    ),
    Advice(
        "recordsize-database",
        Stake.SPEED,
        HelpedData.NEW,
        "A file system has records of 128 KiB or more, or smaller ones than a page, and tables of InnoDB "
        "(pages of 16 KiB) or PostgreSQL (8 KiB) are on it: a server has them open, or by their names "
        "they hold 80 % of the files looked at, which hold half of the data. These pages are the "
        "defaults: a server built otherwise is not told apart.",
        "OpenZFS documentation, Workload Tuning; 64 KiB and less is left alone",
        "A page that is changed has ZFS read the rest of its record, where that is not cached, and write "
        "all of it. The log of a database is written in order and fares well with large records.",
        "zfs set recordsize=BYTES DATASET, then copy the tables (a dump, or while the server is stopped cp "
        "--reflink=never and rename: a block clone keeps the old records). Keep the log on a file system of "
        "its own.",
        "Small records compress less, and on raidz they take more parity and padding, which the proposed "
        "size avoids. Old files keep their records until they are copied.",
        ("dataset", "holds", "recordsize_bytes", "page_bytes", "proposed_bytes", "seen"),
    ),
    Advice(
        "recordsize-large-files",
        Stake.SPEED,
        HelpedData.NEW,
        "A file system of 2 GiB or more has records of 128 KiB or less, and large files that are read in "
        "order: media files by their names, or torrents that a client has open. Told only where the files "
        "looked at hold half of the data, and 80 % of that is in such files and in files of 1 MiB or more; "
        "never where a guest writes to a disk image.",
        "OpenZFS documentation, Workload Tuning, sequential workloads",
        "Each record has a block pointer, a checksum, and on raidz its own parity and padding: large "
        "records have fewer, are read in fewer operations, and compress better.",
        "zfs set recordsize=1M DATASET. Files that are there change when they are copied (cp "
        "--reflink=never).",
        "A read of a few bytes reads a record, and a torrent that arrives in small pieces rewrites "
        "records that are not cached. zfs send needs -L to keep them.",
        ("dataset", "holds", "recordsize_bytes", "proposed_bytes", "seen"),
    ),
    Advice(
        "recordsize-image",
        Stake.SPEED,
        HelpedData.NEW,
        "A file system has records of 256 KiB or more, and a disk image that a guest writes to. The format "
        "of the image does not matter: a cluster of qcow2 is how it is allocated, not how it is written.",
        "a limit of this program: twice the default, which fares well with images",
        "A guest writes some KiB at a time: each write has ZFS read the rest of a record, where it is not "
        "cached, and write all of it.",
        "zfs set recordsize=64K DATASET, then copy the image while the guest is off: with cp "
        "--reflink=never, as a block clone keeps the old records.",
        "Small records compress less, and on raidz they take more parity and padding. The image keeps its "
        "records until it is copied.",
        ("dataset", "guests", "formats", "recordsize_bytes", "proposed_bytes"),
    ),
    Advice(
        "copies-many",
        Stake.SPACE,
        HelpedData.NEW,
        "A dataset has copies of 2 or 3. One finding for "
        "the uppermost dataset that has it, none for those that inherit it. Nothing is said of a pool of "
        "one device, where they are the only repair of a damaged block.",
        "the value itself; the default is 1",
        "A pool that has lost a top-level vdev cannot be imported any more, but for a rescue read-only "
        "(zfs_max_missing_tvds), whatever copies are on the others: they "
        "repair damaged blocks and never replace redundancy. On vdevs with redundancy they multiply the "
        "space once more.",
        "With redundancy: zfs set copies=1 DATASET, and silence this for a dataset that needs them. Without: "
        "attach a disk to each device (zpool attach).",
        "One repair less of a block whose redundancy is damaged as well; or one more disk a device. Old "
        "blocks keep their copies.",
        ("dataset", "copies", "by_design"),
    ),
    Advice(
        "atime-on",
        Stake.SPEED,
        HelpedData.ALL,
        "A dataset that is not read-only has atime=on and relatime=off. One finding for "
        "the uppermost dataset that has it, none for those that inherit it.",
        "the value itself; from 2.2 on the default of relatime is on",
        "Reading a file writes its time of access: reads cost writes, and snapshots grow by them.",
        "zfs set relatime=on DATASET, or atime=off.",
        "Programs that compare times of access, as some mail readers do, need relatime rather than "
        "atime=off.",
        ("dataset", "atime", "relatime"),
    ),
)

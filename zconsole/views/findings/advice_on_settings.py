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
        "The root dataset or another one has checksum=off, and so have all that inherit it. A risk and "
        "not advice: damage "
        "stays unnoticed.",
        "any; the default is on",
        "Without checksums ZFS cannot tell good data from bad: neither a scrub nor a mirror helps. Metadata "
        "keeps its checksums.",
        "zfs set checksum=on POOL.",
        "None worth measuring.",
        ("checksum", "datasets"),
        risk=(Severity.WARNING,),
    ),
    Advice(
        "sync-disabled",
        Stake.DATA,
        HelpedData.NEW,
        "The root dataset or another one has sync=disabled. Named where it begins.",
        "any; the default is standard",
        "A program that waits for its data to be stored is told so at once. A crash or a power failure "
        "loses about "
        "the last five seconds: databases, guests and NFS clients may be inconsistent after it. The pool "
        "itself is not.",
        "zfs set sync=standard POOL; add a log device if synchronous writes are then too slow.",
        "Synchronous writes are slower. It helps at once, for all data.",
        ("sync", "datasets"),
    ),
    Advice(
        "compression-off",
        Stake.SPACE,
        HelpedData.NEW,
        "The root dataset or another one has compression=off. Named where it begins.",
        "any; from 2.2 on the default is on",
        "lz4 costs hardly any time and gives up early on data that does not shrink. Without it even zeros, "
        "and the end "
        "of the last record of each file, take space.",
        "zfs set compression=lz4 POOL, or zstd for what is seldom written.",
        "None worth measuring for lz4. Only newly written data is compressed.",
        ("compression", "datasets"),
    ),
    Advice(
        "compression-slow",
        Stake.SPEED,
        HelpedData.NEW,
        "The root dataset or another one has compression gzip-7, gzip-8 or gzip-9. Named where it begins.",
        "a limit of this program",
        "Writes are bound by the processor, at some ten MB/s a core, for a few percent of space against "
        "zstd.",
        "zfs set compression=zstd POOL.",
        "A few percent of space. Only newly written data changes; old data is read as before.",
        ("compression", "datasets"),
    ),
    Advice(
        "dedup-on",
        Stake.SPEED,
        HelpedData.NEW,
        "The root dataset or another one has dedup on. Named where it begins.",
        "any; the default is off",
        "Each write and each free looks into a table of all deduplicated blocks. Where it does not fit "
        "into memory or on "
        "fast disks, each of them waits for random reads. A ratio near 1 means that this buys nothing.",
        "zfs set dedup=off POOL, and have it on only for datasets that need it. zpool status -D shows the "
        "table.",
        "New data takes its full space. Old blocks stay in the table until they are freed or written again.",
        ("dedup", "dedup_ratio", "datasets"),
    ),
    Advice(
        "copies-many",
        Stake.SPACE,
        HelpedData.NEW,
        "The root dataset or another one has copies of 2 or 3. Named where it begins.",
        "any; the default is 1",
        "The copies of a block may be on one device, and a pool that has lost a vdev cannot be imported: "
        "copies repair "
        "damaged blocks and never replace redundancy. On vdevs with redundancy they multiply the space "
        "once more.",
        "Use mirrors or raidz, then zfs set copies=1 POOL; have more copies only for datasets that need "
        "them.",
        "Only newly written data changes.",
        ("copies", "by_design", "datasets"),
    ),
    Advice(
        "atime-on",
        Stake.SPEED,
        HelpedData.ALL,
        "The root dataset or another one has atime=on and relatime=off. Named where it begins.",
        "any; from 2.2 on the default of relatime is on",
        "Reading a file writes its time of access: reads cost writes, and snapshots grow by them.",
        "zfs set relatime=on POOL, or atime=off.",
        "Programs that compare times of access, as some mail readers do, need relatime rather than "
        "atime=off.",
        ("atime", "relatime", "datasets"),
    ),
)

"""Advice on file systems and volumes in words: what is set, and what it is set for."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

DATASETS: Final = (
    Advice(
        "acl-in-directories",
        Stake.SPEED,
        HelpedData.NEW,
        "A file system has acltype=posix and keeps extended attributes in directories: xattr=dir, or "
        "before 2.3 xattr=on. One finding for "
        "the uppermost dataset that has it, none for those that inherit it; read-only ones are left alone.",
        "zfsprops(7), xattr: sa is strongly encouraged for users of POSIX ACLs",
        "Each file with an ACL has a hidden directory and a file in it: opening it costs several reads, "
        "creating it several writes.",
        "zfs set xattr=sa DATASET.",
        "None on Linux. Attributes of old files stay where they are until they are set again.",
        ("dataset",),
    ),
    Advice(
        "cache-off",
        Stake.SPEED,
        HelpedData.ALL,
        "primarycache is none; or metadata, for a file system with records of 64 KiB or more. Volumes with "
        "metadata, such as one for swap, and small records, such as those of a database with a cache of "
        "its own, are left alone, and so is what is read-only. One finding for "
        "the uppermost dataset that has it, none for those that inherit it.",
        "zfsprops(7), primarycache: the default is all",
        "Nothing of what was read stays in memory: a program that reads 4 KiB at a time has ZFS read and "
        "check the same record of 128 KiB 32 times. Prefetch is lost as well.",
        "zfs set primarycache=all DATASET. A database with a cache of its own is better served by a "
        "small recordsize.",
        "Memory of the ARC, which gives it back.",
        ("dataset", "primarycache"),
    ),
    Advice(
        "volblocksize-small",
        Stake.SPACE,
        HelpedData.NEW,
        "Blocks of a volume take 25 % more of a raidz or draid than blocks of 128 KiB do there, by ZFS's "
        "own arithmetic and before compression.",
        "vdev_raidz_psize_to_asize and vdev_draid_psize_to_asize in OpenZFS; zfsprops(7), volblocksize; "
        "the 25 % are a limit of this program",
        "Parity and padding are counted for each block: a volume of 1 TiB may take two of the pool, "
        "which then is full earlier than its guests believe.",
        "Make a new volume with a larger volblocksize (zfs create -V SIZE -o volblocksize=BYTES) and "
        "copy the data; or use mirrors for volumes.",
        "volblocksize never changes: a copy, and the guest is down while it moves. Larger blocks cost "
        "small random writes more.",
        (
            "dataset",
            "vdevs",
            "volblocksize_bytes",
            "bytes_per_byte",
            "large_bytes_per_byte",
            "more_percent",
            "limit_percent",
            "fair_bytes",
        ),
    ),
    Advice(
        "volumes-overcommitted",
        Stake.SERVICE,
        HelpedData.ALL,
        "Volumes without a reservation for their whole size may still take more than the pool has "
        "available. Compression, parity of small blocks and snapshots are not counted.",
        "zfsprops(7), volsize: a sparse volume may fail writes with ENOSPC when the pool is low on space",
        "When the pool is full, writes fail in the midst of the file systems on them. A guest is paused, "
        "sees write errors or loses writes, by the cache mode and the error policy of its disk; zconsole "
        "guests tells which.",
        "Watch the space (zconsole forecast), trim inside the guests, add disks, or promise less. zfs set "
        "refreservation=auto VOLUME keeps space for one that must not fail, as long as the pool has it, and "
        "as long as each snapshot of it finds room for what was written since the last one.",
        "Nothing for watching. A reservation takes its space from all others at once.",
        ("datasets", "promised_bytes", "available_bytes"),
    ),
    Advice(
        "volume-no-snapshot",
        Stake.DATA,
        HelpedData.ALL,
        "Since its last snapshot more was written to a volume with a reservation than there is available "
        "beside that: ZFS refuses a snapshot. Told in a pool where snapshots are taken.",
        "dsl_dataset_snapshot_reserve_space in OpenZFS; zfsprops(7), refreservation",
        "Snapshots, backups and replication of this volume fail with `out of space`, while the pool is "
        "far from full.",
        "Free space; or make it sparse: zfs set refreservation=none VOLUME (zfs set refreservation=SIZE for "
        "a part), which is proposed only where the pool can keep what all sparse volumes promise.",
        "A sparse volume may get write errors when the pool is full.",
        ("dataset", "needed_bytes", "available_bytes", "refreservation_bytes"),
    ),
    Advice(
        "volume-mounted-on-host",
        Stake.UPKEEP,
        HelpedData.NONE,
        "The host has the file system of one of its own volumes mounted, itself or one of its partitions.",
        "/proc/mounts and /dev/zvol; what a volume is for is said in zfs(8)",
        "Two file systems lie on one another: caches, journals and allocation work twice, space that files "
        "free stays taken until a trim, and snapshots know no files.",
        "Make a file system (zfs create), stop what writes, copy the files, compare the copy with "
        "the volume, and only then destroy that. Keep it, and silence this, where a program needs the other "
        "file system.",
        "The programs that use it are stopped while the files are copied.",
        ("dataset", "mountpoints", "fstypes"),
    ),
    Advice(
        "clone-long-lived",
        Stake.SPACE,
        HelpedData.NONE,
        "A snapshot of more than a year cannot be destroyed because of a clone of more than 180 days, and "
        "keeps 1 GiB or more that its own dataset does not reference. One finding per snapshot; the "
        "origins of at most 100 clones are read, of the oldest first.",
        "USED of the snapshot; its age, that of the clone and 1 GiB are limits of this program",
        "A clone shares the blocks of its origin: the space stays taken while either needs it, and the "
        "origin's dataset cannot be destroyed.",
        "Look at zconsole tree DATASET, which shows all its clones and what a promotion or a copy would do. "
        "Destroy a clone that nobody needs, or replace it by a copy (zfs send and receive); then the "
        "snapshot can go. A promotion frees nothing: it turns the dependency round, and serves where the "
        "origin's dataset is to be destroyed.",
        "The clone, or the space of a copy.",
        ("dataset", "created", "clones", "oldest_clone_s", "origin_alone_bytes"),
    ),
    Advice(
        "reservation-unused",
        Stake.SPACE,
        HelpedData.ALL,
        "The pool is 80 % full, a file system uses less than half of its reservation or refreservation, 30 "
        "days after it was made, and the rest is 10 % of the usable space of the pool or more. Volumes are "
        "left alone: theirs is for what a guest may write. So are empty file systems, whose reservation is "
        "there to keep the pool from filling.",
        "zfsprops(7), reservation; the limits are of this program",
        "Others run out of space while this one has no use for it.",
        "zfs set reservation=SIZE DATASET (or refreservation), to half as much again as it uses.",
        "It competes for space with all others beyond that.",
        (
            "dataset",
            "setting",
            "reserved_bytes",
            "used_bytes",
            "proposed_bytes",
            "usable_bytes",
            "limit_percent",
        ),
    ),
    Advice(
        "reservation-used-up",
        Stake.SERVICE,
        HelpedData.ALL,
        "A file system has used 90 % of its reservation or refreservation, and the pool is 80 % full.",
        "zfsprops(7), reservation; the limits are of this program",
        "What it writes beyond the reservation is no longer kept free for it: when the pool is full its "
        "writes fail as those of all others.",
        "Free space, or zfs set reservation=SIZE DATASET.",
        "The space is taken from all others at once.",
        ("dataset", "setting", "used_bytes", "reserved_bytes", "limit_percent"),
    ),
    Advice(
        "quotas-overcommitted",
        Stake.SERVICE,
        HelpedData.ALL,
        "The pool is 80 % full, and quotas allow more than it has available. Of quotas within one another "
        "the outermost counts; refquotas are left out.",
        "the pool's AVAIL; zfsprops(7), quota: a quota reserves nothing",
        "Whoever trusts a quota meets a full pool first, and so do all others.",
        "Free space or add vdevs; lower the quotas, or give a reservation to those that must not fail.",
        "A lower quota may stop a program that relied on it.",
        ("datasets", "promised_bytes", "available_bytes"),
    ),
    Advice(
        "quota-near",
        Stake.SERVICE,
        HelpedData.ALL,
        "A dataset that is not read-only has used 90 % of its quota or refquota.",
        "a limit of this program; zfsprops(7), quota",
        "At the quota each write fails. A quota counts snapshots: deleting a file that one of them has frees "
        "nothing of it. A refquota does not.",
        "Free space in it (zconsole reclaim DATASET), or zfs set quota=SIZE DATASET (or refquota).",
        "None but the space of the pool.",
        ("dataset", "setting", "used_bytes", "quota_bytes", "limit_percent", "guests"),
    ),
    Advice(
        "quota-beyond-pool",
        Stake.SERVICE,
        HelpedData.ALL,
        "A quota or refquota is larger than the usable space of the pool.",
        "the pool's USED and AVAIL",
        "It limits nothing: whoever relies on it fills the pool for all others.",
        "Set one that the pool can keep: zfs set quota=SIZE DATASET (or refquota); or none, which says what "
        "is so.",
        "None.",
        ("dataset", "setting", "quota_bytes", "usable_bytes"),
    ),
)
SNAPSHOTS: Final = (
    Advice(
        "snapshots-left-out",
        Stake.DATA,
        HelpedData.ALL,
        "Of a dataset with 64 MiB of its own or more, older than a week, ZFS knows no snapshot, now or "
        "before, while at least as many datasets of its kind beside it have one of the last 35 days. Not "
        "judged are read-only datasets, which copies are, layers of Docker, and names of what nobody keeps: "
        "tmp, swap, cache, scratch, spool, dump, build, download, trash. ZFS before 2.2 does not tell.",
        "zfsprops(7), snapshots_changed; the sizes, days and names are those of this program",
        "A schedule that names its datasets leaves out one that came later. A file that was deleted or "
        "encrypted by mistake is gone there, and there is nothing to send to a copy.",
        "Take a snapshot now, and add it to the schedule of its siblings (sanoid.conf, the timer of "
        "zfs-auto-snapshot, zrepl); or silence this, where its data may be lost.",
        "Space for what is overwritten. It protects from the first snapshot on.",
        ("dataset", "own_bytes", "siblings", "limit_days"),
    ),
    Advice(
        "snapshots-missing",
        Stake.DATA,
        HelpedData.ALL,
        "Of all datasets with 1 GiB of data of their own or more, ZFS remembers no snapshot that was "
        "taken or destroyed in 35 days, or none at all. ZFS before 2.2 does not remember this.",
        "zfsprops(7), snapshots_changed; the 35 days are a limit of this program",
        "A file that was deleted or encrypted by mistake is gone. There is nothing to send to a copy either.",
        "Let sanoid, zfs-auto-snapshot or another tool take them; zconsole replicas tells which datasets "
        "have none, and no copy.",
        "Space for what is overwritten. It protects from the first snapshot on.",
        ("datasets", "last_change", "limit_days"),
    ),
)

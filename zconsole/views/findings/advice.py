"""Advice in words: why it matters, where its limit comes from, what to do, and what that costs.

The screens and docs/findings.md are made of it.
"""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_on_pool_properties import POOL_PROPERTIES
from zconsole.views.findings.advice_wording import Advice

_LAYOUT: Final = (
    Advice(
        "vdevs-uneven",
        "Of the data vdevs of one kind and width the largest has 1.5 times the size of the smallest; or "
        "the fullest is at "
        "least 50 % full, and 20 percentage points fuller than the emptiest.",
        "a limit of this program. ZFS gives each vdev new data by its free space; the shares are "
        "computed from that",
        "New data goes mostly to the vdev with most free space: the pool then has the speed of that one.",
        "Add the next disks to the smaller vdev, or replace its disks by larger ones. Data that is "
        "written again (zfs "
        "rewrite where the release has it, or send and receive) spreads over all vdevs.",
        "New disks, or the time to write the data again. Only newly written data spreads.",
        (
            "vdevs",
            "sizes",
            "full_percents",
            "shares_percent",
            "size_ratio",
            "limit_size_ratio",
            "limit_fill_points",
        ),
    ),
    Advice(
        "layout-mixed",
        "Data vdevs that survive the same number of failures are of different kinds or widths. Where "
        "they survive "
        "different numbers, redundancy-uneven says so.",
        "`zpool add` calls it a mismatched replication level, and refuses it without `-f`",
        "Space, speed and the time of a resilver differ from vdev to vdev, and so from file to file.",
        "Take it into account when you plan. A mirror can be removed with zpool remove where the pool "
        "has no raidz.",
        "A pool with raidz can lose no vdev: a uniform layout needs a new pool, and a copy of all data.",
        ("vdevs",),
    ),
    Advice(
        "ashift-mixed",
        "Data, special or dedup vdevs differ in ashift.",
        "zpool-remove(8): all top-level vdevs need the same sector size",
        "ZFS refuses to remove any vdev of such a pool.",
        "Give the ashift when you add a vdev (zpool add -o ashift=12).",
        "The ashift of a vdev never changes: the pool would have to be made again, and all data copied.",
        ("ashifts",),
    ),
    Advice(
        "raidz1-large-disks",
        "A raidz1 has hard disks of 8 TB or more.",
        "a limit of this program: at 150 MB/s such a disk takes 15 hours at least to be written, under "
        "load days",
        "While a failed disk is resilvered nothing else can be repaired: a second failure loses the "
        "pool, and an unreadable "
        "sector loses a file.",
        "Keep a backup and a spare disk at hand. Build the next pool as raidz2 or of mirrors: the parity"
        " of a vdev cannot be "
        "raised.",
        "One more disk a vdev, a new pool, and a copy of all data.",
        ("disk_bytes", "limit_bytes", "devices"),
    ),
    Advice(
        "raidz-wide",
        "A raidz has more than 12 disks.",
        "zpoolconcepts(7) recommends 3 to 9; beyond 12 this program says so",
        "A raidz has about the random I/O of a single disk, and a resilver reads all of its disks.",
        "Build the next vdevs narrower, or as draid, which resilvers to distributed spares.",
        "A raidz cannot become narrower: a new pool, and a copy of all data.",
        ("devices", "limit_devices"),
    ),
    Advice(
        "special-full",
        "The special vdevs are 75 % full.",
        "ZFS keeps 25 % of them for metadata (zfs_special_class_metadata_reserve_pct)",
        "Small blocks of files already go to the data vdevs; when the rest is used, metadata does so "
        "too, and is then read at "
        "their speed.",
        "Add a special vdev of the same redundancy, or lower special_small_blocks.",
        "New disks. Blocks stay where they are until they are written again.",
        ("used_bytes", "total_bytes", "limit_percent"),
    ),
    Advice(
        "media-mixed",
        "Some data vdevs are on hard disks, others on SSDs. A vdev that has both is mixed-vdev.",
        "any; from the kernel's rotational flag of each disk",
        "ZFS does not know which data is hot: files are spread over both, and most wait for the hard disks.",
        "Use SSDs as special, log or cache vdevs, or make two pools of them.",
        "A mirror or a single disk can be removed with zpool remove where the pool has no raidz; "
        "otherwise a new pool.",
        ("hard_disks", "ssds"),
    ),
    Advice(
        "spare-missing",
        "A pool has 24 or more disks in its data, special and dedup vdevs and no spare, hot or distributed.",
        "a limit of this program: a full shelf",
        "The resilver of a failed disk waits until a person has replaced it.",
        "Add a hot spare (zpool add POOL spare DISK); see that zed runs, which puts it to use.",
        "A disk that does nothing else. It can be removed at any time.",
        ("devices", "limit_devices"),
    ),
    Advice(
        "names-of-kernel",
        "A device of the pool is known to it by a name such as `/dev/sda1` or `/dev/nvme0n1p1`.",
        "any; the kernel gives these names in the order in which it finds the disks",
        "After a boot the name may be another disk. ZFS finds its own by their labels in most cases, "
        "people do not: the wrong "
        "disk is pulled or overwritten. A cache or spare under such a name may be lost.",
        "zpool export POOL, then zpool import -d /dev/disk/by-id POOL. For the root pool: in the initial"
        " ram disk.",
        "The pool is away for a moment; no data changes.",
        ("paths",),
    ),
    Advice(
        "features-off",
        "ZFS itself remarks that features of this release are not enabled on the pool. It says so only "
        "where nothing worse is "
        "to be said, and not of features that the pool's `compatibility` leaves out.",
        "`zpool status`",
        "What these features bring is not to be used on this pool. Nothing is wrong with its data.",
        "zpool upgrade POOL, once you will not go back to an older ZFS, and not on a pool that a boot "
        "loader reads. Or set "
        "compatibility, and the remark ends.",
        "It cannot be undone: an older ZFS may not import the pool any more.",
        ("status",),
    ),
    Advice(
        "hostid-differs",
        "ZFS itself remarks that the pool was imported with another hostid than that of the host.",
        "`zpool status`",
        "At the next import another host seems to have used the pool: it is refused without force, and "
        "the boot may stop there.",
        "Give the host a fixed hostid (zgenhostid), also in the initial ram disk; then export and "
        "import the pool.",
        "The pool is away for a moment; no data changes.",
        ("status",),
    ),
    Advice(
        "space-not-expanded",
        "Devices of the pool are larger than what ZFS uses of them.",
        "EXPANDSZ of `zpool list`",
        "The disks have been replaced by larger ones, or have grown, and the pool has no more space than"
        " before.",
        "zpool online -e POOL DEVICE for each; autoexpand=on does it by itself after the next replacement.",
        "None. A pool cannot shrink again.",
        ("expandable_bytes", "vdevs"),
    ),
)
_SETTINGS: Final = (
    Advice(
        "sync-disabled",
        "The root dataset has sync=disabled. Other datasets are not looked at.",
        "any; the default is standard",
        "A program that waits for its data to be stored is told so at once. A crash or a power failure "
        "loses about "
        "the last five seconds: databases, guests and NFS clients may be inconsistent after it. The pool "
        "itself is not.",
        "zfs set sync=standard POOL; add a log device if synchronous writes are then too slow.",
        "Synchronous writes are slower. It helps at once, for all data.",
        ("sync",),
    ),
    Advice(
        "compression-off",
        "The root dataset has compression=off. Other datasets are not looked at.",
        "any; from 2.2 on the default is on",
        "lz4 costs hardly any time and gives up early on data that does not shrink. Without it even zeros, "
        "and the end "
        "of the last record of each file, take space.",
        "zfs set compression=lz4 POOL, or zstd for what is seldom written.",
        "None worth measuring for lz4. Only newly written data is compressed.",
        ("compression",),
    ),
    Advice(
        "compression-slow",
        "The root dataset has compression gzip-7, gzip-8 or gzip-9. Other datasets are not looked at.",
        "a limit of this program",
        "Writes are bound by the processor, at some ten MB/s a core, for a few percent of space against "
        "zstd.",
        "zfs set compression=zstd POOL.",
        "A few percent of space. Only newly written data changes; old data is read as before.",
        ("compression",),
    ),
    Advice(
        "dedup-on",
        "The root dataset has dedup on. Other datasets are not looked at.",
        "any; the default is off",
        "Each write and each free looks into a table of all deduplicated blocks. Where it does not fit "
        "into memory or on "
        "fast disks, each of them waits for random reads. A ratio near 1 means that this buys nothing.",
        "zfs set dedup=off POOL, and have it on only for datasets that need it. zpool status -D shows the "
        "table.",
        "New data takes its full space. Old blocks stay in the table until they are freed or written again.",
        ("dedup", "dedup_ratio"),
    ),
    Advice(
        "copies-many",
        "The root dataset has copies of 2 or 3. Other datasets are not looked at.",
        "any; the default is 1",
        "The copies of a block may be on one device, and a pool that has lost a vdev cannot be imported: "
        "copies repair "
        "damaged blocks and never replace redundancy. On vdevs with redundancy they multiply the space "
        "once more.",
        "Use mirrors or raidz, then zfs set copies=1 POOL; have more copies only for datasets that need "
        "them.",
        "Only newly written data changes.",
        ("copies", "by_design"),
    ),
    Advice(
        "atime-on",
        "The root dataset has atime=on and relatime=off. Other datasets are not looked at.",
        "any; from 2.2 on the default of relatime is on",
        "Reading a file writes its time of access: reads cost writes, and snapshots grow by them.",
        "zfs set relatime=on POOL, or atime=off.",
        "Programs that compare times of access, as some mail readers do, need relatime rather than "
        "atime=off.",
        ("atime", "relatime"),
    ),
)
ADVICE: Final = {each.id: each for each in (*_LAYOUT, *POOL_PROPERTIES, *_SETTINGS)}

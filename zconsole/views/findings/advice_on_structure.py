"""Advice on how a pool is built, in words."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Severity
from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

STRUCTURE: Final = (
    Advice(
        "pool-without-redundancy",
        Stake.DATA,
        HelpedData.ALL,
        "No vdev of the pool has redundancy: it is made of single devices. A risk and not advice: the first "
        "failed disk loses the pool.",
        "0 failures survived, by the kinds of its vdevs",
        "A checksum finds damaged data, and nothing can repair it but what ZFS keeps twice (metadata, "
        "data with "
        "copies above 1), and that only while the device still works.",
        "Attach a second disk to each device (zpool attach), or keep a backup on another pool.",
        "One more disk a device, and a resilver.",
        ("vdevs",),
        risk=(Severity.INFO,),
    ),
    Advice(
        "vdev-without-redundancy",
        Stake.DATA,
        HelpedData.ALL,
        "A vdev is a single disk, while other vdevs have redundancy; special and dedup vdevs too. A risk and "
        "not advice: its failure loses the whole pool, and most often it was added by mistake.",
        "what the other vdevs of the pool survive",
        "The pool is as safe as its weakest vdev.",
        "Make it a mirror (zpool attach).",
        "One more disk, and a resilver.",
        ("by_design", "strongest"),
        risk=(Severity.WARNING,),
    ),
    Advice(
        "redundancy-uneven",
        Stake.DATA,
        HelpedData.ALL,
        "A vdev, a special or dedup one too, survives fewer failures by design than others of the pool. A "
        "risk and not advice: the redundancy that was paid for is not what the pool has.",
        "what the other vdevs of the pool survive",
        "The pool survives only what its weakest vdev survives.",
        "Attach a further disk to a mirror (zpool attach). The parity of a raidz cannot be raised: take it "
        "into account.",
        "One more disk, and a resilver; for a raidz a new pool, and a copy of all data.",
        ("by_design", "strongest"),
        risk=(Severity.INFO,),
    ),
    Advice(
        "log-without-redundancy",
        Stake.DATA,
        HelpedData.NEW,
        "A log device stands alone, while the data, special and dedup vdevs have redundancy. Advice and no "
        "risk: the pool survives its loss (zpool import -m).",
        "what the data, special and dedup vdevs of the pool survive",
        "The log is read after a crash only. If its device fails at that moment, such as by a power failure "
        "that destroys it, the synchronous writes of the last seconds are lost, which databases, guests "
        "and NFS clients believed stored, and the pool is not imported without -m. A failure at another "
        "time loses nothing: synchronous writes are slower until it is replaced.",
        "Attach a second device to it (zpool attach), with power-loss protection. Silence this where the "
        "writes of some seconds may be lost.",
        "One more fast device: each synchronous write waits for both. It can be removed at any time.",
        ("by_design", "weakest_of_data"),
    ),
    Advice(
        "vdevs-uneven",
        Stake.SPEED,
        HelpedData.NEW,
        "Of the data vdevs of one kind and width the largest has 1.5 times the size of the smallest; or "
        "the fullest is at "
        "least 50 % full, and 20 percentage points fuller than the emptiest.",
        "a limit of this program. ZFS gives each vdev new data by its free space, and less to one that is "
        "slower; the shares are those of free space",
        "The vdev with most free space gets the largest share of new data, and a long write waits for it: "
        "were all vdevs equally fast, the pool would write as fast as 1 / share of them, with a share of "
        "40 % as 2.5.",
        "Nothing has to be done: in time the vdevs become nearly equally full. For speed now write old data "
        "again "
        "(zfs rewrite where the release has it, or send and receive): it spreads over all vdevs, while "
        "snapshots keep the old blocks. A vdev becomes larger when all its disks are replaced by larger "
        "ones.",
        "The time to write the data again, and its space a second time while snapshots have it; or new "
        "disks.",
        (
            "vdevs",
            "sizes",
            "full_percents",
            "shares_percent",
            "written_percents",
            "size_ratio",
            "limit_size_ratio",
            "limit_fill_points",
        ),
    ),
    Advice(
        "layout-mixed",
        Stake.SPEED,
        HelpedData.NONE,
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
        Stake.SERVICE,
        HelpedData.NONE,
        "Data vdevs differ in ashift; or a special or dedup vdev differs from them, in a pool without raidz "
        "and draid.",
        "zpool-remove(8): all top-level data vdevs need the same sector size, and a special or dedup vdev "
        "theirs",
        "Where data vdevs differ, ZFS refuses to remove any data, special or dedup vdev (in a pool with "
        "raidz "
        "or draid it does so anyway); logs, caches and spares can be removed; where a special or dedup "
        "vdev differs, that one.",
        "Give the ashift of the others when you add a vdev (zpool add -o ashift=ASHIFT).",
        "The ashift of a vdev never changes: the pool would have to be made again, and all data copied.",
        ("ashifts",),
    ),
    Advice(
        "ashift-below-physical",
        Stake.SPEED,
        HelpedData.NONE,
        "The ashift of a device is smaller than its physical sectors. Advice and no risk: it costs speed "
        "and no "
        "data.",
        "the sector size that the disk reports, as `zdb` and `zpool status` show it",
        "Each small write makes the disk read first.",
        "Give the ashift when the vdev is created again (zpool create or add, -o ashift=12 for sectors of "
        "4096 B). A mirror or a single disk can be removed with zpool remove where the pool has no raidz "
        "or draid and one ashift.",
        "The ashift of a vdev never changes: a new vdev or pool, and a copy of its data.",
        ("configured_ashift", "physical_ashift"),
    ),
    Advice(
        "raidz1-large-disks",
        Stake.DATA,
        HelpedData.ALL,
        "A raidz1 has hard disks of 8 TB or more. Disks whose kind is not known are left alone.",
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
        Stake.SPEED,
        HelpedData.ALL,
        "A raidz has more than 12 disks.",
        "zpoolconcepts(7) recommends 3 to 9; beyond 12 this program says so",
        "A raidz has about the random I/O of a single disk, and a resilver reads all of its disks.",
        "Build the next vdevs narrower, or as draid, which resilvers to distributed spares.",
        "A raidz cannot become narrower: a new pool, and a copy of all data.",
        ("devices", "limit_devices"),
    ),
    Advice(
        "special-full",
        Stake.SPEED,
        HelpedData.NEW,
        "The special vdevs are 75 % full, and a dataset has special_small_blocks; or they are 90 % full. The "
        "75 % follow zfs_special_class_metadata_reserve_pct.",
        "ZFS keeps 25 % of them for metadata (zfs_special_class_metadata_reserve_pct); the 90 % are a limit "
        "of this program",
        "From 75 % on small blocks of files go to the data vdevs; when the rest is used, metadata does so "
        "too, and is then read at "
        "their speed.",
        "Add a special vdev of the same redundancy, or lower special_small_blocks.",
        "New disks. Blocks stay where they are until they are written again.",
        ("used_bytes", "total_bytes", "limit_percent", "has_small_blocks"),
    ),
    Advice(
        "mixed-vdev",
        Stake.SPEED,
        HelpedData.ALL,
        "A vdev has disks of different kinds, such as an SSD and a hard disk. Each disk is compared only "
        "with "
        "disks of the same kind. Advice and no risk: the redundancy is what it would be with equal disks.",
        "any such vdev, from the kernel's rotational flag and the transport of each disk",
        "It writes as slowly as the slowest of them; a raidz reads so, too.",
        "Replace the slower disks by disks of the faster kind, one after the other.",
        "New disks, and a resilver for each.",
        ("kinds",),
    ),
    Advice(
        "media-mixed",
        Stake.SPEED,
        HelpedData.NEW,
        "Some data vdevs are on hard disks, others on SSDs. A vdev that has both is mixed-vdev.",
        "any such pool, from the kernel's rotational flag of each disk",
        "ZFS does not know which data is hot: files are spread over both, and most wait for the hard disks.",
        "Use SSDs as special, log or cache vdevs, or make two pools of them.",
        "A mirror or a single disk can be removed with zpool remove where the pool has no raidz; "
        "otherwise a new pool.",
        ("hard_disks", "ssds"),
    ),
    Advice(
        "spare-missing",
        Stake.DATA,
        HelpedData.ALL,
        "A pool has 24 or more disks in its data, special and dedup vdevs and no spare, hot or distributed.",
        "a limit of this program: a full shelf",
        "The resilver of a failed disk waits until a person has replaced it.",
        "Add a hot spare (zpool add POOL spare DISK); see that zed runs, which puts it to use.",
        "A disk that does nothing else. It can be removed at any time.",
        ("devices", "limit_devices"),
    ),
    Advice(
        "names-of-kernel",
        Stake.SERVICE,
        HelpedData.NONE,
        "A device of a pool of several is known to it by a name such as `/dev/sda1` or `/dev/nvme0n1p1`.",
        "any such name: the kernel gives these names in the order in which it finds the disks",
        "After a boot the name may be another disk. ZFS finds its own by their labels in most cases, "
        "people do not: the wrong "
        "disk is pulled or overwritten. A cache or spare under such a name may be lost.",
        "zpool export POOL, then zpool import -d /dev/disk/by-id POOL, once ls shows each disk there: a disk "
        "of virtio has a name by-id only with a serial number, which is set in the definition of the "
        "virtual machine. For the root pool: in the initial ram disk.",
        "The pool is away for a moment; no data changes.",
        ("paths",),
    ),
    Advice(
        "space-not-expanded",
        Stake.SPACE,
        HelpedData.NEW,
        "Devices of the pool are larger than what ZFS uses of them.",
        "EXPANDSZ of `zpool list`",
        "The disks have been replaced by larger ones, or have grown, and the pool has no more space than"
        " before.",
        "zpool online -e POOL DEVICE for each; autoexpand=on does it by itself after the next replacement.",
        "None. A pool cannot shrink again.",
        ("expandable_bytes", "vdevs"),
    ),
)

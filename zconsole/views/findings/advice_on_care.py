"""Advice on the care of a pool and of its host, in words: scrubs, releases, features, hostid."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Severity
from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

CARE: Final = (
    Advice(
        "scrub-overdue",
        Stake.DATA,
        HelpedData.ALL,
        "The last full scrub was more than 35 days ago. ZFS records only its last scan: after a resilver "
        "or a canceled scrub the age is at least that. A scrub of a part (zpool scrub -C, of 2.4 also -S and "
        "-E) is printed like a full one, and counts as one. A risk and not advice: errors that nobody looks "
        "for add up.",
        "scrub_overdue_days of the configuration; timers of distributions scrub every month",
        "Errors in data that nobody reads are found by scrubs only, and repaired only while redundancy "
        "is left.",
        "zpool scrub POOL, and check that a timer does it every month, also for a DEGRADED pool.",
        "Reads of all data, for hours: reads and writes of users may be slower meanwhile.",
        ("last_scrub", "days", "limit_days"),
        risk=(Severity.WARNING,),
    ),
    Advice(
        "scrub-never",
        Stake.DATA,
        HelpedData.ALL,
        "The pool has never been scrubbed: a warning if it is older than 35 days, info if its age is "
        "unknown. A "
        "risk and not advice, as scrub-overdue.",
        "scrub_overdue_days of the configuration; timers of distributions scrub every month",
        "Errors in data that nobody reads are found by scrubs only, and repaired only while redundancy "
        "is left.",
        "zpool scrub POOL, and check that a timer does it every month.",
        "Reads of all data, for hours: reads and writes of users may be slower meanwhile.",
        ("created", "limit_days"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "scrub-paused",
        Stake.DATA,
        HelpedData.ALL,
        "A scrub is paused: info, and a warning once it began more than 35 days ago. A risk and not advice: "
        "meanwhile nothing is scrubbed.",
        "scrub_overdue_days of the configuration; timers of distributions scrub every month",
        "It does not go on by itself; a timer that starts a scrub resumes it.",
        "zpool scrub POOL resumes it.",
        "Reads of the rest of the data: reads and writes of users may be slower meanwhile.",
        ("start", "percent"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "scrub-skipped",
        Stake.DATA,
        HelpedData.ALL,
        "No full scrub for more than 35 days, while a scrub of another pool of the host began in that time "
        "and more than a day after the last scan of this one; or the last scrub was canceled more than two "
        "days ago, and none has begun since. ZFS records only the last scan of a pool.",
        "scrub_overdue_days of the configuration; timers of distributions scrub every month",
        "A timer that names its pools leaves out one that came later; some pass over a pool that resilvers "
        "or is DEGRADED at that hour. Errors on such a pool are found when it is too late.",
        "zpool scrub POOL, and see what starts the scrubs: systemctl list-timers 'zfs-scrub*' (one timer for "
        "each pool: zfs-scrub-monthly@POOL.timer), /etc/cron.d/zfsutils-linux.",
        "Reads of all data, for hours: reads and writes of users may be slower meanwhile.",
        ("last_scan", "scrubbed_meanwhile", "limit_days"),
    ),
    Advice(
        "scan-too-slow",
        Stake.DATA,
        HelpedData.ALL,
        "A scrub or resilver takes longer than 35 days, with its pauses: a warning while it runs, with the "
        "time that it needs at least; info of the last one. A risk and not advice: it does not come to an "
        "end before the next is due.",
        "scrub_overdue_days of the configuration",
        "Errors are found later than they add up; during a resilver redundancy is missing for so long.",
        "Look for a slow disk (the screen of the pool) and for what interrupts the scan, which ZFS begins "
        "again when a device comes back; give it more I/O (zfs_scrub_min_time_ms, "
        "zfs_resilver_min_time_ms, zfs_vdev_scrub_max_active); scrub when nobody works.",
        "More I/O for the scan is less for users.",
        ("function", "took_s", "limit_days"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "release-known-bad",
        Stake.DATA,
        HelpedData.NEW,
        "The kernel module is of a release that is known to damage data or to read it wrongly: "
        "0.7.7; 2.1.5 to 2.1.13 (info: very seldom; Debian's 2.1.11 is patched), of these 2.1.10 "
        "(warning); 2.2.0 and 2.2.1; 2.4.0 to 2.4.3 where a dataset has dedup on; 2.3.0 to 2.3.6, 2.4.0 "
        "and 2.4.1 (info: only files that are cloned into, under high load); before 2.3.7, 2.4.0 and 2.4.1 "
        "where a pool has a dRAID vdev; before 2.1.2, of what is sent to larger sectors. "
        "A risk and not advice.",
        "openzfs/zfs issues 7401, 12770, 14753, 15526, 18286, 18307, 18366 and 18412, and the tags that have "
        "their fixes",
        "The damage is silent: checksums are right, and a scrub does not find it. That of a dRAID is not: "
        "checksums fail, and a scrub repairs it while there is redundancy.",
        "Upgrade, also the initial ram disk, and reboot. Then look for what was damaged: the evidence says "
        "where; snapshots and backups from before have the data.",
        "A reboot. What is damaged stays so.",
        ("kernel", "fixed_in", "issues", "look_for"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "versions-differ",
        Stake.UPKEEP,
        HelpedData.NONE,
        "The ZFS commands and the kernel module are of different releases, most often after an upgrade "
        "without a reboot, or with a kernel that has a newer module. Two packages of one release are sound.",
        "`zfs version`",
        "Fixes in the new module do not work before it is loaded, and commands of another release may fail "
        "or print what they cannot know.",
        "Reboot, or load the new module; see that the initial ram disk has it too.",
        "A reboot.",
        ("userland", "kernel"),
    ),
    Advice(
        "features-off",
        Stake.UPKEEP,
        HelpedData.NONE,
        "ZFS itself remarks that features of this release are not enabled on the pool. It says so only "
        "where nothing worse is "
        "to be said, and not of features that the pool's `compatibility` leaves out. Pools that installers "
        "make for a boot loader (bpool, boot-pool, freenas-boot) are left alone.",
        "`zpool status`",
        "What these features bring cannot be used on this pool. Nothing is wrong with its data.",
        "zpool upgrade POOL, once you will not go back to an older ZFS, and not on a pool that a boot "
        "loader reads. Or set "
        "compatibility, and the remark ends.",
        "It cannot be undone: an older ZFS may not import the pool any more.",
        ("status",),
    ),
    Advice(
        "hostid-differs",
        Stake.SERVICE,
        HelpedData.NONE,
        "ZFS itself remarks that the pool was imported with another hostid than that of the host.",
        "`zpool status`",
        "At the next import another host seems to have used the pool: it is refused without force, and "
        "the boot may stop there.",
        "Give the host a fixed hostid (zgenhostid), also in the initial ram disk; then export and "
        "import the pool.",
        "The pool is away for a moment; no data changes.",
        ("status",),
    ),
)

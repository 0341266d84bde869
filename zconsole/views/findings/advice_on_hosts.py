"""Advice on the host of the pools in words."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

HOSTS: Final = (
    Advice(
        "zed-not-running",
        Stake.DATA,
        HelpedData.ALL,
        "The host has pools and no process named zed. Hosts that hide the processes of others, and "
        "containers, are not looked at.",
        "zed(8)",
        "Only zed puts a hot spare in the place of a failed disk, brings a disk back that was plugged in "
        "again, and tells of faults.",
        "systemctl enable --now zfs-zed, or what your distribution has.",
        "None worth measuring.",
        (),
    ),
    Advice(
        "zed-tells-nobody",
        Stake.DATA,
        HelpedData.ALL,
        "zed runs, and its zed.rc sets neither an address with a program to mail with nor another "
        "service. A zed.rc that this account may not read is not judged; of its variables only the names "
        "are read.",
        "the comments in zed.rc; ZED_EMAIL_PROG is mail by default",
        "A pool that has lost its redundancy goes unnoticed until somebody looks.",
        "Set ZED_EMAIL_ADDR in /etc/zfs/zed.d/zed.rc, install a program that mails (mailutils or "
        "bsd-mailx, and a way to send), restart zfs-zed, and let a test pool fault once to see that it "
        "arrives. Silence this where something else tells of faults, such as the middleware of TrueNAS, or "
        "monitoring that runs zconsole check.",
        "None worth measuring.",
        ("zed_set", "has_mailer"),
    ),
    Advice(
        "hostid-zero",
        Stake.DATA,
        HelpedData.NONE,
        "Neither /etc/hostid nor spl_hostid gives the host a number, and not all devices of its pools are "
        "known to be attached to this host alone (NVMe, SATA, USB).",
        "zgenhostid(8); zpoolprops(7), multihost",
        "The hostid in a pool is how another host sees that it is in use. Where disks can be reached "
        "from two hosts, both may import the pool, which destroys it. multihost=on is refused without "
        "one.",
        "zgenhostid, also for the initial ram disk; then export and import each pool once.",
        "The pools are away for a moment; for the root pool a reboot.",
        ("hostid",),
    ),
    Advice(
        "arc-limit-ignored",
        Stake.SPEED,
        HelpedData.ALL,
        "zfs_arc_max is set, and the ARC's limit is another one.",
        "zfs(4), zfs_arc_max: a value below 64 MiB or zfs_arc_min, or above the memory, is ignored",
        "Who has set it believes that it holds: memory planned for guests is taken by the ARC, or the "
        "other way round.",
        "Write a value that ZFS accepts to /sys/module/zfs/parameters/zfs_arc_max, set zfs_arc_min lower "
        "before if that is in the way, and put both into /etc/modprobe.d.",
        "None.",
        ("zfs_arc_max", "arc_max_bytes", "memory_bytes"),
    ),
    Advice(
        "arc-small",
        Stake.SPEED,
        HelpedData.ALL,
        "The ARC may take less than 1 GiB and less than 1/16 of the memory, which is 4 GiB or more.",
        "a limit of this program, below what installers of hypervisors set; zfs(4), zfs_arc_max: the default "
        "is half of the memory or more",
        "What does not fit is read from the disks again, metadata first of all: listings, deletes and "
        "snapshots become slow.",
        "Write a larger number of bytes to /sys/module/zfs/parameters/zfs_arc_max, which holds at once, and "
        "to /etc/modprobe.d (then renew the initial ram disk). Writing 0 changes nothing in a running "
        "module: for the default remove the line and reboot. The cache screen shows what is missed.",
        "Memory that guests and programs do not get at once: the ARC gives it back under pressure.",
        ("zfs_arc_max", "arc_max_bytes", "memory_bytes"),
    ),
    Advice(
        "parameter-unsafe",
        Stake.DATA,
        HelpedData.ALL,
        "A module parameter that protects data is not at its default. One finding for each, which says what "
        "the change does.",
        "zfs(4) of 2.1 to 2.4, in which these have one default",
        "Data may be lost in a crash, or damage not be seen. Some are meant for the rescue of a pool, and "
        "stay set afterwards; zfs_nocacheflush is safe only where no disk has a volatile write cache.",
        "Find out who set it (/etc/modprobe.d, sysfs at boot); write the default to "
        "/sys/module/zfs/parameters/NAME and remove it there, or silence this with the reason.",
        "Where caches are flushed again, synchronous writes may be slower.",
        ("parameter", "value", "default"),
    ),
    Advice(
        "parameter-changed",
        Stake.UPKEEP,
        HelpedData.ALL,
        "A module parameter with consequences for speed or service is not at its default. One finding for "
        "each, which says what the change does. Those that put data at risk are parameter-unsafe, limits of "
        "the ARC are judged apart; parameters that change with memory, "
        "processors or release are not looked at.",
        "zfs(4) of 2.1 to 2.4, in which these have one default",
        "Tunables outlive the problem for which they were set, and often come from advice for another "
        "release.",
        "Find out who set it (/etc/modprobe.d, sysfs at boot); write the default to "
        "/sys/module/zfs/parameters/NAME and remove it there, or silence this with the reason.",
        "None; most take effect at once.",
        ("parameter", "value", "default"),
    ),
)

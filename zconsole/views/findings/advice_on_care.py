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
        "or a "
        "canceled scrub the age is at least that. A risk and not advice: errors that nobody looks for add "
        "up.",
        "scrub_overdue_days of the configuration; timers of distributions scrub every month",
        "Silent errors are found by scrubs only, and are repaired only while redundancy is left.",
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
        "Silent errors are found by scrubs only, and are repaired only while redundancy is left.",
        "zpool scrub POOL, and check that a timer does it every month.",
        "Reads of all data, for hours: reads and writes of users may be slower meanwhile.",
        ("created", "limit_days"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "features-off",
        Stake.UPKEEP,
        HelpedData.NONE,
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

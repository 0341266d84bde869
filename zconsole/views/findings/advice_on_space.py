"""Advice on the space of a pool, in words: how full it is, and how its free space lies."""

from __future__ import annotations

from typing import Final

from zconsole.model.finding import Severity
from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

_USED: Final = (
    "used_percent",
    "used_bytes",
    "total_bytes",
    "is_raw",
    "limit_percent",
    "slop_bytes",
    "checkpoint_bytes",
    "guests_paused",
    "guests_with_errors",
)
SPACE: Final = (
    Advice(
        "capacity-critical",
        Stake.SERVICE,
        HelpedData.NEW,
        "90 % of the usable space is used; from 95 % on it is said what is left after that. Usable space "
        "excludes parity and slop; where it is unknown, raw space is meant. A risk and not "
        "advice: it stops all who write.",
        "used_critical_percent of the configuration; spa_slop_shift, zfs(4)",
        "At 100 % writes fail. Of the last 1/32 of the pool (3.2 %, 128 MiB to 128 GiB), which USED and "
        "AVAIL "
        "do not include, removals of files and most administration may use half, zfs destroy three "
        "quarters; beyond that a pool may stay read-only. Guests paused are those guests of libvirt that a "
        "full pool pauses, guests with errors those that see write errors or lose writes.",
        "Free space now: zconsole reclaim POOL proposes snapshots, and plans to destroy them. A "
        "deleted file that a snapshot has frees nothing.",
        "The snapshots that are destroyed, or more disks.",
        _USED,
        risk=(Severity.CRITICAL,),
    ),
    Advice(
        "capacity-warning",
        Stake.SERVICE,
        HelpedData.NEW,
        "80 % of the usable space is used. Evidence as of capacity-critical. A risk and not advice.",
        "used_warning_percent of the configuration",
        "Free space becomes small pieces, and writes slow: below 4 % free space of a metaslab ZFS looks "
        "for the piece that fits best instead of the next one (metaslab_df_free_pct, zfs(4)).",
        "Delete snapshots (zconsole reclaim POOL) or data, or plan for more disks (zconsole "
        "forecast, zconsole capacity).",
        "The snapshots that are destroyed, or more disks.",
        _USED,
        risk=(Severity.WARNING,),
    ),
    Advice(
        "full-soon",
        Stake.SERVICE,
        HelpedData.NEW,
        "By the samples of space that zconsole took of the pool, over a week or more, it is likely full "
        "within 90 days, with a range that ends within 180: info, and a warning where the range ends "
        "within 30 days. "
        "Of a wider range, and of a past that is only estimated, nothing is said. A risk and not advice.",
        "limits of this program; the range held the date of about 8 of 10 recorded histories, of 3 of 4 with "
        "more than a year of samples, and of about 6 of 10 simulated ones of tenants and terms; with less "
        "than 100 days it holds so often only where data comes and goes evenly (docs/forecast.md)",
        "At 100 % writes fail. The sentence names the guests of libvirt that would be paused or see errors.",
        "zconsole forecast shows what grows; delete it, free snapshots (zconsole reclaim POOL), "
        "or buy in time (zconsole capacity).",
        "Data or snapshots that are destroyed, or more disks.",
        ("earliest", "likely", "latest", "bytes_per_day", "limit_days"),
        risk=(Severity.WARNING, Severity.INFO),
    ),
    Advice(
        "metaslabs-full",
        Stake.SPEED,
        HelpedData.NEW,
        "Less than 4 % of a data vdev is free, of the pool there may be more. Said is in how large pieces it "
        "lies on average, by its fragmentation.",
        "metaslab_df_free_pct of OpenZFS, which is of each metaslab; the size of the pieces is that of "
        "zfs_frag_table",
        "ZFS divides a vdev into metaslabs of 16 GiB at most and writes to those with the largest pieces of "
        "free space first. With little free space "
        "in all of them it searches for the smallest piece that fits each block, loads one metaslab after "
        "the other from disk for that, and splits blocks that fit nowhere (gang blocks): writes become many "
        "times slower, also on a pool that is not full.",
        "Free space, best in large datasets and old snapshots (zconsole reclaim POOL), or add a "
        "vdev: new data goes there. Data that is written again leaves the full vdev.",
        "The data that is deleted, or new disks.",
        ("vdevs", "free_percents", "fragmentation_percents", "limit_percent"),
    ),
    Advice(
        "fragmentation",
        Stake.SPEED,
        HelpedData.NEW,
        "The fragmentation of a data vdev is 71 % or more. Special and dedup vdevs, and pools whose datasets "
        "all have blocks of 64 KiB or less, are left alone: pieces of that size serve them.",
        "zfs_frag_table of OpenZFS: 71 % are pieces of 64 KiB since 2.3.1, before 70 % pieces of 32 KiB. "
        "Above 77 % (before 70 %) ZFS leaves a metaslab for a better one: "
        "zfs_metaslab_fragmentation_threshold, zfs(4)",
        "It is the free space that is fragmented, not the files: a record of 128 KiB finds no place in one "
        "piece. Writes seek or are split (gang blocks), and what is written now is read slowly later.",
        "Free space, best in large datasets and old snapshots (zconsole reclaim POOL), or add a "
        "vdev. ZFS cannot defragment: only a copy to an empty pool (zfs send and receive) is in one piece "
        "again.",
        "The data that is deleted, or new disks.",
        ("vdevs", "limit_percent"),
    ),
)

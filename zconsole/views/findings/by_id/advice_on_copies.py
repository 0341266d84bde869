"""Advice on copies of datasets in words: stale, diverged, cut, missing, not compared, not read back."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

_COMPARED: Final = (
    "Judged by the last `zconsole replicas` of this account, or by `zconsole advise` itself "
    "where there was none."
)
_TOO_OLD: Final = "zconsole replicas tells how far behind it is, and what its next increment builds on."

COPIES: Final = (
    Advice(
        "replica-stale",
        Stake.DATA,
        HelpedData.ALL,
        "A copy on another pool lacks newer snapshots of its source, and from their last common one to the "
        "newest of the source it is more than three days and three times the distance of the "
        "source's snapshots. Where three or more other copies from that host are in the same dataset, it is "
        "a day, and three times that distance, more than most of these are behind: they are renewed "
        f"together. {_COMPARED}",
        "limits of this program: a copy may be renewed once a day, over a weekend",
        "What was written since then exists once. The longer it lasts, the more snapshots must be "
        "kept on both sides for the next increment.",
        "Look why the increments have stopped: the log of syncoid, zrepl or zfs-autobackup, space "
        f"and quota at the copy. {_TOO_OLD}",
        "Data to send. The common snapshot must be kept on both sides until then.",
        ("host", "source", "common", "behind", "behind_s", "limit_s", "copies_beside", "seen_at"),
    ),
    Advice(
        "snapshots-stopped",
        Stake.DATA,
        HelpedData.ALL,
        "The newest snapshot of a dataset is older than a day and than three times the median "
        "distance of the "
        "twelve before. Datasets that are copies of others, and those with fewer than four "
        f"snapshots, are not judged. {_COMPARED}",
        "the distances of the dataset's own snapshots",
        "Nobody notices that snapshots are not taken any more before one is needed; nothing new can "
        "be sent either.",
        "Look at the timer of sanoid or of the tool that took them.",
        "Space for what is overwritten.",
        ("host", "dataset", "newest", "age_s", "period_s", "limit_s", "seen_at"),
    ),
    Advice(
        "dataset-no-copy",
        Stake.DATA,
        HelpedData.ALL,
        "Datasets of a megabyte or more, with those below, have no snapshot in common with another "
        "pool that "
        "was compared; of a pool of which other datasets have. A pool that was not compared may "
        f"have a copy. {_COMPARED}",
        "guids of snapshots, which are equal on every copy",
        "What has no copy is lost with its pool, by fire, theft, or a second failed disk; snapshots "
        "are lost with it.",
        "Send it (zconsole plan receive, syncoid, zrepl), or name the hosts that have its copies: "
        "zconsole replicas --host HOST. Silence it where its data may be lost.",
        "Space on another pool, and the time to send the data once.",
        ("host", "datasets", "seen_at"),
    ),
    Advice(
        "replica-diverged",
        Stake.DATA,
        HelpedData.NEW,
        f"A copy has snapshots of its own since the last one in common with its source. {_COMPARED}",
        "guids of snapshots, which are equal on every copy",
        "An increment is not received over them: the copy falls behind. Often a tool takes "
        "snapshots of the copy too.",
        "Stop the tool that takes them; roll the copy back to the common snapshot if its own may be lost.",
        "What was written to the copy itself.",
        ("host", "source", "common", "own", "seen_at"),
    ),
    Advice(
        "receive-cut",
        Stake.SPACE,
        HelpedData.NONE,
        f"A receive was interrupted, and can be resumed. {_COMPARED}",
        "the property receive_resume_token",
        "What it has received takes space, and no other increment is received until it is resumed "
        "or aborted.",
        "zconsole plan resume-receive DATASET, or zconsole plan abort-receive DATASET.",
        "To resume: the rest of the data. To abort: what was received is sent again.",
        ("host", "dataset", "seen_at"),
    ),
    Advice(
        "replicas-not-compared",
        Stake.DATA,
        HelpedData.NONE,
        "The copies of a host that has some were last compared with their sources more than seven "
        "days ago, as far as this account knows.",
        "a limit of this program",
        "What is said of copies is as old as that: a copy that has stopped since is not told.",
        "zconsole replicas, with --host for each host that has copies; a timer may do it daily.",
        "One listing of all snapshots of each pool: seconds, with a million snapshots minutes.",
        ("seen_at", "limit_days"),
    ),
    Advice(
        "replicas-unverified",
        Stake.DATA,
        HelpedData.ALL,
        "Copies on a pool were received more than 35 days ago, and no scrub of the pool has ended "
        "since: none at all, or the last one is older than they are. "
        f"After a resilver ZFS does not tell when the last scrub was, and nothing is said. {_COMPARED}",
        "the time of the first receive, and the last scan of the pool",
        "A stream is checked as it arrives, and never again: what a disk has lost since is found by "
        "reading it. A copy is looked at when the source is gone, which is too late.",
        "zpool scrub POOL, and let a timer do it every month. Then restore a few files from a copy "
        "(zconsole plan restore, or a clone of its newest snapshot), which shows more than a scrub "
        "can: that it is the right data.",
        "Reads of all data, for hours.",
        ("datasets", "last_scrub", "limit_days"),
    ),
)

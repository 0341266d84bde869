"""The line that `zpool status` gives to a scrub, resilver or checkpoint."""

from __future__ import annotations

from zconsole.hosts.practice.nice import clock_time, ctime, nicebytes
from zconsole.hosts.practice.tree import Pool
from zconsole.hosts.practice.work import Scan

_TRUSTED_PACE = 10 * 1024 * 1024  # bytes a second below which ZFS gives no estimate


def scan_text(scan: Scan | None, now: float) -> str:
    """The `scan:` lines; empty when there never was one."""
    if scan is None:
        return ""
    if scan.state == "FINISHED":
        return _finished(scan)
    if scan.state == "CANCELED":
        return f"  scan: {scan.function.lower()} canceled on {ctime(scan.end)}\n"
    return _running(scan, now)


def _finished(scan: Scan) -> str:
    verb = "scrub repaired" if scan.function == "SCRUB" else "resilvered"
    lasted = clock_time(scan.end - scan.start)
    return (
        f"  scan: {verb} {nicebytes(scan.processed)} in {lasted} with {scan.errors} errors"
        f" on {ctime(scan.end)}\n"
    )


def _running(scan: Scan, now: float) -> str:
    name = scan.function.lower()
    if scan.paused_at:
        lines = [
            f"  scan: {name} paused since {ctime(scan.paused_at)}",
            f"\t{name} started on {ctime(scan.start)}",
        ]
    else:
        lines = [f"  scan: {name} in progress since {ctime(scan.start)}"]
    elapsed = max(1, int((scan.paused_at or now) - scan.pass_start - scan.seconds_paused))
    wanted = scan.to_examine - scan.skipped
    issue_rate, scan_rate = scan.pass_issued // elapsed, scan.pass_examined // elapsed
    scanned = f"\t{nicebytes(scan.examined)} / {nicebytes(scan.to_examine)} scanned"
    if scan_rate and not scan.paused_at:
        scanned += f" at {nicebytes(scan_rate)}/s"
    issued = f"{nicebytes(scan.issued)} / {nicebytes(wanted)} issued"
    if issue_rate and not scan.paused_at:
        issued += f" at {nicebytes(issue_rate)}/s"
    lines.append(f"{scanned}, {issued}")
    done = "resilvered" if scan.function == "RESILVER" else "repaired"
    share = 100 * scan.issued / wanted if wanted else 100.0
    last = f"\t{nicebytes(scan.processed)} {done}, {share:.2f}% done"
    started = scan.processed if scan.function == "RESILVER" else scan.issued
    if not scan.paused_at:
        if issue_rate >= _TRUSTED_PACE and scan.issued < wanted and started:
            last += f", {clock_time((wanted - scan.issued) // issue_rate)} to go"
        else:
            last += ", no estimated completion time"
    return "\n".join([*lines, last]) + "\n"


def checkpoint_text(pool: Pool) -> str:
    """The `checkpoint:` line."""
    if pool.checkpoint is None:
        return ""
    made, consumes = pool.checkpoint
    return f"checkpoint: created {ctime(made)}, consumes {nicebytes(consumes)}\n"

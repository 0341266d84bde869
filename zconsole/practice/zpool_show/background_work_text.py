"""The `scan:`, `remove:`, `expand:` and `checkpoint:` lines of `zpool status`."""

from __future__ import annotations

from zconsole.practice.nicenum_and_times import clock_time, ctime, nicebytes, nicenum
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import PracticeScan, Rebuild
from zconsole.practice.world.vdev_names import Naming, kind_name

_A_MONTH_S = 30 * 24 * 3600  # longer than that ZFS does not foretell
_TRUSTED_PACE = 10 * 1024 * 1024  # bytes a second below which ZFS gives no estimate


def scan_text(scan: PracticeScan | None, now: float) -> str:
    """The `scan:` lines; empty when there never was one."""
    if scan is None:
        return ""
    if scan.state == "FINISHED":
        return _finished(scan)
    if scan.state == "CANCELED":
        return f"  scan: {scan.function.lower()} canceled on {ctime(scan.end)}\n"
    return _running(scan, now)


def _finished(scan: PracticeScan) -> str:
    verb = "scrub repaired" if scan.function == "SCRUB" else "resilvered"
    lasted = clock_time(scan.end - scan.start)
    return (
        f"  scan: {verb} {nicebytes(scan.processed)} in {lasted} with {scan.errors} errors"
        f" on {ctime(scan.end)}\n"
    )


def _running(scan: PracticeScan, now: float) -> str:
    name = scan.function.lower()
    lines = [f"  scan: {name} in progress since {ctime(scan.start)}"]
    if scan.paused_at:
        lines = [f"  scan: {name} paused since {ctime(scan.paused_at)}"]
        lines.append(f"\t{name} started on {ctime(scan.start)}")
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


def scan_lines(pool: PracticePool, now: float) -> str:
    """All `scan:` lines: of the scan, and of sequential resilvers when one of those is newer."""
    tops = [(top, top.rebuild) for top in pool.present if top.rebuild is not None]
    rebuilds = "".join(rebuild_text(pool, top, rebuild, now) for top, rebuild in tops)
    scan = pool.scan
    if scan is None or scan.function != "RESILVER":
        return scan_text(scan, now) + rebuilds
    last_rebuild = max((rebuild.end for _, rebuild in tops), default=0)
    is_newest = scan.is_running or (not pool.is_rebuilding and scan.end > last_rebuild)
    return scan_text(scan, now) if is_newest else rebuilds


def rebuild_text(pool: PracticePool, top: PracticeVdev, rebuild: Rebuild, now: float) -> str:
    """The `scan:` line of a sequential resilver."""
    name = Naming().name(top, pool)
    if rebuild.state == "COMPLETE":
        lasted = clock_time(rebuild.end - rebuild.start)
        return (
            f"  scan: resilvered ({name}) {nicebytes(rebuild.done)} in {lasted} with 0 errors"
            f" on {ctime(rebuild.end)}\n"
        )
    if rebuild.state == "CANCELED":
        return f"  scan: resilver ({name}) canceled on {ctime(rebuild.end)}\n"
    rate = rebuild.done // max(1, int(now) - rebuild.start)
    pace = f" at {nicebytes(rate)}/s" if rate else ""
    done, total = nicebytes(rebuild.done), nicebytes(rebuild.total)
    share = min(100.0, 100 * rebuild.done / (rebuild.total + 1))
    text = f"  scan: resilver ({name}) in progress since {ctime(rebuild.start)}\n"
    text += f"\t{done} / {total} scanned{pace}, {done} / {total} issued{pace}\n"
    text += f"\t{done} resilvered, {share:.2f}% done"
    if rate >= _TRUSTED_PACE:
        return f"{text}, {clock_time((rebuild.total - rebuild.done) // rate)} to go\n"
    return f"{text}, no estimated completion time\n"


def removal_text(pool: PracticePool, now: float) -> str:
    """The `remove:` lines."""
    removal = pool.removal
    if removal is None:
        return ""
    top = pool.top(removal.vdev_id)
    name = top.path if top.is_leaf else Naming().name(top, pool)
    if removal.state == "FINISHED":
        minutes = (removal.end - removal.start) // 60
        text = (
            f"remove: Removal of vdev {removal.vdev_id} copied {nicenum(removal.copied)} in"
            f" {minutes // 60}h{minutes % 60}m, completed on {ctime(removal.end)}\n"
        )
    elif removal.state == "CANCELED":
        text = f"remove: Removal of {name} canceled on {ctime(removal.end)}\n"
    else:
        text = f"remove: Evacuation of {name} in progress since {ctime(removal.start)}\n"
        copied = max(1, removal.copied)
        rate = max(1, copied // max(1, int(now) - removal.start))
        minutes = (removal.to_copy - copied) // rate // 60
        text += (
            f"\t{nicenum(copied)} copied out of {nicenum(removal.to_copy)} at {nicenum(rate)}/s,"
            f" {100 * copied / removal.to_copy:.2f}% done"
        )
        slow = ", (copy is slow, no estimated time)\n"
        text += f", {minutes // 60}h{minutes % 60}m to go\n" if minutes < _A_MONTH_S // 60 else slow
    if removal.mapping_memory:
        text += f"\t{nicenum(removal.mapping_memory)} memory used for removed device mappings\n"
    return text


def expansion_text(pool: PracticePool, now: float) -> str:
    """The `expand:` lines."""
    expansion = pool.expansion
    if expansion is None:
        return ""
    name = f"{kind_name(pool.top(expansion.vdev_id))}-{expansion.vdev_id}"
    if expansion.state == "FINISHED":
        lasted = clock_time(expansion.end - expansion.start)
        return (
            f"expand: expanded {name} copied {nicenum(expansion.reflowed)} in {lasted},"
            f" on {ctime(expansion.end)}\n"
        )
    copied = max(1, expansion.reflowed)
    rate = max(1, copied // max(1, int(now) - expansion.start))
    seconds = (expansion.to_reflow - copied) // rate
    text = (
        f"expand: expansion of {name} in progress since {ctime(expansion.start)}\n"
        f"\t{nicenum(copied)} / {nicenum(expansion.to_reflow)} copied at {nicenum(rate)}/s,"
        f" {100 * copied / expansion.to_reflow:.2f}% done"
    )
    if expansion.is_waiting:
        return f"{text}, paused for resilver or clear\n"
    if seconds < _A_MONTH_S:
        return f"{text}, {clock_time(seconds)} to go\n"
    return f"{text}, (copy is slow, no estimated time)\n"


def checkpoint_text(pool: PracticePool) -> str:
    """The `checkpoint:` line."""
    if pool.discarding is not None:
        return f"checkpoint: discarding, {nicenum(pool.discarding)} remaining.\n"
    if pool.checkpoint is None:
        return ""
    made, consumes = pool.checkpoint
    return f"checkpoint: created {ctime(made)}, consumes {nicebytes(consumes)}\n"

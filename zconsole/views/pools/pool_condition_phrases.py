"""Condition of a pool in clauses, for the Pool screen and `zconsole status`."""

from __future__ import annotations

from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.fixed_width_formatting import MINUTE, moment, percent, size, used_percent
from zconsole.model.pools.pool import Pool, PoolActivity, Scan
from zconsole.views.layout.state_age_and_link_phrases import ago, counted


def used(pool: Pool) -> str:
    """`61% used of 14.4 TiB`, of raw space with a word more; empty if unknown."""
    full = fill(pool)
    if full is None:
        return ""
    return f"{used_percent(full.percent)} used of {size(full.total_bytes)}{' raw' if full.is_raw else ''}"


def free(pool: Pool) -> str:
    """`5.62 TiB free`, of the same space; empty if unknown."""
    full = fill(pool)
    return "" if full is None else f"{size(full.total_bytes - full.used_bytes)} free"


def fragmentation(pool: Pool) -> str:
    """`frag 23%`; empty if unknown."""
    return "" if pool.fragmentation_percent is None else f"frag {pool.fragmentation_percent}%"


def last_scan(pool: Pool, now: float) -> str:
    """`scrub 12d ago, no errors`, `resilver finished 3h ago, 2 errors`; of one that has ended."""
    return "never scrubbed" if pool.scan is None else ended_scan(pool.scan, now)


def ended_scan(scan: Scan, now: float) -> str:
    """The same of one of the scans of a pool."""
    errors = (
        "" if scan.errors is None else f", {counted(scan.errors, 'error') if scan.errors else 'no errors'}"
    )
    verb = "resilvered" if scan.function == "resilver" else "repaired"
    repaired = f", {verb} {size(scan.repaired_bytes)}" if scan.repaired_bytes else ""
    if (scan.function, scan.state) == ("scrub", "finished") and scan.end is not None:
        return f"scrub {ago(max(0.0, now - scan.end))} ago{errors}{repaired}"
    when = "" if scan.end is None else f" {ago(now - scan.end)} ago"
    return f"{scan.function} {scan.state}{when}{errors}{repaired}"


def activity_in_words(activity: PoolActivity) -> str:
    """`removal of vdev 2 finished, 100%, 2026-11-21 00:09 UTC, 336 B of memory for its mapping`."""
    of = f" of {activity.vdev}" if activity.vdev else ""
    parts = [f"{activity.kind}{of} {activity.state}"]
    if activity.percent is not None:
        parts.append(percent(activity.percent))
    if activity.end is not None:
        parts.append(f"{moment(activity.end, MINUTE)} UTC")
    if activity.mapping_bytes is not None:
        parts.append(f"{size(activity.mapping_bytes)} of memory for its mapping")
    return ", ".join(parts)


def data_errors(pool: Pool) -> str:
    """`2 permanent data errors`, `no data errors`; empty if unknown."""
    if pool.error_count is None:
        return ""
    return counted(pool.error_count, "permanent data error") if pool.error_count else "no data errors"


def checkpoint(pool: Pool) -> str:
    """`checkpoint holds 1.00 GiB`; empty without one."""
    return f"checkpoint holds {size(pool.checkpoint_bytes)}" if pool.checkpoint_bytes else ""

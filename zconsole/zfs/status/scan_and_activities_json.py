"""Scans, removals, expansions and checkpoints in the JSON of `zpool status`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.model.pools.pool import PoolActivity, Scan
from zconsole.zfs.json_node import JsonNode
from zconsole.zfs.status.newest_scan_and_initialize_trim import in_order
from zconsole.zfs.status.vdev_type_and_display_name import short_name
from zconsole.zfs.zfs_numbers_and_dates import share

_NONE: Final = "none"
_SCAN_STATES: Final = {  # others are kept as ZFS prints them
    "active": "scanning",
    "complete": "finished",
    "errorscrubbing": "scanning",
    "errorscrubing": "scanning",
}
_ACTIVITY_STATES: Final = {"scanning": "active"}
_FUNCTIONS: Final = {"errorscrub": "error scrub"}
_WHOLE: Final = {"finished": 100.0}


def read_scans(pool: JsonNode) -> tuple[Scan | None, tuple[Scan, ...]]:
    """The current or last scan among those a pool reports, None if there was none; and the others."""
    stats = pool.node("scan_stats")
    if stats is None:
        return None, ()
    rebuilds = stats.nodes("rebuild_stats")
    return in_order((_scan(stats), _error_scrub(stats), *map(_rebuild, rebuilds)))


def is_resilvering(pool: JsonNode) -> tuple[bool, bool]:
    """Whether a scan is running, and whether it is a resilver, which decides the meaning of vdev counts."""
    stats = pool.node("scan_stats")
    if stats is None:
        return False, False
    is_scanning = (stats.text("state") or "").lower() == "scanning"
    return is_scanning, (stats.text("function") or "").lower() == "resilver"


def rebuilding(pool: JsonNode) -> frozenset[str]:
    """Names of the top-level vdevs with a running sequential resilver."""
    stats = pool.node("scan_stats")
    rebuilds = () if stats is None else stats.nodes("rebuild_stats")
    return frozenset(one.text("name") or "" for one in rebuilds if _state(one, {}) == "active")


def read_activities(pool: JsonNode) -> Iterator[PoolActivity]:
    """Removal, expansion and checkpoint discard, running or the last ones."""
    if stats := pool.node("removal_stats"):
        state = _state(stats, _ACTIVITY_STATES)
        done = share(stats.integer("copied"), stats.integer("to_copy"))
        if state != _NONE:
            found = _activity("removal", _removed(stats, state), state, done, stats)
            yield replace(found, mapping_bytes=stats.integer("mapping_memory") or None)
    if stats := pool.node("raidz_expand_stats"):
        state = _state(stats, _ACTIVITY_STATES)
        if state == "active" and stats.integer("waiting_for_resilver"):
            state = "suspended"
        done = share(stats.integer("reflowed"), stats.integer("to_reflow"))
        if state != _NONE:
            yield _activity("raidz_expand", _expanded(stats), state, done, stats)
    if (stats := pool.node("checkpoint_stats")) and _state(stats, {}) == "discarding":
        yield PoolActivity("checkpoint_discard", None, "active")


def read_checkpoint(pool: JsonNode) -> tuple[int | None, int | None]:
    """Bytes held by a checkpoint and its creation time."""
    stats = pool.node("checkpoint_stats")
    if stats is None or _state(stats, {}) != "exists":
        return None, None
    return stats.integer("space"), stats.moment("start_time")


def _scan(stats: JsonNode) -> Scan | None:
    """The scrub or resilver. As in zpool, progress is the issued part of what is not skipped."""
    function = (stats.text("function") or _NONE).lower()
    if function == _NONE:
        return None
    state = _state(stats, _SCAN_STATES)
    if state == "scanning" and stats.moment("scrub_pause"):
        state = "paused"
    to_examine, skipped = stats.integer("to_examine"), stats.integer("skipped") or 0
    to_issue = None if to_examine is None else max(0, to_examine - skipped)
    issued = stats.integer("issued")
    return Scan(
        _FUNCTIONS.get(function, function),
        state,
        start=stats.moment("start_time"),
        end=stats.moment("end_time"),
        percent=_percent(state, issued, to_issue),
        to_examine_bytes=to_examine,
        examined_bytes=stats.integer("examined"),
        issued_bytes=issued,
        to_issue_bytes=to_issue,
        repaired_bytes=stats.integer("processed"),
        errors=stats.integer("errors"),
    )


def _error_scrub(stats: JsonNode) -> Scan | None:
    """The scrub of known errors; its progress is in blocks, so it has no bytes."""
    function = (stats.text("err_scrub_func") or _NONE).lower()
    if function == _NONE:
        return None
    word = (stats.text("err_scrub_state") or "").lower()
    state = _SCAN_STATES.get(word, word)
    if state == "scanning" and stats.moment("err_scrub_pause"):
        state = "paused"
    examined, left = stats.integer("err_scrub_examined"), stats.integer("err_scrub_to_examine")
    total = None if examined is None or left is None else examined + left
    return Scan(
        _FUNCTIONS.get(function, function),
        state,
        start=stats.moment("err_scrub_start_time"),
        end=stats.moment("err_scrub_end_time"),
        percent=_percent(state, examined, total),
    )


def _rebuild(stats: JsonNode) -> Scan | None:
    """A sequential resilver, which zpool also calls a resilver. As in zpool, progress is the scanned part."""
    state = _state(stats, _SCAN_STATES)
    if state == _NONE:
        return None
    total, scanned = stats.integer("to_scan"), stats.integer("scanned")
    skipped = (stats.integer("pass_skipped") or 0) if state == "scanning" else 0
    return Scan(
        "resilver",
        state,
        start=stats.moment("start_time"),
        end=stats.moment("end_time"),
        percent=_percent(state, scanned, total),
        to_examine_bytes=total,
        examined_bytes=scanned,
        issued_bytes=stats.integer("issued"),
        to_issue_bytes=None if total is None else max(0, total - skipped),
        repaired_bytes=stats.integer("rebuilt"),
        errors=stats.integer("errors"),
        vdev=stats.text("name"),
    )


def _percent(state: str, done: int | None, total: int | None) -> float | None:
    if state in ("scanning", "paused"):
        return share(done, total)
    return _WHOLE.get(state)


def _activity(kind: str, vdev: str | None, state: str, done: float | None, stats: JsonNode) -> PoolActivity:
    percent = done if state in ("active", "suspended") else _WHOLE.get(state)
    return PoolActivity(kind, vdev, state, percent, stats.moment("start_time"), stats.moment("end_time"))


def _state(stats: JsonNode, translation: dict[str, str]) -> str:
    word = (stats.text("state") or _NONE).lower()
    return translation.get(word, word)


def _removed(stats: JsonNode, state: str) -> str | None:
    """Name of the removed vdev; after the removal only its number is left."""
    number = stats.integer("removing_vdev")
    if state == "finished" and number is not None:
        return f"vdev {number}"
    name = stats.text("name")
    return short_name(name) if name else None


def _expanded(stats: JsonNode) -> str | None:
    """`raidz2-0`, from the name `raidz2` and the vdev's number."""
    name, number = stats.text("name"), stats.integer("expanding_vdev")
    if name is None or number is None or name.endswith(f"-{number}"):
        return name
    return f"{name}-{number}"

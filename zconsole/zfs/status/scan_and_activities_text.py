"""Scans, removals, expansions and checkpoints in the text of `zpool status`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import PoolActivity, Scan
from zconsole.zfs.status.text_layout import Section
from zconsole.zfs.status.vdev_type_and_display_name import short_name
from zconsole.zfs.zfs_numbers_and_dates import DATE, duration, epoch, integer, number, percent, prose

_VDEV: Final = r"(?: \((?P<vdev>.+)\))?"  # of a sequential resilver, which has one top-level vdev
_TOOK: Final = r"(?P<took>[\w: ]{1,40})"
_SIZE: Final = r"\S{1,24}"
_FINISHED: Final = re.compile(
    rf"(?P<function>scrub repaired|resilvered){_VDEV} (?P<bytes>{_SIZE}) in {_TOOK}"
    rf" with (?P<errors>\d{{1,20}}) errors on (?P<end>{DATE})"
)
_SCRUBBED: Final = re.compile(rf"scrubbed {_SIZE} error blocks? in {_TOOK} on (?P<end>{DATE})")
_CANCELED: Final = re.compile(rf"(?P<function>error scrub|scrub|resilver){_VDEV} canceled on (?P<end>{DATE})")
_RUNNING: Final = re.compile(
    rf"(?P<function>error scrub|scrub|resilver){_VDEV} (?P<state>in progress|paused) since (?P<at>{DATE})"
)
_STARTED: Final = re.compile(rf"(?:error )?scrub started on (?P<start>{DATE})")
_ISSUED: Final = re.compile(  # since 2.2; rates are optional
    r"(?P<examined>\S+) / (?P<to_examine>\S+) scanned(?: at \S+)?,"
    r" (?P<issued>\S+) / (?P<to_issue>\S+) issued(?: at \S+)?"
)
_ISSUED_BEFORE: Final = re.compile(  # 2.1 prints one total for both
    r"(?P<examined>\S+) scanned(?: at \S+)?,"
    r" (?P<issued>\S+) issued(?:(?: at)? \S+)?, (?P<to_examine>\S+) total"
)
_DONE: Final = re.compile(r"(?:(?P<bytes>\S+) (?:repaired|resilvered), )?(?P<percent>\S+)% done(?:,.*)?")
_REMOVED: Final = re.compile(
    rf"Removal of (?P<vdev>vdev \d{{1,10}}) copied {_SIZE} in {_SIZE}, completed on (?P<end>{DATE})"
)
_MAPPING: Final = re.compile(rf"(?P<bytes>{_SIZE}) memory used for removed device mappings")
_REMOVAL_CANCELED: Final = re.compile(rf"Removal of (?P<vdev>.+) canceled on (?P<end>{DATE})")
_EVACUATION: Final = re.compile(rf"Evacuation of (?P<vdev>.+) in progress since (?P<start>{DATE})")
_EXPANDED: Final = re.compile(rf"expanded (?P<vdev>.+) copied {_SIZE} in {_TOOK},? on (?P<end>{DATE})")
_EXPANSION_CANCELED: Final = re.compile(rf"expansion of (?P<vdev>.+) canceled on (?P<end>{DATE})")
_EXPANSION: Final = re.compile(rf"expansion of (?P<vdev>.+) in progress since (?P<start>{DATE})")
_PERCENT_DONE: Final = re.compile(r"(?P<percent>[\w.+-]{1,12})% done")
_CHECKPOINT: Final = re.compile(rf"created (?P<at>{DATE}), consumes (?P<bytes>\S+)")
_DISCARDING: Final = re.compile(r"discarding, (?P<bytes>\S+) remaining\.?")


def read_scan(tool: str, section: Section) -> Scan | None:
    """One scan; None if there was none. An unknown format keeps ZFS's text as the state."""
    first = section.first
    try:
        if found := _FINISHED.fullmatch(first):
            return _finished(found)
        if found := _SCRUBBED.fullmatch(first):
            end = epoch(found["end"])
            return Scan("error scrub", "finished", end - duration(found["took"]), end, percent=100.0)
        if found := _CANCELED.fullmatch(first):
            return Scan(found["function"], "canceled", end=epoch(found["end"]), vdev=found["vdev"])
        if found := _RUNNING.fullmatch(first):
            return _running(found, section.more)
    except ValueError as error:
        raise ParseError(tool, section.line_no, first, str(error)) from error
    if not first or first.startswith("none requested"):
        return None
    function, _, state = first.partition(" ")
    return Scan(function, state or function)


def read_removal(tool: str, section: Section) -> PoolActivity:
    """Removal of a top-level vdev, running or the last one."""
    first = section.first
    try:
        if found := _REMOVED.fullmatch(first):
            end, mapping = epoch(found["end"]), _mapping(section.more)
            return PoolActivity("removal", found["vdev"], "finished", 100.0, end=end, mapping_bytes=mapping)
        if found := _REMOVAL_CANCELED.fullmatch(first):
            return PoolActivity("removal", short_name(found["vdev"]), "canceled", end=epoch(found["end"]))
        if found := _EVACUATION.fullmatch(first):
            start = epoch(found["start"])
            return PoolActivity("removal", short_name(found["vdev"]), "active", _done(section.more), start)
    except ValueError as error:
        raise ParseError(tool, section.line_no, first, str(error)) from error
    return PoolActivity("removal", None, prose(first))


def _mapping(more: Sequence[str]) -> int | None:
    """Memory of the mapping of a removed vdev; ZFS omits 0."""
    found = (_MAPPING.fullmatch(line.strip()) for line in more)
    return next((number(each["bytes"]).value for each in found if each), None)


def read_expansion(tool: str, section: Section) -> PoolActivity:
    """Expansion of a raidz vdev, running or the last one."""
    first = section.first
    try:
        if found := _EXPANDED.fullmatch(first):
            end = epoch(found["end"])
            start = end - duration(found["took"])
            return PoolActivity("raidz_expand", found["vdev"], "finished", 100.0, start, end)
        if found := _EXPANSION_CANCELED.fullmatch(first):
            return PoolActivity("raidz_expand", found["vdev"], "canceled", end=epoch(found["end"]))
        if found := _EXPANSION.fullmatch(first):
            is_waiting = any(", paused" in line for line in section.more)
            state = "suspended" if is_waiting else "active"
            start = epoch(found["start"])
            return PoolActivity("raidz_expand", found["vdev"], state, _done(section.more), start)
    except ValueError as error:
        raise ParseError(tool, section.line_no, first, str(error)) from error
    return PoolActivity("raidz_expand", None, prose(first))


def read_checkpoint(tool: str, section: Section) -> tuple[int | None, int | None, PoolActivity | None]:
    """Bytes held by a checkpoint, its creation time, and its discard if running."""
    first = section.first
    try:
        if found := _CHECKPOINT.fullmatch(first):
            return number(found["bytes"]).value, epoch(found["at"]), None
    except ValueError as error:
        raise ParseError(tool, section.line_no, first, str(error)) from error
    state = "active" if _DISCARDING.fullmatch(first) else prose(first)
    return None, None, PoolActivity("checkpoint_discard", None, state)


def _finished(found: re.Match[str]) -> Scan:
    end = epoch(found["end"])
    is_sequential = found["vdev"] is not None  # its duration excludes interruptions
    return Scan(
        "scrub" if found["function"] == "scrub repaired" else "resilver",
        "finished",
        start=None if is_sequential else end - duration(found["took"]),
        end=end,
        percent=100.0,
        repaired_bytes=number(found["bytes"]).value,
        errors=int(found["errors"]),
        vdev=found["vdev"],
    )


def _running(found: re.Match[str], more: Sequence[str]) -> Scan:
    """A running scan."""
    lines = [line.strip() for line in more]
    is_paused = found["state"] == "paused"
    start = None if is_paused else epoch(found["at"])
    examined = to_examine = issued = to_issue = repaired = done = None
    for line in lines:
        if started := _STARTED.fullmatch(line):
            start = epoch(started["start"])
        elif amounts := _ISSUED.fullmatch(line) or _ISSUED_BEFORE.fullmatch(line):
            examined, issued = integer(amounts["examined"]), integer(amounts["issued"])
            to_examine = integer(amounts["to_examine"])
            to_issue = integer(amounts.groupdict().get("to_issue") or amounts["to_examine"])
        elif progress := _DONE.fullmatch(line):
            repaired = integer(progress["bytes"]) if progress["bytes"] else None
            done = percent(progress["percent"])
    return Scan(
        found["function"],
        "paused" if is_paused else "scanning",
        start=start,
        percent=done,
        to_examine_bytes=to_examine,
        examined_bytes=examined,
        issued_bytes=issued,
        to_issue_bytes=to_issue,
        repaired_bytes=repaired,
        vdev=found["vdev"],
    )


def _done(lines: Sequence[str]) -> float | None:
    found = next(filter(None, map(_PERCENT_DONE.search, lines)), None)
    return None if found is None else percent(found["percent"])

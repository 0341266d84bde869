"""News of repairs: what changed between two readings that a user who looks elsewhere is called for."""

from __future__ import annotations

from typing import Final

from zconsole.base.fixed_width_formatting import MINUTE, duration, moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState, RepairTrouble

_OVER: Final = frozenset({RepairStepState.DONE, RepairStepState.NOT_NEEDED})
_WAITED_FOR: Final = frozenset({RepairStepKind.TAKE_OUT, RepairStepKind.NEW_DISK})


@dataclass(frozen=True, slots=True)
class RepairNews:
    """One sentence on a repair, in a style."""

    host: str
    pool: str
    words: str
    style: str


def news(before: Repair, after: Repair | None, scan: Scan | None) -> RepairNews | None:
    """What a user is called for since the reading before.

    `after` is None once nothing is left to do; `scan` is the pool's scan now.
    """
    if after is None:
        return (
            _of(before, f"{_ended(scan)}: {before.device.label} needs no further step", "ok")
            if _copies(before)
            else None
        )
    if bool(after.alarm) is not bool(before.alarm) or after.is_stop is not before.is_stop:
        return _of(
            after, after.alarm or f"the alarm is over; next: {_next(after)}", "bad" if after.alarm else "ok"
        )
    if after.trouble is RepairTrouble.NEW_DISK_FAILED is not before.trouble:
        return _of(after, f"the new disk failed; next: {_next(after)}", "bad")
    if _has_copied(before, after):
        return _of(after, f"{_ended(scan)}; next: {_next(after)}", "ok")
    was, now = before.current, after.current
    if was is None or now is None:
        return None
    if was.kind is not now.kind and was.kind in _WAITED_FOR and now.state is RepairStepState.NOW:
        return _of(after, f"{was.kind.value}: done; next: {_next(after)}", "info")
    if was.kind is now.kind and was.state is RepairStepState.HELD and now.state is RepairStepState.NOW:
        return _of(after, f"{now.kind.value} can continue now", "info")
    return None


def while_away(repair: Repair, scan: Scan | None) -> RepairNews | None:
    """What became of a repair that this account began, while no console was open."""
    begun = repair.runs[-1] if repair.runs else None
    if begun is None or scan is None or scan.function != "resilver":
        return None
    since = begun.ended if begun.ended is not None else begun.at
    if scan.state == "finished" and scan.end is not None and scan.end > since:
        took = f" after {duration(scan.end - scan.start)}" if scan.start is not None else ""
        errors = f", {scan.errors} errors" if scan.errors else ", no errors"
        ended = f"the resilver ended {moment(scan.end, MINUTE)} UTC{took}{errors}"
        return _of(
            repair, f"while you were away {ended}; next: {_next(repair)}", "warn" if scan.errors else "ok"
        )
    return None


def _copies(repair: Repair) -> bool:
    return repair.step(RepairStepKind.RESILVER).state is RepairStepState.NOW


def _has_copied(before: Repair, after: Repair) -> bool:
    """Whether the copy ended since; it may have begun since as well, as over a lost link."""
    was, now = (each.step(RepairStepKind.RESILVER).state for each in (before, after))
    return now in _OVER if was is RepairStepState.NOW else now is RepairStepState.DONE and was not in _OVER


def _ended(scan: Scan | None) -> str:
    """What is known of the end of the resilver."""
    if scan is None or scan.function != "resilver" or scan.state != "finished":
        return "the replacement ended"
    return f"the resilver ended with {scan.errors} errors" if scan.errors else "the resilver ended"


def _next(repair: Repair) -> str:
    current = repair.current
    return "nothing" if current is None else current.kind.value


def _of(repair: Repair, words: str, style: str) -> RepairNews:
    return RepairNews(repair.host, repair.pool, f"{repair.pool}: {words}", style)

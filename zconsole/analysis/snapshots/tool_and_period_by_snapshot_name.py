"""Snapshot schedules by name: the tool that took a snapshot, and its period.

Every tool has its own naming scheme; names that match none are manual or unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

MANUAL: Final = "manual"
SANOID: Final = "sanoid"
SYNCOID: Final = "syncoid"
KINDS: Final = ("frequent", "hourly", "daily", "weekly", "monthly", "yearly")
_WORDS: Final = {
    "frequently": "frequent",
    "frequent": "frequent",
    **{kind: kind for kind in KINDS[1:]},
}


@dataclass(frozen=True, slots=True)
class ScheduleName:
    """Tool, kind of snapshot (empty if none), and replication target, if any.

    `named_at` is the time in the name: most tools write the host's local time.
    """

    tool: str = MANUAL
    kind: str = ""
    named_at: datetime | None = None
    peer: str = ""  # for snapshots made by a replication: its target, if the name has it

    @property
    def label(self) -> str:
        """`sanoid hourly`, `zrepl`, `manual`."""
        return f"{self.tool} {self.kind}".strip()


_Maker = Callable[[re.Match[str]], ScheduleName]


def family_of(snapshot: str) -> ScheduleName:
    """The schedule of a snapshot, from its name with or without dataset."""
    short = snapshot.rpartition("@")[2]
    for pattern, make in _FAMILIES:
        found = pattern.fullmatch(short)
        if found is not None:
            return make(found)
    return ScheduleName()


def _sanoid(found: re.Match[str]) -> ScheduleName:
    return ScheduleName(SANOID, _WORDS[found["kind"]], _time(found["at"], "%Y-%m-%d_%H:%M:%S"))


def _auto_snapshot(found: re.Match[str]) -> ScheduleName:
    return ScheduleName("zfs-auto-snapshot", _WORDS[found["kind"]], _time(found["at"], "%Y-%m-%d-%H%M"))


def _zrepl(found: re.Match[str]) -> ScheduleName:
    return ScheduleName("zrepl", "", _time(found["at"], "%Y%m%d_%H%M%S"))


def _autobackup(found: re.Match[str]) -> ScheduleName:
    return ScheduleName("zfs_autobackup", "", _time(found["at"], "%Y%m%d%H%M%S"), found["name"])


def _syncoid(found: re.Match[str]) -> ScheduleName:
    return ScheduleName(SYNCOID, "", _time(found["at"], "%Y-%m-%d:%H:%M:%S"), found["peer"])


def _time(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None


_FAMILIES: Final[tuple[tuple[re.Pattern[str], _Maker], ...]] = (
    (
        re.compile(
            r"autosnap_(?P<at>\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d)_"
            r"(?P<kind>frequently|hourly|daily|weekly|monthly|yearly)",
            re.ASCII,
        ),
        _sanoid,
    ),
    (
        re.compile(
            r"zfs-auto-snap_(?P<kind>frequent|hourly|daily|weekly|monthly|yearly)-"
            r"(?P<at>\d{4}-\d\d-\d\d-\d{4})",
            re.ASCII,
        ),
        _auto_snapshot,
    ),
    (re.compile(r"zrepl_(?P<at>\d{8}_\d{6})_\d{3}", re.ASCII), _zrepl),
    (
        re.compile(
            r"syncoid_(?P<peer>.+?)_(?P<at>\d{4}-\d\d-\d\d:\d\d:\d\d:\d\d)(-GMT[+-]?\d\d:\d\d)?", re.ASCII
        ),
        _syncoid,
    ),
    (re.compile(r"(?P<name>[A-Za-z][\w.:-]*?)-(?P<at>(?:19|20)\d{12})", re.ASCII), _autobackup),
)

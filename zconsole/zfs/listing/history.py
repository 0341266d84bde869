"""`zpool history -il`: commands run on a pool, their users, and the pool's internal events."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterator, Sequence
from time import strptime
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command

TOOL: Final = "zpool history"
TIMEOUT_S: Final = 60.0
MAX_BYTES: Final = 16 * 1024 * 1024  # the newest records: a pool keeps up to 1 GiB of them
_HEAD: Final = re.compile(r"History for '(.*)':")
_RECORD: Final = re.compile(r"(\d{4}-\d\d-\d\d\.\d\d:\d\d:\d\d) (.*)", re.ASCII | re.DOTALL)
_ACTOR: Final = re.compile(
    r"(.*?) ?\[user (\d{1,10}) \(([^()\n]{0,64})\) on ([^\]\[\n]{0,255})\]", re.ASCII | re.DOTALL
)
_INTERNAL: Final = re.compile(
    r"\[txg:(\d{1,20})\] (.*?)(?: ?\[on ([^\]\[\n]{0,255})\])?", re.ASCII | re.DOTALL
)
_IOCTL: Final = re.compile(r"(?:\(\d+ms\) )?ioctl ", re.ASCII)
_ROLLBACK: Final = re.compile(
    r"(?:\(\d+ms\) )?ioctl rollback\n +input:\n +target: '([^'\n]+)'\n.*", re.ASCII | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class HistoryRecord:
    """One record. A command has a `user`, an internal event a `txg`; `at` is epoch seconds."""

    at: int
    text: str
    user: str = ""
    host: str = ""
    txg: int | None = None

    @property
    def is_command(self) -> bool:
        """Whether it is a zpool or zfs command as typed: ZFS records those that succeeded."""
        return self.txg is None and not _IOCTL.match(self.text)

    @property
    def rolled_back_to(self) -> str | None:
        """The snapshot of a rollback ioctl, from a command or from a direct caller."""
        found = None if self.txg is not None else _ROLLBACK.fullmatch(f"{self.text}\n")
        return None if found is None else found[1]


def history(pool: str) -> Command:
    """Print the history with internal events and users, of which the newest are kept; requires root."""
    argv = ("zpool", "history", "-il", pool)
    return Command(argv, timeout_s=TIMEOUT_S, max_bytes=MAX_BYTES, keeps_end=True)


def parse_history(text: str | bytes, *, is_cut: bool = False) -> tuple[HistoryRecord, ...]:
    """The records, oldest first. Lines that begin no record continue the previous one.

    With `is_cut` the text may begin within a record, which is left out.
    """
    return tuple(_records(text, is_cut=is_cut))


def settings_in(words: Sequence[str]) -> frozenset[tuple[str, str, str]]:
    """Tool, object and property of each setting of a command that sets or inherits properties."""
    if len(words) < 4:  # `zfs inherit PROPERTY NAME`
        return frozenset()
    tool, verb, *given, name = words
    match verb:
        case "set":
            keys = [word.partition("=")[0] for word in given if "=" in word]
        case "inherit":
            keys = [word for word in given if not word.startswith("-")]
        case _:
            keys = []
    return frozenset((tool, name, key) for key in keys)


def _records(text: str | bytes, *, is_cut: bool) -> Iterator[HistoryRecord]:
    begun: list[str] = []
    begun_at = 0
    for line_no, line in whole_lines(TOOL, text):
        if _RECORD.fullmatch(line) or _HEAD.fullmatch(line):
            if begun:
                yield _record(begun, begun_at)
            begun, begun_at = [] if _HEAD.fullmatch(line) else [line], line_no
            is_cut = False
        elif begun:
            begun.append(line)
        elif line and not is_cut:
            raise ParseError(TOOL, line_no, line, "expected a record")
    if begun:
        yield _record(begun, begun_at)


def _record(lines: Sequence[str], line_no: int) -> HistoryRecord:
    found = _RECORD.fullmatch("\n".join(lines).rstrip("\n"))
    assert found is not None  # noqa: S101 - it began with the line of a record
    try:
        at, rest = timegm(strptime(found[1], "%Y-%m-%d.%H:%M:%S")), found[2]
    except ValueError as error:
        raise ParseError(TOOL, line_no, lines[0], "not a time") from error
    internal = _INTERNAL.fullmatch(rest)
    if internal is not None:
        return HistoryRecord(at, internal[2].rstrip(), host=internal[3] or "", txg=int(internal[1]))
    actor = _ACTOR.fullmatch(rest)
    if actor is not None:
        return HistoryRecord(at, actor[1], user=actor[3], host=actor[4].rpartition(":")[0] or actor[4])
    return HistoryRecord(at, rest)

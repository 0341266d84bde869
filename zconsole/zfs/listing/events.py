"""`zpool events -v`: events of a host's pools as they happen."""

from __future__ import annotations

import re
from calendar import timegm
from functools import lru_cache
from sys import intern
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.event import Event

TOOL: Final = "zpool events"
DROPPED: Final = "dropped"  # class of zconsole's own event: number of events lost by the kernel
MAX_EVENT_CHARACTERS: Final = 256 * 1024
SHARED_CHARACTERS: Final = 64
SHARED_FIELDS: Final = 256  # half of those of an event are the same in the next one

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_HEADER: Final = re.compile(
    r"(?P<month>[A-Z][a-z]{2}) (?P<day>[ \d]\d) (?P<year>\d{4}) "
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)\.(?P<ns>\d{9}) (?P<class>\S+)",
    re.ASCII,
)
_TITLE: Final = re.compile(r"TIME +CLASS")
_DROPPED: Final = re.compile(r"dropped (\d{1,20}) events", re.ASCII)
_FIELD: Final = re.compile(r" {8,}([^\s=()\"]+) = (.*)", re.ASCII | re.DOTALL)
_END: Final = re.compile(r" {8,}\(end [^\s=()\"]+\)", re.ASCII)
_TIME: Final = re.compile(r"0x([0-9a-f]{1,16}) 0x([0-9a-f]{1,8})", re.ASCII)
_HEX: Final = re.compile(r"0x([0-9a-f]{1,16})", re.ASCII)
_STRING_END: Final = re.compile(
    r"\"(?: | \(0x[0-9a-f]+\))?\Z"
)  # the end of an array element or of a state has more after it
_EMBEDDED: Final = "(embedded nvlist)"
_NS: Final = 1_000_000_000


def follow() -> Command:
    """Print all events in the kernel's buffer, then each new one, endlessly."""
    return Command(("zpool", "events", "-v", "-f"))


def recent() -> Command:
    """Print all events in the kernel's buffer."""
    return Command(("zpool", "events", "-v"))


class EventReader:
    """Incremental parser of `zpool events -v` output; an event ends with a blank line."""

    def __init__(self) -> None:
        self._rest = b""
        self._block: list[list[str]] = []  # the lines of each field
        self._size = 0
        self._is_in_string = False
        self._has_begun = False
        self._line_no = 0

    def feed(self, chunk: bytes) -> list[Event]:
        """The events completed by this chunk."""
        whole, newline, self._rest = (self._rest + chunk).rpartition(b"\n")
        events: list[Event] = []
        if newline:
            for line in whole.decode("utf-8", "replace").split("\n"):
                self._line_no += 1
                event = self._take(line)
                if event is not None:
                    events.append(event)
        if len(self._rest) > MAX_EVENT_CHARACTERS:
            raise ParseError(TOOL, self._line_no + 1, self._rest[:256].decode("utf-8", "replace"), "no end")
        return events

    def _take(self, line: str) -> Event | None:
        if not line and not self._is_in_string:
            return self._end_block()
        if not self._block:
            return self._begin_block(line)
        if self._is_in_string and _HEADER.fullmatch(line):
            event = self._end_block()
            self._block, self._size = [[line]], len(line)
            return event
        self._size += len(line)
        if self._size > MAX_EVENT_CHARACTERS:
            raise ParseError(TOOL, self._line_no, line, "the event does not end")
        self._append(line)
        return None

    def _begin_block(self, line: str) -> Event | None:
        dropped = _DROPPED.fullmatch(line)
        if dropped:
            return Event(None, DROPPED, None, None, (("events", dropped[1]),))
        if _TITLE.fullmatch(line):
            return None
        if _HEADER.fullmatch(line):
            self._block, self._size, self._has_begun = [[line]], len(line), True
        elif not self._has_begun:
            raise ParseError(TOOL, self._line_no, line, "not the beginning of an event")
        return None  # or the rest of a string that broke its event: wait for the next one

    def _append(self, line: str) -> None:
        """A field, or the continuation of a string with a line break."""
        if self._is_in_string:
            self._block[-1].append(line)
            self._is_in_string = not _is_closed(line)
            return
        field = _FIELD.fullmatch(line)
        if field is None and not _END.fullmatch(line):
            if len(self._block) == 1:
                raise ParseError(TOOL, self._line_no, line, "not a field")
            self._block[-1].append(line)
            return
        self._block.append([line])
        self._is_in_string = field is not None and field[2][:1] == '"' and not _is_closed(field[2][1:])

    def _end_block(self) -> Event | None:
        block, self._block, self._is_in_string = self._block, [], False
        return _event(["\n".join(lines) for lines in block], self._line_no) if block else None


def parse_events(text: str) -> tuple[Event, ...]:
    """All complete events of an output, oldest first."""
    return tuple(EventReader().feed(text.encode("utf-8", "replace")))


def _is_closed(text: str) -> bool:
    return _STRING_END.search(text) is not None


def _event(block: list[str], line_no: int) -> Event:
    header = _HEADER.fullmatch(block[0])
    if header is None:
        raise ParseError(TOOL, line_no, block[0], "not the beginning of an event")
    fields = tuple(_fields(block[1:]))
    # user text is between the first and the last occurrence
    first, last = dict(reversed(fields)), dict(fields)
    eid = _HEX.fullmatch(last.get("eid", ""))
    time = _TIME.fullmatch(last.get("time", ""))
    return Event(
        at=int(time[1], 16) + int(time[2], 16) / _NS if time else _header_time(header, line_no),
        event_class=first.get("class", header["class"]),
        pool=first.get("pool"),
        eid=int(eid[1], 16) if eid else None,
        fields=fields,
    )


def _fields(lines: list[str]) -> list[tuple[str, str]]:
    """Names and values; those of a nested list are prefixed with its name."""
    fields: list[tuple[str, str]] = []
    within: list[str] = []
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is not None:
            name, value = field.groups()
            fields.append(_field(intern(".".join((*within, name))), _value(value)))
            if value == _EMBEDDED:
                within.append(name)
        elif within:
            within.pop()
    return fields


def _field(name: str, value: str) -> tuple[str, str]:
    """A field, once in memory where it is short: the names of hosts, pools and classes come again."""
    return _shared(name, intern(value)) if len(value) <= SHARED_CHARACTERS else (name, value)


@lru_cache(maxsize=SHARED_FIELDS)
def _shared(name: str, value: str) -> tuple[str, str]:
    return name, value


def _value(printed: str) -> str:
    """A string or state without its quotes; numbers and arrays, which end with a blank, unchanged."""
    if printed[:1] == '"' and not printed.endswith(" "):
        return _STRING_END.sub("", printed[1:])
    return printed.removesuffix(" ")


def _header_time(header: re.Match[str], line_no: int) -> float:
    if header["month"] not in _MONTHS:
        raise ParseError(TOOL, line_no, header[0], "not a month")
    moment = (
        int(header["year"]),
        _MONTHS.index(header["month"]) + 1,
        *(int(header[part]) for part in ("day", "hour", "minute", "second")),
    )
    try:
        return timegm((*moment, 0, 0, 0)) + int(header["ns"]) / _NS
    except ValueError as error:
        raise ParseError(TOOL, line_no, header[0], "not a time") from error

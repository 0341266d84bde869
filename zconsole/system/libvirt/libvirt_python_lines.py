"""Calls of `libvirt_python_child.py`: argv, requests, and what its lines say."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from zconsole.base.bounded_json import load_json
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import GuestStatus
from zconsole.system.libvirt import libvirt_python_child
from zconsole.system.libvirt.domain_stats import status_of
from zconsole.system.libvirt.domain_xml import UUID
from zconsole.system.libvirt.events import GuestEvent

TOOL: Final = "libvirt-python"
PROGRAM: Final = libvirt_python_child.__file__
UNAVAILABLE: Final = libvirt_python_child.UNAVAILABLE
STATUSES, UUIDS, DEFINITION, DISK_ERRORS = "statuses", "uuids", "definition", "disk-errors"
VOLUME_PATH: Final = "volume-path"
LONGEST_LINE: Final = 16 << 20  # bytes; 500 guests with ten disks each have 3 MB
MOST_EVENTS: Final = 100  # kinds
_SYSTEM: Final = "/usr/bin/python3"  # distributions package libvirt-python for it
_ISOLATED: Final = "-I"  # no PYTHONPATH, no user packages, nothing from the working directory
_SHORTEST: Final = 80  # characters of a line in an error

Way = tuple[str, ...]
Statuses = list[tuple[str, dict[str, object]]]  # what `parse_statuses` takes


@dataclass(frozen=True, slots=True)
class LibvirtReady:
    """libvirt was connected to; the kinds of events that it tells of."""

    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LibvirtAnswer:
    """Answer to a request; with an `error` there is no value."""

    number: int
    value: object = None
    error: str = ""


LibvirtLine = LibvirtReady | LibvirtAnswer | GuestEvent


def ways() -> tuple[Way, ...]:
    """The possible argv prefixes: the system's Python, and the one that runs zconsole."""
    return tuple(
        (python, _ISOLATED, PROGRAM) for python in dict.fromkeys((_SYSTEM, sys.executable)) if python
    )


def serve(way: Way, connection: str, socket: str) -> Command:
    """Connect to the libvirt of a socket of this machine; `connection` is its URI on its own host."""
    name = "session" if connection.endswith("/session") else "system"
    return Command((*way, f"qemu+unix:///{name}?socket={quote(socket)}"))


def request(number: int, verb: str, subject: str = "") -> bytes:
    """One request, of a guest by its uuid, of a volume as `POOL/VOLUME`."""
    about = {"volume" if verb == VOLUME_PATH else "uuid": subject} if subject else {}
    return json.dumps({"id": number, "verb": verb, **about}).encode("ascii") + b"\n"


class LibvirtLineReader:
    """Turns the child's stdout, cut anywhere, into lines. Raises ParseError for what it never prints."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> Iterator[LibvirtLine]:
        """The lines that this chunk completes."""
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            whole, self._rest = bytes(self._rest) + line, bytearray()
            yield _read(whole.decode("utf-8", "surrogateescape"))
        self._rest += rest
        if len(self._rest) > LONGEST_LINE:
            raise ParseError(TOOL, 1, "", f"a line longer than {LONGEST_LINE} bytes")


def _read(text: str) -> LibvirtLine:
    match load_json(TOOL, text):
        case {"ready": {"events": list(events)}} if _are_words(events):
            return LibvirtReady(tuple(map(str, events[:MOST_EVENTS])))
        case {"event": str(kind), "guest": str(guest), "words": str(words)}:
            return GuestEvent(kind, guest, words)
        case {"id": int(number), "error": str(error)}:
            return LibvirtAnswer(number, error=error or "no reason given")
        case {"id": int(number), "answer": value}:
            return LibvirtAnswer(number, value)
        case _:
            raise _unexpected(text)


def parse_statuses(answer: object) -> tuple[GuestStatus, ...]:
    """States and counters of all guests. Raises ParseError."""
    found = []
    for each in _list(answer):
        match each:
            case [str(name), dict(values)] if name:
                found.append(status_of(name, {str(key): str(value) for key, value in values.items()}))
            case _:
                raise _unexpected(str(each))
    return tuple(found)


def parse_uuids(answer: object) -> tuple[str, ...]:
    """The guests of libvirt. Raises ParseError."""
    uuids = _list(answer)
    for each in uuids:
        if not isinstance(each, str) or not UUID.fullmatch(each):
            raise _unexpected(str(each))
    return tuple(map(str, uuids))


def parse_errors_of_disks(answer: object) -> dict[str, str]:
    """Errors by the targets of the disks. Raises ParseError."""
    if not isinstance(answer, dict) or not _are_words([*answer, *answer.values()]):
        raise _unexpected(str(answer))
    return {str(disk): str(error) for disk, error in answer.items()}


def parse_definition(answer: object) -> str:
    """The XML of a guest. Raises ParseError."""
    if not isinstance(answer, str):
        raise _unexpected(str(answer))
    return answer


def parse_volume_path(answer: object) -> str:
    """The path of a volume. Raises ParseError."""
    if not isinstance(answer, str):
        raise _unexpected(str(answer))
    return answer


def _list(answer: object) -> list[object]:
    if not isinstance(answer, list):
        raise _unexpected(str(answer))
    return answer


def _are_words(values: list[object]) -> bool:
    return all(isinstance(each, str) for each in values)


def _unexpected(text: str) -> ParseError:
    return ParseError(TOOL, 1, text[:_SHORTEST], "not what the child prints")

"""Replayed host: answers from a recording with its original timing.

Replay time starts at the first `connect`. A command, file or connection gets the newest answer recorded up to
now; before the first answer, the first; after the end, the last. A new stream yields at once all output that
its newest recording has produced so far, then each chunk at its time; it ends as recorded, and stays silent
when the recording ended first.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import field
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import open_regular, read_bounded
from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import (
    EXCERPT_CHARACTERS,
    CommandFailed,
    ConfigError,
    HostError,
    HostKeyChanged,
    HostUnreachable,
    LinkLost,
    Stuck,
    UsageError,
    ZfsMissing,
)
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.build_command_results import NOT_FOUND, NOT_RECORDED, never_started
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.recorded.record_host_answers import ABOUT_FILE, BLOBS, FORMAT, INDEX_FILE

DAMAGED: Final = "The recording was damaged or changed after it was made: record again."
LONGEST_ABOUT: Final = 64 * 1024
LONGEST_INDEX: Final = 1 << 30
LONGEST_LINE: Final = 16 << 20  # a command with some hundred thousand snapshot names
LONGEST_BLOB: Final = 256 << 20  # four times the maximum output of a command
LONGEST_S: Final = 100 * 365 * 86400.0
LONGEST_EPOCH_S: Final = 253_402_300_799.0  # the end of the year 9999, the last that can be formatted
LARGEST: Final = 1 << 63
_DAMAGE: Final = (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_ERRORS: Final[dict[str, type[HostError]]] = {
    kind.__name__: kind for kind in (HostUnreachable, HostKeyChanged, LinkLost, Stuck, ZfsMissing)
}
_OS_ERRORS: Final = {"FileNotFoundError": errno.ENOENT, "PermissionError": errno.EACCES}


@dataclass(frozen=True, slots=True)
class _Error:
    type: str
    message: str
    hint: str
    said: str

    def raised(self, path: str = "") -> HostError | OSError:
        """The recorded error; a host key question becomes HostUnreachable, because it cannot be answered."""
        if number := _OS_ERRORS.get(self.type):
            return OSError(number, os.strerror(number), path)
        if self.type == "CommandFailed":
            return CommandFailed(self.message, said=self.said, hint=self.hint)
        kind = HostUnreachable if self.type == "HostKeyUnknown" else _ERRORS.get(self.type, HostError)
        return kind(self.message, hint=self.hint)


@dataclass(frozen=True, slots=True)
class _Event:
    t: float
    error: _Error | None = None
    data: str = ""
    stdout: str = ""
    stderr: str = ""
    outcome: str = ""
    status: int | None = None
    reason: str = ""
    duration_s: float = 0.0


@dataclass(slots=True)
class _Stream:
    t: float
    chunks: list[_Event] = field(default_factory=list)
    end: _Event | None = None


@dataclass(slots=True)
class _Index:
    """Recorded events by what they answer."""

    connects: list[_Event] = field(default_factory=list)
    marks: list[tuple[float, str]] = field(default_factory=list)
    runs: dict[tuple[str, ...], list[_Event]] = field(default_factory=dict)
    reads: dict[str, list[_Event]] = field(default_factory=dict)
    streams: dict[tuple[str, ...], list[_Stream]] = field(default_factory=dict)
    length_s: float = 0.0


class RecordedHost:
    """Host that repeats recorded answers."""

    def __init__(self, folder: Path, clock: Clock | None = None, *, speed: float = 1.0) -> None:
        self._folder = folder
        self._clock = clock or SystemClock()
        self._speed = speed
        self._began: float | None = None
        about = _read_about(folder)
        self._label = about[0]
        self.started = about[1]
        self._index = _read_index(folder / INDEX_FILE)

    @property
    def label(self) -> str:
        return self._label

    @property
    def length_s(self) -> float:
        """Length of the recording in seconds."""
        return self._index.length_s

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """Marks of the recording: epoch seconds and text."""
        return tuple((self.started + t, words) for t, words in self._index.marks)

    async def connect(self) -> None:
        if self._began is None:
            self._began = self._clock.monotonic()
        event = self._newest(self._index.connects)
        if event is not None and event.error is not None:
            raise event.error.raised()

    async def run(self, command: Command) -> Completed:
        runs = self._index.runs
        event = self._newest(runs.get(command.argv) or _with_fewer_columns(runs, command.argv))
        if event is None:
            return never_started(command, NOT_RECORDED, status=NOT_FOUND)
        if event.error is not None:
            raise event.error.raised()
        return Completed(
            command,
            Outcome(event.outcome),
            event.status,
            self.blob(event.stdout),
            self.blob(event.stderr),
            event.reason,
            event.duration_s,
        )

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        kept = self._index.streams.get(command.argv, [])
        if not kept:
            name = command.argv[0] if command.argv else "nothing"
            raise CommandFailed(f"{name} on {self.label}: {NOT_RECORDED}")
        newest = bisect_right(kept, self._now(), key=lambda stream: stream.t)
        yield _Pieces(self, kept[max(0, newest - 1)])

    def is_lingering(self, command: Command) -> bool:
        """Always False: nothing runs here."""
        del command
        return False

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        event = self._newest(self._index.reads.get(path, []))
        if event is None:
            raise FileNotFoundError(errno.ENOENT, NOT_RECORDED, path)
        if event.error is not None:
            raise event.error.raised(path)
        data = self.blob(event.data)
        if len(data) > max_bytes:
            raise CommandFailed(f"{path} is larger than {max_bytes} bytes")
        return data

    async def close(self) -> None:
        """Nothing to close; replay time continues."""

    def _now(self) -> float:
        return 0.0 if self._began is None else (self._clock.monotonic() - self._began) * self._speed

    def _newest(self, events: list[_Event]) -> _Event | None:
        if not events:
            return None
        return events[max(0, bisect_right(events, self._now(), key=lambda event: event.t) - 1)]

    def blob(self, name: str) -> bytes:
        """The bytes of a blob."""
        if not name:
            return b""
        try:
            with _opened(self._folder / BLOBS, os.O_NOFOLLOW) as blobs:
                return read_bounded(name, LONGEST_BLOB, folder=blobs)
        except FileNotFoundError as error:
            raise HostError(f"the recording in {self._folder} lacks {BLOBS}/{name}") from error
        except OSError as error:
            raise HostError(f"{self._folder / BLOBS / name}: {error.strerror}", hint=DAMAGED) from error

    async def until(self, t: float) -> None:
        """Wait for a time of the recording."""
        left_s = (t - self._now()) / self._speed
        if left_s > 0:
            await self._clock.sleep(left_s)


class _Pieces:
    """Iterator of a recorded stream."""

    def __init__(self, host: RecordedHost, stream: _Stream) -> None:
        self._host = host
        self._chunks = stream.chunks
        self._end = stream.end
        self._given = 0

    def __aiter__(self) -> _Pieces:
        return self

    async def __anext__(self) -> bytes:
        if self._given < len(self._chunks):
            chunk = self._chunks[self._given]
            await self._host.until(chunk.t)  # cancelling the wait loses nothing
            self._given += 1
            return self._host.blob(chunk.data)
        if self._end is None or self._end.error is None:
            await asyncio.Event().wait()
            raise AssertionError
        await self._host.until(self._end.t)
        raise self._end.error.raised()


@contextmanager
def _opened(folder: Path, flags: int = 0) -> Iterator[int]:
    """Open a folder by descriptor, so that its files cannot be redirected elsewhere. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read_about(folder: Path) -> tuple[str, float]:
    try:
        with _opened(folder) as opened:
            about = json.loads(read_bounded(ABOUT_FILE, LONGEST_ABOUT, folder=opened))
        version = about["format"]
        if version == FORMAT:
            return _text(about, "label"), _number(about, "started", LONGEST_EPOCH_S)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{folder} holds no recording", hint="zconsole record DIR makes one.") from error
    except _DAMAGE as error:
        raise ConfigError(f"{folder / ABOUT_FILE} cannot be read: {_why(error)}", hint=DAMAGED) from error
    raise ConfigError(f"{folder} is a recording of format {str(version)[:20]}; this program reads {FORMAT}")


def _read_index(file: Path) -> _Index:
    index = _Index()
    by_number: dict[int, _Stream] = {}
    line_no = size = 0
    try:
        with _opened(file.parent) as opened, os.fdopen(open_regular(file.name, folder=opened), "rb") as lines:
            while line := lines.readline(LONGEST_LINE):
                line_no += 1
                size += len(line)
                if len(line) == LONGEST_LINE or size > LONGEST_INDEX:
                    raise ValueError("it is longer than any recording")
                if line.endswith(b"\n"):  # a line without line break was truncated
                    _file(index, by_number, json.loads(line))
    except _DAMAGE as error:
        where = f", line {line_no}" if line_no else ""
        raise ConfigError(f"{file}{where}: {_why(error)}", hint=DAMAGED) from error
    return index


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return visible(f"{type(error).__name__}: {error}"[:EXCERPT_CHARACTERS])


def _file(index: _Index, by_number: dict[int, _Stream], line: dict[str, object]) -> None:
    """Index one event. Raises the errors in `_DAMAGE`."""
    event = _event(line)
    index.length_s = max(index.length_s, event.t)
    argv = _texts(line, "argv")
    match line["kind"]:
        case "connect":
            index.connects.append(event)
        case "run":
            index.runs.setdefault(argv, []).append(event)
        case "read":
            index.reads.setdefault(_text(line, "path"), []).append(event)
        case "open":
            stream = by_number[_whole(line, "stream")] = _Stream(event.t)
            index.streams.setdefault(argv, []).append(stream)
        case "chunk":
            by_number[_whole(line, "stream")].chunks.append(event)
        case "end":
            by_number[_whole(line, "stream")].end = event
        case "mark":
            index.marks.append((event.t, _text(line, "words")))
        case kind:
            raise ValueError(f"there is no event {kind!r}")


def _event(line: dict[str, object]) -> _Event:
    error = line.get("error")
    if error is not None and not isinstance(error, dict):
        raise TypeError("error is no object")
    outcome = _text(line, "outcome", "")
    if outcome or (line.get("kind") == "run" and error is None):
        Outcome(outcome)
    return _Event(
        t=_number(line, "t", LONGEST_S),
        error=None
        if error is None
        else _Error(
            *(_text(error, "type"), _text(error, "message")),
            _text(error, "hint", ""),
            _text(error, "said", ""),
        ),
        data=_blob(line, "data"),
        stdout=_blob(line, "stdout"),
        stderr=_blob(line, "stderr"),
        outcome=outcome,
        status=None if line.get("status") is None else _whole(line, "status"),
        reason=_text(line, "reason", ""),
        duration_s=_number(line, "duration", LONGEST_S) if "duration" in line else 0.0,
    )


def _with_fewer_columns(runs: Mapping[tuple[str, ...], list[_Event]], argv: tuple[str, ...]) -> list[_Event]:
    """Answers of the same command from before its list of columns grew at the end."""
    for kept, events in runs.items():
        if len(kept) != len(argv):
            continue
        differing = [(old, new) for old, new in zip(kept, argv, strict=True) if old != new]
        if len(differing) == 1 and differing[0][1].startswith(f"{differing[0][0]},"):
            return events
    return []


def _text(values: dict[str, object], key: str, default: str | None = None) -> str:
    value = values[key] if default is None else values.get(key, default)
    if not isinstance(value, str):
        raise TypeError(f"{key} is not text")
    return value


def _texts(values: dict[str, object], key: str) -> tuple[str, ...]:
    value = values.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(f"{key} is no list of texts")
    return tuple(value)


def _number(values: dict[str, object], key: str, most: float) -> float:
    value = values[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(f"{key} is no number from 0 to {most:g}")
    return float(value)


def _whole(values: dict[str, object], key: str) -> int:
    value = values[key]
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        raise ValueError(f"{key} is no whole number")
    return value


def _blob(line: dict[str, object], key: str) -> str:
    """Name of a blob file; rejects anything that could leave the folder."""
    name = _text(line, key, "")
    if name and not (len(name) == 64 and set(name) <= set("0123456789abcdef")):
        raise ValueError(f"{key} is no name of a blob")
    return name

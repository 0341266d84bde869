"""A host that answers from a recording, at the pace at which it was made.

Replay time begins with the first `connect`. A command, a file and a connection get the newest answer that
had come by now; before the first, the first; after the end the last ones stay, as does a screen that is
paused. A stream that is started gives, at once, all that the newest recording of it had given by now, and
then each piece in its time; it ends as it did then, and where the recording ended before it, it is silent.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
from bisect import bisect_right
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import (
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
from zconsole.hosts.answers import NOT_FOUND, never_started
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.recording import ABOUT_FILE, BLOBS, FORMAT, INDEX_FILE

NOT_RECORDED: Final = "it is not in the recording"
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
        """The error as it was; a question about a key cannot be asked again."""
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
    """All events, by what they answer."""

    connects: list[_Event] = field(default_factory=list)
    marks: list[tuple[float, str]] = field(default_factory=list)
    runs: dict[tuple[str, ...], list[_Event]] = field(default_factory=dict)
    reads: dict[str, list[_Event]] = field(default_factory=dict)
    streams: dict[tuple[str, ...], list[_Stream]] = field(default_factory=dict)
    length_s: float = 0.0


class RecordedHost:
    """Answers as the recorded host did."""

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
        """How long the recording is."""
        return self._index.length_s

    @property
    def marks(self) -> tuple[tuple[float, str], ...]:
        """The moments that somebody marked: epoch seconds, and the words."""
        return tuple((self.started + t, words) for t, words in self._index.marks)

    async def connect(self) -> None:
        if self._began is None:
            self._began = self._clock.monotonic()
        event = self._newest(self._index.connects)
        if event is not None and event.error is not None:
            raise event.error.raised()

    async def run(self, command: Command) -> Completed:
        event = self._newest(self._index.runs.get(command.argv, []))
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
        """Nothing runs here."""
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
            raise HostError(f"{path} is larger than {max_bytes} bytes")
        return data

    async def close(self) -> None:
        """Nothing to do; replay time goes on."""

    def _now(self) -> float:
        return 0.0 if self._began is None else (self._clock.monotonic() - self._began) * self._speed

    def _newest(self, events: list[_Event]) -> _Event | None:
        if not events:
            return None
        return events[max(0, bisect_right(events, self._now(), key=lambda event: event.t) - 1)]

    def blob(self, name: str) -> bytes:
        """The bytes that an event names."""
        if not name:
            return b""
        try:
            return (self._folder / BLOBS / name).read_bytes()
        except OSError as error:
            raise HostError(f"the recording in {self._folder} lacks {BLOBS}/{name}") from error

    async def until(self, t: float) -> None:
        """Wait for a moment of the recording."""
        left_s = (t - self._now()) / self._speed
        if left_s > 0:
            await self._clock.sleep(left_s)


class _Pieces:
    """The iterator of a stream that was recorded."""

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
            await self._host.until(chunk.t)  # who gives up waiting misses nothing
            self._given += 1
            return self._host.blob(chunk.data)
        if self._end is None or self._end.error is None:
            await asyncio.Event().wait()
            raise AssertionError
        await self._host.until(self._end.t)
        raise self._end.error.raised()


def _read_about(folder: Path) -> tuple[str, float]:
    try:
        about = json.loads((folder / ABOUT_FILE).read_bytes())
        label, started, version = about["label"], about["started"], about["format"]
    except FileNotFoundError as error:
        raise UsageError(f"{folder} holds no recording", hint="zconsole record DIR makes one.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{folder / ABOUT_FILE} cannot be read: {error}") from error
    if version != FORMAT:
        raise ConfigError(f"{folder} is a recording of format {version}; this program reads {FORMAT}")
    return str(label), float(started)


def _read_index(file: Path) -> _Index:
    index = _Index()
    by_number: dict[int, _Stream] = {}
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    for line_no, line in enumerate(lines[:-1], start=1):  # what follows the last line break was cut short
        try:
            _file(index, by_number, json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{file}, line {line_no}: {error!r}") from error
    return index


def _file(index: _Index, by_number: dict[int, _Stream], line: dict[str, object]) -> None:
    """Put one event where it will be looked for."""
    event = _event(line)
    index.length_s = max(index.length_s, event.t)
    argv = tuple(map(str, cast("list[object]", line.get("argv", ()))))
    match line["kind"]:
        case "connect":
            index.connects.append(event)
        case "run":
            index.runs.setdefault(argv, []).append(event)
        case "read":
            index.reads.setdefault(str(line["path"]), []).append(event)
        case "open":
            stream = by_number[_number(line)] = _Stream(event.t)
            index.streams.setdefault(argv, []).append(stream)
        case "chunk":
            by_number[_number(line)].chunks.append(event)
        case "end":
            by_number[_number(line)].end = event
        case "mark":
            index.marks.append((event.t, str(line["words"])))
        case kind:
            raise ValueError(f"there is no event {kind!r}")


def _number(line: dict[str, object]) -> int:
    return int(cast("int", line["stream"]))


def _event(line: dict[str, object]) -> _Event:
    error = cast("dict[str, str] | None", line.get("error"))
    status = line.get("status")
    outcome = str(line.get("outcome", ""))
    if outcome:
        Outcome(outcome)
    return _Event(
        t=float(cast("float", line["t"])),
        error=None
        if error is None
        else _Error(error["type"], error["message"], error.get("hint", ""), error.get("said", "")),
        data=_blob(line, "data"),
        stdout=_blob(line, "stdout"),
        stderr=_blob(line, "stderr"),
        outcome=outcome,
        status=None if status is None else int(cast("int", status)),
        reason=str(line.get("reason", "")),
        duration_s=float(cast("float", line.get("duration", 0.0))),
    )


def _blob(line: dict[str, object], key: str) -> str:
    """The name of a file of the recording: nothing that could lead out of its folder."""
    name = str(line.get(key, ""))
    if name and not (len(name) == 64 and set(name) <= set("0123456789abcdef")):
        raise ValueError(f"{name!r} is no name of a blob")
    return name

"""Format of a recording, and the host wrapper that records every answer of another host.

    recording.json  {"format": 1, "label": "nas1", "started": 1767225600.0}
    index.jsonl     one event per line, in order; "t" is seconds since the start
    blobs/SHA256    the bytes that events refer to; equal answers are stored once

    {"t", "kind": "connect", "error": null | {"type", "message", "hint", "said"}}
    {"t", "kind": "run", "argv", "outcome", "status", "reason", "duration", "stdout", "stderr", "error"}
    {"t", "kind": "read", "path", "data", "error"}
    {"t", "kind": "open", "stream", "argv"}        a stream was started; "stream" is its number
    {"t", "kind": "chunk", "stream", "data"}       a piece of its stdout
    {"t", "kind": "end", "stream", "error"}        the stream ended with this error
    {"t", "kind": "mark", "words"}                 a time that a user marked

"t" of an answer is its arrival. Stdin is never recorded: it may be a key.
A truncated line (power failure) ends the recording.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import CommandFailed, HostError, UsageError, ZConsoleError
from zconsole.hosts.host import Command, Completed, Host
from zconsole.hosts.host_wrapper import HostWrapper

FORMAT: Final = 1
ABOUT_FILE: Final = "recording.json"
INDEX_FILE: Final = "index.jsonl"
BLOBS: Final = "blobs"
Json = dict[str, object]


class Recorder:
    """Writer of events into a folder, which must be new or empty."""

    def __init__(self, folder: Path, label: str, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._began = clock.monotonic()
        self._streams = 0
        self._blobs: set[str] = set()
        try:
            if folder.is_symlink():
                raise UsageError(f"{folder} is a symbolic link", hint="Name the folder itself, or a new one.")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise UsageError(f"{folder} is not empty", hint="A recording needs a folder of its own.")
            folder.chmod(0o700)  # it contains names, serial numbers and user properties
            (folder / BLOBS).mkdir(mode=0o700)
            about = {"format": FORMAT, "label": label, "started": clock.now()}
            self._write(ABOUT_FILE, json.dumps(about).encode("ascii") + b"\n")
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._index = os.open(folder / INDEX_FILE, flags, 0o600)
        except OSError as error:
            raise UsageError(f"no recording can be kept in {folder}: {error.strerror}") from error

    def event(self, kind: str, **fields: object) -> None:
        """Write an event. Raises HostError when it cannot be written."""
        line: Json = {"t": round(self._clock.monotonic() - self._began, 6), "kind": kind, **fields}
        content = json.dumps(line).encode("ascii") + b"\n"
        try:
            end = os.fstat(self._index).st_size
            is_whole = os.write(self._index, content) == len(content)
            if not is_whole:  # after a full disk the next event starts a new line
                os.ftruncate(self._index, end)
        except OSError as error:
            raise self._failed(error) from error
        if not is_whole:
            raise self._failed(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))

    def blob(self, data: bytes) -> str:
        """Store bytes and return the name of their blob."""
        name = hashlib.sha256(data).hexdigest()
        if name in self._blobs:
            return name
        try:
            self._write(f"{BLOBS}/{name}", data)
        except OSError as error:
            raise self._failed(error) from error
        self._blobs.add(name)
        return name

    def next_stream(self) -> int:
        """Number for a new stream."""
        self._streams += 1
        return self._streams

    def close(self) -> None:
        """Close the files."""
        if self._index >= 0:
            os.close(self._index)
            self._index = -1

    def _write(self, name: str, data: bytes) -> None:
        """Write a new file atomically: a truncated one would be replayed as an answer."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        path = self._folder / name
        part = path.with_name(f".{path.name}")
        try:
            with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
                file.write(data)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise

    def _failed(self, error: OSError) -> HostError:
        return HostError(f"the recording in {self._folder} cannot be written: {error.strerror}")


def describe(error: Exception) -> Json:
    """An error as JSON."""
    return {
        "type": type(error).__name__,
        "message": error.message if isinstance(error, ZConsoleError) else os.strerror(_number(error)),
        "hint": error.hint if isinstance(error, ZConsoleError) else "",
        "said": error.said if isinstance(error, CommandFailed) else "",
    }


class RecordingHost(HostWrapper):
    """Host wrapper that records every answer."""

    def __init__(self, inner: Host, folder: Path, clock: Clock | None = None) -> None:
        super().__init__(inner)
        self._recorder = Recorder(folder, inner.label, clock or SystemClock())

    @property
    def forwards_sockets(self) -> bool:
        """False: what goes through a socket cannot be recorded; the commands in its place can."""
        return False

    @property
    def lists_folders(self) -> bool:
        """False, for the same reason."""
        return False

    @property
    def runs_any_command(self) -> bool:
        """False: the recording is asked for each answer by its own command."""
        return False

    async def connect(self) -> None:
        try:
            await self.inner.connect()
        except HostError as error:
            self._recorder.event("connect", error=describe(error))
            raise
        self._recorder.event("connect", error=None)

    async def run(self, command: Command) -> Completed:
        argv = list(command.argv)
        try:
            completed = await self.inner.run(command)
        except HostError as error:
            self._recorder.event("run", argv=argv, error=describe(error))
            raise
        self._recorder.event(
            "run",
            argv=argv,
            outcome=completed.outcome.value,
            status=completed.status,
            reason=completed.reason,
            duration=completed.duration_s,
            stdout=self._recorder.blob(completed.stdout),
            stderr=self._recorder.blob(completed.stderr),
            error=None,
        )
        return completed

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        number = self._recorder.next_stream()
        self._recorder.event("open", stream=number, argv=list(command.argv))
        try:
            async with self.inner.stream(command) as chunks:
                yield _RecordedStream(self._recorder, number, chunks)
        except HostError as error:
            self._recorder.event("end", stream=number, error=describe(error))
            raise

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        try:
            data = await self.inner.read(path, max_bytes=max_bytes)
        except (HostError, FileNotFoundError, PermissionError) as error:
            self._recorder.event("read", path=path, error=describe(error))
            raise
        self._recorder.event("read", path=path, data=self._recorder.blob(data), error=None)
        return data

    def finish(self) -> None:
        """End the recording."""
        self._recorder.close()


class _RecordedStream:
    """Iterator of a stream that records each piece before passing it on."""

    def __init__(self, recorder: Recorder, number: int, chunks: AsyncIterator[bytes]) -> None:
        self._recorder = recorder
        self._number = number
        self._chunks = chunks

    def __aiter__(self) -> _RecordedStream:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        self._recorder.event("chunk", stream=self._number, data=self._recorder.blob(chunk))
        return chunk


def _number(error: Exception) -> int:
    return (error.errno or 0) if isinstance(error, OSError) else 0

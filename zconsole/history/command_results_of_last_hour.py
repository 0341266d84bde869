"""Answers of a host in the last hour, in bounded memory, to be exported after an incident."""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field, replace
from itertools import islice
from typing import Final

from zconsole.base.clock import Clock
from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command, Completed, Effect, Host, Outcome
from zconsole.hosts.host_wrapper import HostWrapper
from zconsole.hosts.recorded.record_host_answers import Json, describe
from zconsole.system.diskstats import DISKSTATS

MAX_BYTES: Final = 12 * 1024 * 1024  # for all hosts together, deflated
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024  # a listing of a million snapshots is not kept
MAX_STREAM_BYTES: Final = 4 * 1024 * 1024  # deflated, of one stream's output; later output is dropped
LARGE_BYTES: Final = 4 * 1024  # deflated: larger answers are kept once per LARGE_EVERY_S
LARGE_EVERY_S: Final = 15.0
MOST_KEYS: Final = 2000  # different questions; the oldest, often asked once for a plan, are dropped
FIRST_KEYS: Final = 64  # except the first ones, asked at every connection
_LEVEL: Final = 1
_SAMPLES: Final = ("zpool", "iostat")
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Recorded event: its fields, and by field the names of its blobs."""

    at: float  # monotonic seconds of the reader's clock
    fields: Json
    blobs: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class CachedStream:
    """Stream: start, end, and output unless kept elsewhere."""

    argv: tuple[str, ...]
    began_at: float
    ended_at: float | None = None
    error: Json | None = None
    chunks: list[tuple[float, bytes]] = field(default_factory=list)  # deflated
    size_bytes: int = 0


class Memory:
    """Cached answers of one host. Written by one thread, read by any."""

    def __init__(self, clock: Clock, *, keep_s: float, max_bytes: int) -> None:
        self._clock = clock
        self._keep_s = keep_s
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._newest: dict[Key, Answer] = {}
        self._older: deque[tuple[float, Answer]] = deque()  # with the time when a newer answer replaced it
        self._large_at: dict[Key, float] = {}  # time of the last large superseded answer
        self._blobs: dict[str, bytes] = {}
        self._uses: Counter[str] = Counter()
        self._bytes = 0
        self._streams: list[CachedStream] = []

    @property
    def size_bytes(self) -> int:
        """Memory of all cached output, in bytes."""
        with self._lock:
            return self._bytes + sum(stream.size_bytes for stream in self._streams)

    def add(self, key: Key, fields: Json, data: dict[str, bytes] | None = None) -> None:
        """Add an answer received now; one equal to the last adds nothing."""
        if sum(map(len, (data or {}).values())) > MAX_ANSWER_BYTES:
            return
        blobs = tuple((name, hashlib.sha256(text).hexdigest()) for name, text in (data or {}).items())
        now = self._clock.monotonic()
        with self._lock:
            before = self._newest.get(key)
            if before is not None and before.blobs == blobs and _is_alike(before.fields, fields):
                return
            for (_, name), text in zip(blobs, (data or {}).values(), strict=True):
                self._keep(name, text)
            self._newest[key] = Answer(now, fields, blobs)
            if before is not None:
                self._supersede(key, before, now)
            elif len(self._newest) > MOST_KEYS:
                self._drop(self._newest.pop(next(islice(self._newest, FIRST_KEYS, None))))
            self._forget(now - self._keep_s)

    def begin(self, argv: tuple[str, ...]) -> CachedStream:
        """Record the start of a stream."""
        stream = CachedStream(argv, self._clock.monotonic())
        with self._lock:
            self._streams.append(stream)
        return stream

    def hear(self, stream: CachedStream, chunk: bytes) -> None:
        """Record output of a stream."""
        packed = zlib.compress(chunk, _LEVEL)
        with self._lock:
            if stream.size_bytes + len(packed) <= MAX_STREAM_BYTES:
                stream.chunks.append((self._clock.monotonic(), packed))
                stream.size_bytes += len(packed)

    def end(self, stream: CachedStream, error: Json | None) -> None:
        """Record the end of a stream."""
        now = self._clock.monotonic()
        with self._lock:
            stream.ended_at, stream.error = now, error
            self._streams = [
                each for each in self._streams if each.ended_at is None or each.ended_at >= now - self._keep_s
            ]

    def answers(self) -> tuple[Answer, ...]:
        """All cached answers, oldest first."""
        with self._lock:
            found = [*(answer for _, answer in self._older), *self._newest.values()]
        return tuple(sorted(found, key=lambda answer: answer.at))

    def streams(self) -> tuple[CachedStream, ...]:
        """All cached streams, oldest first."""
        with self._lock:
            return tuple(replace(stream, chunks=list(stream.chunks)) for stream in self._streams)

    @staticmethod
    def unpack(chunk: bytes) -> bytes:
        """Output of a stream."""
        return zlib.decompress(chunk)

    def blob(self, name: str) -> bytes | None:
        """Bytes of a blob; None when dropped meanwhile."""
        with self._lock:
            packed = self._blobs.get(name)
        return None if packed is None else zlib.decompress(packed)

    def _supersede(self, key: Key, before: Answer, now: float) -> None:
        """Move an answer to the superseded ones; of large answers to one question one per LARGE_EVERY_S."""
        if sum(len(self._blobs[name]) for _, name in before.blobs) > LARGE_BYTES:
            if before.at - self._large_at.get(key, -LARGE_EVERY_S) < LARGE_EVERY_S:
                self._drop(before)
                return
            self._large_at[key] = before.at
        self._older.append((now, before))

    def _keep(self, name: str, text: bytes) -> None:
        if not self._uses[name]:
            packed = self._blobs[name] = zlib.compress(text, _LEVEL)
            self._bytes += len(packed)
        self._uses[name] += 1

    def _drop(self, answer: Answer) -> None:
        for _, name in answer.blobs:
            self._uses[name] -= 1
            if not self._uses[name]:
                self._bytes -= len(self._blobs.pop(name))
                del self._uses[name]

    def _forget(self, before: float) -> None:
        """Drop answers superseded before a time, and the oldest while memory exceeds its bound."""
        while self._older and (self._older[0][0] < before or self._bytes > self._max_bytes):
            self._drop(self._older.popleft()[1])


def _is_alike(one: Json, other: Json) -> bool:
    """Whether two answers are equal apart from their duration."""
    return {**one, "duration": 0} == {**other, "duration": 0}


class RememberedHost(HostWrapper):
    """Host wrapper that caches answers for a time."""

    def __init__(self, inner: Host, memory: Memory) -> None:
        super().__init__(inner)
        self.memory = memory

    async def connect(self) -> None:
        try:
            await self.inner.connect()
        except HostError as error:
            self.memory.add(("connect",), {"kind": "connect", "error": describe(error)})
            raise
        self.memory.add(("connect",), {"kind": "connect", "error": None})

    async def run(self, command: Command) -> Completed:
        if command.effect is Effect.CHANGE or command.is_several:
            return await self.inner.run(command)
        try:
            completed = await self.inner.run(command)
        except HostError as error:
            told: Json = {"kind": "run", "argv": list(command.argv), "error": describe(error)}
            self.memory.add(("run", *command.argv), told)
            raise
        self._add(completed)
        return completed

    def keep_answer(self, command: Command, printed: bytes) -> None:
        self._add(Completed(command, Outcome.DONE, 0, printed, b""))

    def _add(self, completed: Completed) -> None:
        argv = completed.command.argv
        said: Json = {
            "kind": "run",
            "argv": list(argv),
            "outcome": completed.outcome.value,
            "status": completed.status,
            "reason": completed.reason,
            "duration": completed.duration_s,
            "error": None,
        }
        self.memory.add(("run", *argv), said, {"stdout": completed.stdout, "stderr": completed.stderr})

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        kept = self.memory.begin(command.argv)
        error: Json | None = None
        try:
            async with self.inner.stream(command) as chunks:
                is_kept_elsewhere = command.is_several or command.argv[: len(_SAMPLES)] == _SAMPLES
                yield chunks if is_kept_elsewhere else _Heard(self.memory, kept, chunks)
        except HostError as failure:
            error = describe(failure)
            raise
        finally:
            self.memory.end(kept, error)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        if path == DISKSTATS:
            return await self.inner.read(path, max_bytes=max_bytes)
        fields: Json = {"kind": "read", "path": path}
        key = ("read", path)
        try:
            data = await self.inner.read(path, max_bytes=max_bytes)
        except (HostError, FileNotFoundError, PermissionError) as error:
            self.memory.add(key, {**fields, "error": describe(error)})
            raise
        self.memory.add(key, {**fields, "error": None}, {"data": data})
        return data


class _Heard:
    """Iterator of a stream that caches each piece."""

    def __init__(self, memory: Memory, stream: CachedStream, chunks: AsyncIterator[bytes]) -> None:
        self._memory = memory
        self._stream = stream
        self._chunks = chunks

    def __aiter__(self) -> _Heard:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        self._memory.hear(self._stream, chunk)
        return chunk

"""A host that answers from a script, and fails on any command that the test did not expect."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from zconsole.base.errors import HostError, LinkLost
from zconsole.hosts.host import Command, Completed, Outcome

HANG = object()
Answer = bytes | Completed | Exception | object


@dataclass
class ScriptedStream:
    """Chunks that the test feeds; an exception ends it."""

    queue: asyncio.Queue[bytes | Exception] = field(default_factory=asyncio.Queue)
    starts: int = 0
    is_open: bool = False

    def feed(self, item: bytes | Exception) -> None:
        self.queue.put_nowait(item)


SETTINGS = (
    "sh -c { cd /sys/module/zfs/parameters",
    "zfs list -Hp -r -t filesystem,volume -o name,type,used,",
    "zpool status -D",
)
CONTAINERS = (
    "sh -c grep -asHE --",
    "grep -arsHE --",
    "zfs get -Hp -r -t filesystem,volume -o name,property,source,value type,mountpoint ",
)


class ScriptedHost:
    """The other end of the Host protocol, in the hands of a test."""

    def __init__(self, label: str = "nas1") -> None:
        self.label = label
        self.answers: dict[str, Answer] = {}
        self.late: dict[str, asyncio.Event] = {}  # commands that answer when the test lets them
        self.files: dict[str, bytes | Exception] = {}
        self.streams: dict[str, ScriptedStream] = {}
        self.connect_errors: list[HostError] = []
        self.connects = 0
        self.closes = 0
        self.commands: list[str] = []
        self.lingering: set[Command] = set()
        self.unexpected: list[str] = []
        self._cut = asyncio.Event()

    def cut(self) -> None:
        """Lose the link: everything under way fails, until the next connect."""
        self._cut.set()
        for stream in self.streams.values():
            if stream.is_open:
                stream.feed(LinkLost(f"the link to {self.label} was lost"))

    async def connect(self) -> None:
        self.connects += 1
        if self.connect_errors:
            raise self.connect_errors.pop(0)
        self._cut.clear()

    async def run(self, command: Command) -> Completed:
        line = " ".join(command.argv)
        self.commands.append(line)
        if line in self.late:
            await self.late[line].wait()
        if self._cut.is_set():
            raise LinkLost(f"the link to {self.label} was lost")
        answer = self._find(line)
        if answer is HANG:
            self.lingering.add(command)
            return Completed(command, Outcome.UNKNOWN, None, b"", b"", reason="no answer within the deadline")
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Completed):
            return answer
        assert isinstance(answer, bytes)
        return Completed(command, Outcome.DONE, 0, answer, b"")

    def _find(self, line: str) -> Answer:
        fits = [prefix for prefix in self.answers if line.startswith(prefix)]
        if any(line.startswith(each) for each in SETTINGS) and not any(each in SETTINGS for each in fits):
            return b""  # of settings a host tells nothing unless a test says so
        if not fits and line.startswith(CONTAINERS):
            return b""  # it has none unless a test says so
        if not fits and line.startswith("ls -1dL -- "):
            return b""  # all images exist unless a test says so
        if not fits:
            self.unexpected.append(line)
            raise AssertionError(f"unexpected command: {line}")
        return self.answers[max(fits, key=len)]

    def is_lingering(self, command: Command) -> bool:
        return command in self.lingering

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        line = " ".join(command.argv)
        self.commands.append(line)
        fits = [prefix for prefix in self.streams if line.startswith(prefix)]
        if not fits:
            self.unexpected.append(line)
            raise AssertionError(f"unexpected stream: {line}")
        stream = self.streams[max(fits, key=len)]
        stream.starts += 1
        stream.is_open = True
        try:
            yield self._chunks(stream)
        finally:
            stream.is_open = False

    async def _chunks(self, stream: ScriptedStream) -> AsyncIterator[bytes]:
        while True:
            item = await stream.queue.get()
            if isinstance(item, Exception):
                raise item
            yield item

    async def read(self, path: str, *, max_bytes: int = 0) -> bytes:
        if self._cut.is_set():
            raise LinkLost(f"the link to {self.label} was lost")
        content = self.files.get(path, FileNotFoundError(path))
        if isinstance(content, Exception):
            raise content
        return content

    async def close(self) -> None:
        self.closes += 1


def failed(command: str, status: int, stderr: bytes, stdout: bytes = b"") -> Completed:
    """A command that ended and said no."""
    return Completed(Command(tuple(command.split())), Outcome.FAILED, status, stdout, stderr)

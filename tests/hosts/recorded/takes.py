"""A host that is recorded, and what was kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hypothesis import strategies as st

from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostError
from zconsole.hosts.host import Command, Completed
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.hosts.recorded.recorded_host import RecordedHost

LIST = Command(("zpool", "list"))


class Scripted:
    """A host that says what it was told to say."""

    label = "nas1"

    def __init__(self) -> None:
        self.answers: list[Completed | HostError] = []
        self.files: list[bytes | OSError] = []
        self.connects: list[HostError | None] = []
        self.chunks: asyncio.Queue[bytes | HostError] = asyncio.Queue()

    async def connect(self) -> None:
        if self.connects and (error := self.connects.pop(0)):
            raise error

    async def run(self, command: Command) -> Completed:
        answer = self.answers.pop(0)
        if isinstance(answer, HostError):
            raise answer
        return answer

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        yield self._pieces()

    def is_lingering(self, command: Command) -> bool:
        return True

    async def read(self, path: str, *, max_bytes: int = 0) -> bytes:
        answer = self.files.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    async def close(self) -> None:
        pass

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        while True:
            piece = await self.chunks.get()
            if isinstance(piece, HostError):
                raise piece
            yield piece


class Take:
    """One recording under way, and its replay."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = Scripted()
        self.clock = ManualClock(now=1000.0)
        self.recording = RecordingHost(self.host, folder, self.clock)

    async def run(self, answer: Completed | HostError, *, after_s: float = 0.0) -> None:
        self.clock.advance(after_s)
        self.host.answers.append(answer)
        try:
            command = LIST if isinstance(answer, HostError) else answer.command
            await self.recording.run(command)
        except HostError:
            return

    def replay(self, *, speed: float = 1.0) -> tuple[RecordedHost, ManualClock]:
        clock = ManualClock()
        return RecordedHost(self.folder, clock, speed=speed), clock


words = st.text(st.characters(codec=None, exclude_characters="\0"), min_size=1, max_size=10)

"""Running command with stdin and stdout, for local children and SSH channels."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from zconsole.hosts.collected_and_streamed_output import OutputFeed
from zconsole.hosts.host import Completed


class StdinWriter(Protocol):
    """Process or channel with a writable stdin."""

    takes_more: asyncio.Event  # set while its buffer has room, and permanently once stdin is closed
    is_stdin_open: bool

    @property
    def session(self) -> int | None:
        """Session id of its processes, if known."""

    def write(self, data: bytes) -> None:
        """Write to its stdin."""

    def finish(self) -> None:
        """Close its stdin after the data written so far."""


class RunningPipe:
    """`Piped`, made of a stdout feed and a stdin taker; `complete` makes the result."""

    def __init__(
        self,
        feed: OutputFeed,
        taker: StdinWriter,
        over: asyncio.Event,
        *,
        complete: Callable[[], Completed],
        kill: Callable[[], None],
    ) -> None:
        self._feed = feed
        self._taker = taker
        self._over = over
        self._complete = complete
        self._kill = kill

    async def read(self) -> bytes:
        return await self._feed.next()

    async def write(self, data: bytes) -> None:
        await self._taker.takes_more.wait()
        if not self._taker.is_stdin_open:
            raise BrokenPipeError("its stdin is closed")
        try:
            self._taker.write(data)
        except OSError as error:
            raise BrokenPipeError(str(error)) from error
        await asyncio.sleep(0)  # that its stdin was closed is reported in a turn of the loop
        await self._taker.takes_more.wait()

    def finish(self) -> None:
        self._taker.finish()

    def kill(self) -> None:
        self._kill()

    def words(self) -> bytes:
        return self._feed.stderr

    def session(self) -> int | None:
        return self._taker.session

    async def ended(self) -> Completed:
        while await self._feed.next():
            pass
        await self._over.wait()
        return self._complete()

"""What is kept of a command's output: all of it within bounds, or piece by piece as the reader keeps up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from zconsole.hosts.command_results import MAX_STDERR_BYTES

HIGH_WATER_BYTES: Final = 1024 * 1024  # then the source waits for the reader


class Intake(Protocol):
    """Where a process or a channel puts what it hears."""

    def out(self, data: bytes) -> None:
        """A piece of stdout."""

    def err(self, data: bytes) -> None:
        """A piece of stderr."""

    def end(self) -> None:
        """Nothing more will come."""


class Pausable(Protocol):
    """What can be told to wait for its reader."""

    def pause(self) -> None:
        """Give no more for now."""

    def resume(self) -> None:
        """Go on."""


class LastWords:
    """The end of stderr, however much there was."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > 2 * MAX_STDERR_BYTES:
            del self._kept[:-MAX_STDERR_BYTES]

    def text(self) -> bytes:
        """What is left of it."""
        return bytes(self._kept[-MAX_STDERR_BYTES:])


class Gathered:
    """All of stdout up to a bound; `on_overrun` is called once when there is more."""

    def __init__(self, max_bytes: int, on_overrun: Callable[[], None]) -> None:
        self._max_bytes = max_bytes
        self._on_overrun = on_overrun
        self._kept = bytearray()
        self._words = LastWords()
        self.overran = False

    def out(self, data: bytes) -> None:
        if self.overran:
            return
        self._kept += data
        if len(self._kept) > self._max_bytes:
            del self._kept[self._max_bytes :]
            self.overran = True
            self._on_overrun()

    def err(self, data: bytes) -> None:
        self._words.add(data)

    def end(self) -> None:
        """Nothing to do: who waits for the process sees that it ended."""

    @property
    def stdout(self) -> bytes:
        """What it printed."""
        return bytes(self._kept)

    @property
    def stderr(self) -> bytes:
        """Its last words."""
        return self._words.text()


class Feed:
    """Stdout as it comes; the source is paused while the reader is far behind."""

    def __init__(self) -> None:
        self.source: Pausable | None = None
        self._waiting = bytearray()
        self._words = LastWords()
        self._news = asyncio.Event()
        self._paused = False
        self._ended = False

    def out(self, data: bytes) -> None:
        self._waiting += data
        self._news.set()
        if self.source is not None and not self._paused and len(self._waiting) > HIGH_WATER_BYTES:
            self._paused = True
            self.source.pause()

    def err(self, data: bytes) -> None:
        self._words.add(data)

    def end(self) -> None:
        self._ended = True
        self._news.set()

    @property
    def stderr(self) -> bytes:
        """Its last words."""
        return self._words.text()

    async def next(self) -> bytes:
        """What came since the last call, waiting for some; empty once all was read and it ended."""
        while not self._waiting and not self._ended:
            self._news.clear()
            await self._news.wait()
        data = bytes(self._waiting)
        self._waiting.clear()
        if self._paused and self.source is not None:
            self._paused = False
            self.source.resume()
        return data


class Pieces:
    """The iterator of a stream: what its feed gives, then the error that says how it ended."""

    def __init__(self, feed: Feed, how_it_ended: Callable[[], Exception]) -> None:
        self._feed = feed
        self._how_it_ended = how_it_ended

    def __aiter__(self) -> Pieces:
        return self

    async def __anext__(self) -> bytes:
        if data := await self._feed.next():
            return data
        raise self._how_it_ended()

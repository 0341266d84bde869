"""Buffers of a command's output: collected up to a bound, or as a stream with flow control."""

from __future__ import annotations

import asyncio
import io
from collections import deque
from collections.abc import Callable
from typing import ClassVar, Final, Protocol

from zconsole.hosts.build_command_results import MAX_STDERR_BYTES, too_large

HIGH_WATER_BYTES: Final = 1024 * 1024  # above it the source is paused
MOST_TOGETHER_BYTES: Final = 64 * 1024 * 1024  # of all answers that are being collected in this process


class OutputReceiver(Protocol):
    """Receiver of the output of a process or channel."""

    def out(self, data: bytes) -> None:
        """A piece of stdout."""

    def err(self, data: bytes) -> None:
        """A piece of stderr."""

    def end(self) -> None:
        """No more output will follow."""


class Pausable(Protocol):
    """Source that can be paused."""

    def pause(self) -> None:
        """Stop delivering."""

    def resume(self) -> None:
        """Resume delivering."""


class LastWords:
    """The last part of stderr, whatever its length."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > 2 * MAX_STDERR_BYTES:
            del self._kept[:-MAX_STDERR_BYTES]

    def text(self) -> bytes:
        """The bytes kept."""
        return bytes(self._kept[-MAX_STDERR_BYTES:])


class CollectedOutput:
    """All of stdout up to a bound; `on_overrun` is called once when it is exceeded.

    The answers that are being collected have a bound together as well: beyond it the largest is given up.
    With `keeps_end` nothing is: of a longer answer the last lines are kept.
    """

    _collecting: ClassVar[set[CollectedOutput]] = set()

    def __init__(self, max_bytes: int, on_overrun: Callable[[], None], *, keeps_end: bool = False) -> None:
        self._max_bytes = max_bytes
        self._on_overrun = on_overrun
        self._keeps_end = keeps_end
        self._kept = io.BytesIO()  # gives its bytes away without a copy
        self._ends: deque[bytes] = deque()  # the last pieces, with `keeps_end`
        self.size = 0
        self._words = LastWords()
        self.overran = ""  # the reason, once a bound is exceeded
        self.is_cut = False  # whether the beginning was dropped

    def out(self, data: bytes) -> None:
        if self.overran:
            return
        self.size += len(data)
        if self._keeps_end:
            self._ends.append(data)
            while self.size > self._max_bytes:
                self.size -= len(self._ends.popleft())
                self.is_cut = True
        else:
            self._kept.write(data[: self._max_bytes - self._kept.tell()])
            if self.size > self._max_bytes:
                self.give_up(too_large(self._max_bytes))
        self._collecting.add(self)
        if sum(each.size for each in self._collecting) > MOST_TOGETHER_BYTES:
            largest = max(self._collecting, key=lambda each: each.size)
            largest.give_up(f"the answers being read had more than {MOST_TOGETHER_BYTES} bytes together")

    def err(self, data: bytes) -> None:
        self._words.add(data)

    def end(self) -> None:
        """No more of it is wanted or will follow; the waiter sees that the process ended."""
        self._collecting.discard(self)

    def give_up(self, reason: str) -> None:
        """Refuse the answer, for the first reason given."""
        if not self.overran:
            self.overran = reason
            self._on_overrun()

    @property
    def stdout(self) -> bytes:
        """The collected stdout; from the beginning of a line where it is cut."""
        if not self._keeps_end:
            return self._kept.getvalue()
        end = b"".join(self._ends)
        return end.partition(b"\n")[2] if self.is_cut else end

    @property
    def stderr(self) -> bytes:
        """The end of stderr."""
        return self._words.text()


class OutputFeed:
    """Stdout as a stream; the source is paused while the reader lags."""

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
        """The end of stderr."""
        return self._words.text()

    async def next(self) -> bytes:
        """Bytes since the last call, awaited; empty after the end."""
        while not self._waiting and not self._ended:
            self._news.clear()
            await self._news.wait()
        data = bytes(self._waiting)
        self._waiting.clear()
        if self._paused and self.source is not None:
            self._paused = False
            self.source.resume()
        return data


class StreamIterator:
    """Iterator of a stream: the bytes of its feed, then the error with which it ended."""

    def __init__(self, feed: OutputFeed, how_it_ended: Callable[[], Exception]) -> None:
        self._feed = feed
        self._how_it_ended = how_it_ended

    def __aiter__(self) -> StreamIterator:
        return self

    async def __anext__(self) -> bytes:
        if data := await self._feed.next():
            return data
        raise self._how_it_ended()

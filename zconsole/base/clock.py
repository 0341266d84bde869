"""Time as an argument, so that tests can drive it."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """The time functions that the program uses."""

    def now(self) -> float:
        """Epoch seconds of the wall clock, which may jump."""

    def monotonic(self) -> float:
        """Monotonic seconds, for ages and deadlines."""

    async def sleep(self, seconds: float) -> None:
        """Sleep for this many seconds."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class ManualClock:
    """Clock that moves only when it is advanced: for tests, replays and simulations."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._elapsed = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now + self._elapsed

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._elapsed + seconds, sleeper))
        await sleeper

    def advance(self, seconds: float) -> None:
        """Advance the time and wake the sleepers that are due. Call it on the sleepers' event loop."""
        self._elapsed += seconds
        due = [sleeper for at, sleeper in self._sleepers if at <= self._elapsed]
        self._sleepers = [(at, sleeper) for at, sleeper in self._sleepers if at > self._elapsed]
        for sleeper in due:
            if not sleeper.done():
                sleeper.set_result(None)

"""Time as an argument, so that tests can drive it."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What the program asks of time."""

    def now(self) -> float:
        """Epoch seconds of the wall clock; may jump."""

    def monotonic(self) -> float:
        """Seconds that never go back; for ages and deadlines."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own time."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

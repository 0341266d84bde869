"""Many hosts' samples worked through together, a few times a second.

Fifty hosts that send at fifty moments have the processor fetch code and data from memory fifty times; worked
through together, reading and judging a sample took about half the time. What is shown comes a moment later
for it, which is why a few hosts have no beat.
"""

from __future__ import annotations

import asyncio
from typing import Final

PERIOD_S: Final = 0.25


class BatchTicker:
    """Lets everyone who waits go on at once. Of one event loop."""

    def __init__(self, period_s: float = PERIOD_S) -> None:
        """A period of 0 makes nobody wait."""
        self._period_s = period_s
        self._next: asyncio.Event | None = None

    async def wait(self) -> None:
        """Return at the next beat, at most a period from now."""
        if not self._period_s:
            return
        if self._next is None:
            loop = asyncio.get_running_loop()
            self._next = asyncio.Event()
            loop.call_later(self._period_s, self._strike, self._next)
        await self._next.wait()

    def _strike(self, waiting: asyncio.Event) -> None:
        self._next = None
        waiting.set()

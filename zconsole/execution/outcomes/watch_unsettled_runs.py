"""Watch of one host's unsettled runs, in the background until all are settled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from zconsole.base.clock import Clock
from zconsole.model.run import Run

FIRST_S: Final = 20.0  # initial interval
LONGEST_S: Final = 300.0
_SLOWER: Final = 1.4  # factor per check


def pause(looks: int) -> float:
    """Seconds until the next check after this many undecided ones."""
    return min(LONGEST_S, FIRST_S * _SLOWER ** min(looks, 30))


class UnsettledWatch:
    """Checks at a slow pace; at once when the host is back or another run is unsettled."""

    def __init__(self, look: Callable[[], Awaitable[Sequence[Run]]], clock: Clock) -> None:
        """`look` returns the runs that were unsettled, in their present state."""
        self._look = look
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._again = asyncio.Event()

    def wake(self) -> None:
        """Check now, and until all are settled. Call it on the collecting loop."""
        self._again.set()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._watch())

    def stop(self) -> None:
        """Stop checking."""
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        looks = 0
        while self._again.is_set():
            self._again.clear()
            while any(run.is_watched for run in await self._look()):
                if await self._is_woken(pause(looks)):
                    looks = 0
                looks += 1

    async def _is_woken(self, within_s: float) -> bool:
        """Wait for the next check; True when woken early."""
        sleeping = asyncio.ensure_future(self._clock.sleep(within_s))
        woken = asyncio.ensure_future(self._again.wait())
        try:
            await asyncio.wait({sleeping, woken}, return_when=asyncio.FIRST_COMPLETED)
            return woken.done()
        finally:
            sleeping.cancel()
            woken.cancel()
            self._again.clear()

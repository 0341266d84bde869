"""One host's runs without a known end, looked at beside everything else until all ends are known."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from zconsole.base.clock import Clock
from zconsole.model.run import Run

FIRST_S: Final = 20.0  # from one look to the next, at first
LONGEST_S: Final = 300.0
_SLOWER: Final = 1.4  # each time


def pause(looks: int) -> float:
    """Seconds to the next look, after so many that did not tell."""
    return min(LONGEST_S, FIRST_S * _SLOWER ** min(looks, 30))


class UnsettledWatch:
    """Looks at a quiet pace; at once when the host is there again, or when another run has no known end."""

    def __init__(self, look: Callable[[], Awaitable[Sequence[Run]]], clock: Clock) -> None:
        """`look` gives the runs that had no known end, as they are known now."""
        self._look = look
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._again = asyncio.Event()

    def wake(self) -> None:
        """Look now, and until all is known. Called on the collecting loop."""
        self._again.set()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._watch())

    def stop(self) -> None:
        """Look no more."""
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
        """Wait; True where somebody wants a look before."""
        sleeping = asyncio.ensure_future(self._clock.sleep(within_s))
        woken = asyncio.ensure_future(self._again.wait())
        try:
            await asyncio.wait({sleeping, woken}, return_when=asyncio.FIRST_COMPLETED)
            return woken.done()
        finally:
            sleeping.cancel()
            woken.cancel()
            self._again.clear()

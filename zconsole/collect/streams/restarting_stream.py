"""A stream that is kept running while needed, and restarted when its parameters change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeVar

from zconsole.base.clock import Clock
from zconsole.base.errors import HostUnreachable, LinkLost, ZConsoleError
from zconsole.collect.fault_isolation import contained
from zconsole.collect.interruptible_wait import first_of, pause
from zconsole.collect.read_command_runner import in_words
from zconsole.hosts.ssh.reconnect_backoff import backoff

SILENCE_INTERVALS: Final = 5  # a stream that missed this many samples is restarted
SILENCE_AT_LEAST_S: Final = 10.0
WENT_WELL_S: Final = 60.0  # a stream that ran at least this long is restarted soon
_TROUBLE: Final = (ZConsoleError, TimeoutError)
K = TypeVar("K")
T = TypeVar("T")


async def keep(
    wanted: Callable[[], K | None],
    due: asyncio.Event,
    pump: Callable[[K], Awaitable[None]],
    *,
    clock: Clock,
    on_problem: Callable[[K, str], None],
) -> None:
    """Run `pump` with its parameters until cancelled; restart when these change or the pump ends.

    `due` is set when the parameters may have changed. Raises errors that end the session: a lost link.
    """
    attempt = 0
    while True:
        due.clear()
        now = wanted()
        if now is None:
            attempt = 0
            await due.wait()
            continue
        began = clock.monotonic()
        running = asyncio.ensure_future(_contained(pump, now))
        try:
            while not running.done() and now == wanted():
                await first_of(running, due)
        finally:
            running.cancel()
            await asyncio.wait({running})
        error = None if running.cancelled() else running.exception()
        if error is None or clock.monotonic() - began > WENT_WELL_S:
            attempt = 0
        if error is None:
            continue
        if isinstance(error, LinkLost | HostUnreachable) or not isinstance(error, _TROUBLE):
            raise error
        words = in_words(error) if isinstance(error, ZConsoleError) else "zpool iostat stopped printing"
        on_problem(now, words)
        await pause(clock, backoff(attempt), due)
        attempt += 1


async def _contained(pump: Callable[[K], Awaitable[None]], wanted: K) -> None:
    with contained("a stream"):
        await pump(wanted)


async def unless_silent(pieces: AsyncIterator[T], interval_s: float) -> AsyncIterator[T]:
    """Yield the chunks. Raises TimeoutError after a silence so long that the stream must hang."""
    patience_s = max(SILENCE_AT_LEAST_S, SILENCE_INTERVALS * interval_s)
    while True:
        try:
            async with asyncio.timeout(patience_s):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        yield piece

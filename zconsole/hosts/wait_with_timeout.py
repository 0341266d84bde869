"""Waiting with a timeout: for a task that may ignore its cancellation, and for an event."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await a result with a timeout; on TimeoutError the task is cancelled but not awaited."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=max(0.0, seconds))
    except asyncio.CancelledError:
        abandon(task)
        raise
    if task.done():
        return task.result()
    abandon(task)
    raise TimeoutError


async def is_set_within(event: asyncio.Event, *, within_s: float) -> bool:
    """Wait for an event, and tell whether it was set in time."""
    try:
        async with asyncio.timeout(within_s):
            await event.wait()
    except TimeoutError:
        return False
    return True


def abandon(task: asyncio.Task[Any]) -> None:
    """Cancel a task and ignore how it ends."""
    task.add_done_callback(_swallow)
    task.cancel()


def _swallow(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()

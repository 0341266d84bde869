"""A deadline that holds even where the awaited thing ignores its cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Its result, or TimeoutError after so many seconds; then it is cancelled and not waited for."""
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


def abandon(task: asyncio.Task[Any]) -> None:
    """Cancel it and let nobody hear of how it ended."""
    task.add_done_callback(_swallow)
    task.cancel()


def _swallow(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()

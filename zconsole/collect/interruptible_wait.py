"""Waiting for time to pass, unless something is due before."""

from __future__ import annotations

import asyncio

from zconsole.base.clock import Clock


async def first_of(task: asyncio.Task[None], due: asyncio.Event, *, keep: bool = False) -> None:
    """Wait until the task ends or the event is set, and clear the event unless it is to be kept."""
    waiting = asyncio.create_task(due.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    if not keep:
        due.clear()


async def pause(clock: Clock, seconds: float, due: asyncio.Event, *, keep: bool = False) -> None:
    """Sleep, unless the event says that it is time."""
    sleeping = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await first_of(sleeping, due, keep=keep)
    finally:
        sleeping.cancel()

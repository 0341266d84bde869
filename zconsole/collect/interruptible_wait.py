"""Waiting that an event can interrupt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

from zconsole.base.clock import Clock


class ReadingDue(asyncio.Event):
    """Event that a reading is due, and whether what was read just before is out of date too."""

    def __init__(self) -> None:
        super().__init__()
        self._has_changed = False

    def set_after_change(self) -> None:
        """Have it read again however recent it is."""
        self._has_changed = True
        self.set()

    def take(self) -> bool:
        """Clear the event; whether something was changed."""
        self.clear()
        changed, self._has_changed = self._has_changed, False
        return changed


async def first_of(task: asyncio.Task[None], due: asyncio.Event, *, keep: bool = False) -> None:
    """Wait for the end of a task or an event, and clear the event unless `keep` is set."""
    waiting = asyncio.create_task(due.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    if not keep:
        due.clear()


async def pause(clock: Clock, seconds: float, due: asyncio.Event, *, keep: bool = False) -> None:
    """Sleep until the time is over or the event is set."""
    sleeping = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await first_of(sleeping, due, keep=keep)
    finally:
        sleeping.cancel()


async def repeat_while_wanted(
    due: asyncio.Event, is_wanted: Callable[[], bool], turn: Callable[[], Awaitable[None]]
) -> NoReturn:
    """Repeat a turn while it is wanted, until cancelled; `due` is set when that may have changed."""
    while True:
        due.clear()
        if is_wanted():
            await turn()
        else:
            await due.wait()

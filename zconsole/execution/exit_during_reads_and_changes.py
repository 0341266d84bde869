"""Leaving while commands run: reading is cancelled, changes continue."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from zconsole.base.clock import Clock

GRACE_S: Final = 10.0  # for a running change to end after a request to leave

T = TypeVar("T")


class UserLeft(Exception):
    """Request to leave before the work was done."""


async def unless_left(work: Coroutine[Any, Any, T], *leaving: asyncio.Event) -> T:
    """Result of reading work. Raises Left on a request to leave, cancelling it."""
    working = asyncio.ensure_future(work)
    try:
        if await _is_done(working, *leaving):
            return working.result()
        raise UserLeft
    finally:
        working.cancel()
        await asyncio.wait({working})


async def to_its_end(
    work: Coroutine[Any, Any, T], leaving: asyncio.Event, clock: Clock, left_running: set[asyncio.Future[Any]]
) -> T:
    """Result of a change. Raises Left on a request to leave if it takes longer than the grace time.

    The change is not cancelled, which would kill it halfway: it continues, and is in `left_running`.
    """
    working = asyncio.ensure_future(work)
    try:
        if await _is_done(working, leaving):
            return working.result()
        sleeping = asyncio.ensure_future(clock.sleep(GRACE_S))
        await asyncio.wait({working, sleeping}, return_when=asyncio.FIRST_COMPLETED)
        sleeping.cancel()
        if working.done():
            return working.result()
    except asyncio.CancelledError:  # the program is being terminated: nobody waits
        working.cancel()
        raise
    left_running.add(working)
    working.add_done_callback(_forget)
    raise UserLeft


async def _is_done(working: asyncio.Future[Any], *leaving: asyncio.Event) -> bool:
    """Wait for the work or a request to leave."""
    going = [asyncio.ensure_future(each.wait()) for each in leaving]
    try:
        await asyncio.wait({working, *going}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in going:
            each.cancel()
    return working.done()


def _forget(working: asyncio.Future[Any]) -> None:
    """Ignore the result: the outcome will be determined on the host."""
    if not working.cancelled():
        working.exception()

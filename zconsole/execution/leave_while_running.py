"""Going away while something is under way: who only looks is given up, what changes something goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from zconsole.base.clock import Clock

GRACE_S: Final = 10.0  # for a command that changes something to come to its end, once somebody wants to go

T = TypeVar("T")


class Left(Exception):
    """Somebody went before it was done."""


async def unless_left(work: Coroutine[Any, Any, T], *leaving: asyncio.Event) -> T:
    """The result of what only looks. Raises Left when somebody wants to go first: it is given up."""
    working = asyncio.ensure_future(work)
    try:
        if await _is_done(working, *leaving):
            return working.result()
        raise Left
    finally:
        working.cancel()
        await asyncio.wait({working})


async def to_its_end(
    work: Coroutine[Any, Any, T], leaving: asyncio.Event, clock: Clock, left_running: set[asyncio.Future[Any]]
) -> T:
    """The result of what changes something. Raises Left when somebody wants to go and it takes longer still.

    It is not cancelled then, which would kill it in the middle: it goes on, and is in `left_running`.
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
    except asyncio.CancelledError:  # the program is being ended: nobody is there to wait
        working.cancel()
        raise
    left_running.add(working)
    working.add_done_callback(_forget)
    raise Left


async def _is_done(working: asyncio.Future[Any], *leaving: asyncio.Event) -> bool:
    """Wait for it, or until somebody wants to go."""
    going = [asyncio.ensure_future(each.wait()) for each in leaving]
    try:
        await asyncio.wait({working, *going}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in going:
            each.cancel()
    return working.done()


def _forget(working: asyncio.Future[Any]) -> None:
    """What became of it is found out on the host."""
    if not working.cancelled():
        working.exception()

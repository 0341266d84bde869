"""Disk calls in a thread with a timeout, so that the event loop is never blocked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from zconsole.base.errors import ZConsoleError

PATIENCE_S: Final = 15.0
T = TypeVar("T")


class TookTooLong(ZConsoleError):
    """Timeout of a call that waits for a disk; the call may still complete."""


async def patiently(call: Callable[..., T], *arguments: Any, within_s: float = PATIENCE_S) -> T:
    """Result of `call`, run in a daemon thread: a hanging thread does not delay the program's exit."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def hand_over(result: T | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type]  # None only where the call gives None

    def work() -> None:
        result: T | None = None
        failed: Exception | None = None
        try:
            result = call(*arguments)
        except Exception as error:  # noqa: BLE001 - handed over to who waits
            failed = error
        with suppress(RuntimeError):  # the loop ended in the meantime
            loop.call_soon_threadsafe(hand_over, result, failed)

    threading.Thread(target=work, name=f"zconsole {call.__name__}", daemon=True).start()
    try:
        async with asyncio.timeout(within_s):
            return await answer
    except TimeoutError:
        raise TookTooLong(f"{call.__name__} took more than {within_s:g} s") from None

"""Delayed calls in a widget's message queue, reliable on a late event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from textual.message_pump import MessagePump

Call = Callable[[], Awaitable[object] | object]


class Once:
    """Delayed call, pending until it is made or stopped. It is never made once the widget is gone."""

    def __init__(self, owner: MessagePump, seconds: float, call: Call) -> None:
        self._owner = owner
        self._call: Call | None = call
        self._handle = asyncio.get_running_loop().call_later(seconds, self._due)

    def stop(self) -> None:
        """Cancel the call."""
        self._call = None
        self._handle.cancel()

    def _due(self) -> None:
        self._owner.call_next(self._fire)

    def _fire(self) -> Awaitable[object] | object:
        """Make the call and return its result; the widget awaits an awaitable."""
        call, self._call = self._call, None
        return None if call is None else call()

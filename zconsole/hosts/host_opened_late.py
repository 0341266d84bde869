"""Host that is made when it is first used, on the thread that uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import cached_property

from zconsole.hosts.host import Command, Host
from zconsole.hosts.host_wrapper import HostWrapper


class LateHost(HostWrapper):
    """Host of which only the label is known before `make` is called."""

    def __init__(self, label: str, make: Callable[[], Host]) -> None:
        self._label = label
        self._make = make

    @cached_property
    def inner(self) -> Host:  # type: ignore[override]  # made once, and never replaced
        """The host itself."""
        return self._make()

    @property
    def label(self) -> str:
        return self._label

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self.inner.stream(command)

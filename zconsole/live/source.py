"""What a screen may ask of the collecting side, so that it can as well stand on a recorded state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from zconsole.model.host_state import HostState


class Source(Protocol):
    """The newest state of every host, and the few things that a user can ask of the collectors.

    Every method may be called from any thread and returns at once.
    """

    def states(self) -> tuple[HostState, ...]:
        """The newest state of each host, in the order in which the user named them."""

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` (from the collecting thread, without a payload) after changes.

        Returns the way to stop that.
        """

    def monotonic(self) -> float:
        """Now, on the clock that the ages in the states are measured by."""

    def now(self) -> float:
        """Epoch seconds now."""

    def refresh(self, host: str | None = None) -> None:
        """Read everything anew, now; of one host or of all. Also tries a lost connection at once."""

    def set_interval(self, seconds: float) -> None:
        """Seconds between two I/O samples."""

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        """The user compared the fingerprint and trusts the host: remember its key and connect."""


class StaticSource:
    """States that never change by themselves: for tests, and for looking at one moment."""

    def __init__(self, *states: HostState, now: float = 0.0, monotonic: float = 0.0) -> None:
        self._states = states
        self._now = now
        self._monotonic = monotonic
        self._listeners: list[Callable[[], None]] = []
        self.accepted: list[tuple[str, str]] = []
        self.refreshed: list[str | None] = []
        self.interval_s: float | None = None

    def states(self) -> tuple[HostState, ...]:
        return self._states

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        self._listeners.append(on_change)
        return lambda: self._listeners.remove(on_change)

    def monotonic(self) -> float:
        return self._monotonic

    def now(self) -> float:
        return self._now

    def refresh(self, host: str | None = None) -> None:
        self.refreshed.append(host)

    def set_interval(self, seconds: float) -> None:
        self.interval_s = seconds

    def accept_host_key(self, host: str, fingerprint: str) -> None:
        self.accepted.append((host, fingerprint))

    def replace(self, *states: HostState, now: float | None = None, monotonic: float | None = None) -> None:
        """Move on to other states, and tell who listens."""
        self._states = states
        self._now = self._now if now is None else now
        self._monotonic = self._monotonic if monotonic is None else monotonic
        for listener in tuple(self._listeners):
            listener()

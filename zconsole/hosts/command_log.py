"""Log of the commands sent to a host: time, argv and outcome, for the user to read."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command, Completed, Effect, Host, Outcome, Piped
from zconsole.hosts.host import pipe as piped
from zconsole.hosts.host_wrapper import HostWrapper

KEPT: Final = 1000  # read commands
CHANGES_KEPT: Final = 1000  # commands that change something have a limit of their own


@dataclass(frozen=True, slots=True)
class LoggedCommand:
    """Logged command. `at` is epoch seconds; `outcome` is None while it runs; stdin is never logged."""

    number: int
    argv: tuple[str, ...]
    effect: Effect
    at: float
    outcome: Outcome | None = None
    status: int | None = None
    duration_s: float | None = None
    reason: str = ""


class LoggedHost(HostWrapper):
    """Host wrapper that keeps a log of the last commands."""

    def __init__(self, inner: Host, clock: Clock | None = None) -> None:
        super().__init__(inner)
        self._clock = clock or SystemClock()
        self._number = 0
        self._reads: deque[LoggedCommand] = deque(maxlen=KEPT)
        self._changes: deque[LoggedCommand] = deque(maxlen=CHANGES_KEPT)
        self._running: dict[int, LoggedCommand] = {}
        self._lock = threading.Lock()

    def commands(self) -> tuple[LoggedCommand, ...]:
        """The last commands, oldest first; callable from any thread."""
        with self._lock:
            known = [*self._reads, *self._changes, *self._running.values()]
        return tuple(sorted(known, key=lambda ran: ran.number))

    async def run(self, command: Command) -> Completed:
        ran = self._begin(command)
        began = time.perf_counter()
        try:
            completed = await self.inner.run(command)
        except HostError as error:
            self._end(ran, Outcome.FAILED, None, time.perf_counter() - began, error.message)
            raise
        except BaseException:
            self._end(ran, Outcome.UNKNOWN, None, time.perf_counter() - began, "given up")
            raise
        took = completed.duration_s or time.perf_counter() - began
        self._end(ran, completed.outcome, completed.status, took, completed.reason)
        return completed

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        ran = self._begin(command)
        began = time.perf_counter()
        reason = "ended by zconsole"
        try:
            async with self.inner.stream(command) as chunks:
                yield chunks
        except HostError as error:
            reason = error.message
            raise
        finally:
            self._end(ran, Outcome.DONE, None, time.perf_counter() - began, reason)

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        ran = self._begin(command)
        began = time.perf_counter()
        seen: list[Completed] = []
        reason = "given up"
        try:
            async with piped(self.inner, command) as running:
                yield _Seen(running, seen)
        except HostError as error:
            reason = error.message
            raise
        finally:
            took = time.perf_counter() - began
            last = seen[-1] if seen else None
            self._end(
                ran,
                last.outcome if last else Outcome.UNKNOWN,
                last.status if last else None,
                took,
                last.reason if last else reason,
            )

    def _begin(self, command: Command) -> LoggedCommand:
        with self._lock:
            self._number += 1
            ran = LoggedCommand(self._number, command.argv, command.effect, self._clock.now())
            self._running[ran.number] = ran
        return ran

    def _end(
        self, ran: LoggedCommand, outcome: Outcome, status: int | None, took: float, reason: str
    ) -> None:
        ended = replace(ran, outcome=outcome, status=status, duration_s=took, reason=reason)
        with self._lock:
            del self._running[ran.number]
            (self._reads if ran.effect is Effect.READ else self._changes).append(ended)


class _Seen:
    """Log entry of a running command."""

    def __init__(self, running: Piped, seen: list[Completed]) -> None:
        self.read = running.read
        self.write = running.write
        self.finish = running.finish
        self.kill = running.kill
        self.words = running.words
        self.session = running.session
        self._running = running
        self._seen = seen

    async def ended(self) -> Completed:
        completed = await self._running.ended()
        self._seen.append(completed)
        return completed

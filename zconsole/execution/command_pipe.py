"""Pipe from one command's stdout to another's stdin, on one or two hosts, through this console.

Memory is bounded by flow control. A stream that breaks off ends for the receiver too, which keeps its data
and is not killed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any, Final

from zconsole.analysis.replication.transfer_eta import Pace
from zconsole.base.clock import Clock
from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.read_command_runner import in_words
from zconsole.hosts.build_command_results import never_started, unknown
from zconsole.hosts.host import Command, Completed, Host, Outcome, Piped, pipe
from zconsole.model.run import TransferProgress

TICK_S: Final = 0.5
END_WITHIN_S: Final = 120.0  # for a receiver to save the data of a broken stream
STOPPED: Final = "it was stopped"


@dataclass(frozen=True, slots=True)
class End:
    """One end of the pipe."""

    host: Host
    command: Command


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks: `tell` for progress, `started` after the receiver's first bytes."""

    tell: Callable[[TransferProgress], None]
    started: Callable[[], Awaitable[None]]
    stop: asyncio.Event  # set to end it
    clock: Clock


async def transfer(source: End, sink: End, size_bytes: int | None, watch: Watch) -> Completed:
    """The receiver's result. Raises HostError only when the receiver's host is unreachable."""
    pumping = _Pumping(source, sink, Pace(size_bytes), watch)
    async with AsyncExitStack() as stack:
        try:
            giving = await stack.enter_async_context(pipe(source.host, source.command))
            giving.finish()
            first = await pumping.first(giving)
        except HostError as error:
            return never_started(sink.command, f"nothing was sent: {in_words(error)}")
        if not first:
            why = STOPPED if watch.stop.is_set() else _of_source(source, await giving.ended())
            return never_started(sink.command, f"nothing was sent: {why}")
        taking = await stack.enter_async_context(pipe(sink.host, sink.command))
        return await pumping.run(first, giving, taking)


class _Pumping:
    """Counted transfer."""

    def __init__(self, source: End, sink: End, pace: Pace, watch: Watch) -> None:
        self._source = source
        self._sink = sink
        self._pace = pace
        self._watch = watch
        self._passed = 0

    async def first(self, giving: Piped) -> bytes:
        """First bytes; empty when nothing comes, or after a stop."""
        reading = asyncio.ensure_future(giving.read())
        await self._until_over_or_stopped(reading)
        if reading.done():
            return reading.result()
        reading.cancel()
        return b""

    async def run(self, first: bytes, giving: Piped, taking: Piped) -> Completed:
        """Transfer until the receiver's end."""
        pumping = asyncio.ensure_future(self._pump(first, giving, taking))
        try:
            await self._until_over_or_stopped(pumping)
            has_sent_all = pumping.done() and pumping.exception() is None
            pumping.cancel()
            with suppress(asyncio.CancelledError, BrokenPipeError):
                await pumping
            taking.finish()
            ended = await giving.ended() if has_sent_all else None
            is_whole = ended is not None and ended.is_done
            completed = await self._end_of(taking, None if is_whole else END_WITHIN_S)
        finally:
            pumping.cancel()
        why = STOPPED if self._watch.stop.is_set() else _of_source(self._source, ended)
        if completed.outcome is not Outcome.FAILED or is_whole or not why:
            return completed
        return replace(completed, stderr=completed.stderr.rstrip(b"\n") + b"\n" + why.encode())

    async def _pump(self, data: bytes, giving: Piped, taking: Piped) -> None:
        await taking.write(data)
        self._passed += len(data)
        await self._watch.started()
        while data := await giving.read():
            await taking.write(data)
            self._passed += len(data)

    async def _until_over_or_stopped(self, work: asyncio.Future[Any]) -> None:
        """Report progress meanwhile."""
        stopping = asyncio.ensure_future(self._watch.stop.wait())
        try:
            while not work.done() and not stopping.done():
                await self._tick(work, stopping)
        finally:
            stopping.cancel()

    async def _end_of(self, taking: Piped, within_s: float | None) -> Completed:
        """The receiver's result: saving a complete stream may take long."""
        ending = asyncio.ensure_future(taking.ended())
        began = self._watch.clock.monotonic()
        try:
            while not ending.done():
                if within_s is not None and self._watch.clock.monotonic() - began > within_s:
                    late = unknown(self._sink.command, f"it did not end within {within_s:g} s")
                    return replace(late, session=taking.session())
                await self._tick(ending)
            return ending.result()
        finally:
            ending.cancel()

    async def _tick(self, *over: asyncio.Future[Any]) -> None:
        """Wait briefly or until one ends, and report progress."""
        sleeper = asyncio.ensure_future(self._watch.clock.sleep(TICK_S))
        try:
            await asyncio.wait({sleeper, *over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeper.cancel()
        self._watch.tell(self._pace.moved(self._watch.clock.monotonic(), self._passed))


def _of_source(source: End, ended: Completed | None) -> str:
    """The sender's own output, with its host's name."""
    if ended is None:
        return ""
    why = ended.said or ended.reason or f"exit {ended.status}"
    return f"{source.host.label}: {' '.join(source.command.argv[:2])}: {why}"

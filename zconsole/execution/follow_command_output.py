"""Long-running commands with progress from their output."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.analysis.replication.transfer_eta import Pace
from zconsole.execution.command_pipe import STOPPED, TICK_S, Watch
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Host, Piped, pipe
from zconsole.model.run import TransferProgress
from zconsole.zfs.stream.syncoid_progress import StreamProgress, counted, last_stream, without_counts

GONE_WITHIN_S: Final = 20.0  # for killed commands; ZFS may need time to finish a stream
KEPT_BYTES: Final = 64 * 1024  # bytes of output kept
SHOWN: Final = 4  # lines of output reported
_ENDS: Final = re.compile(r"[\r\n]+")  # a progress bar returns to the beginning of its line


async def follow(host: Host, command: Command, told: Callable[[str], None], watch: Watch) -> Completed:
    """Result with all output. Raises HostError.

    Reports the last lines and, if counted, the stream's progress. A stopped command is killed and UNKNOWN:
    the host shows how much has arrived.
    """
    async with pipe(host, command) as running:
        running.finish()
        kept, streams = bytearray(), Streams()
        listening = asyncio.ensure_future(_listen(running, kept))
        stopping = asyncio.ensure_future(watch.stop.wait())
        try:
            await watch.started()
            while not listening.done() and not stopping.done():
                sleeper = asyncio.ensure_future(watch.clock.sleep(TICK_S))
                over = {listening, stopping, sleeper}
                await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
                sleeper.cancel()
                stdout, stderr = bytes(kept), running.words()
                if words := last_lines(stdout, without_counts(stderr)):
                    told(words)
                if moved := streams.moved(watch.clock.monotonic(), stdout, stderr):
                    watch.tell(moved)
            if not listening.done():
                running.kill()
                why = await _is_gone(listening, watch)
                stopped = unknown(command, why, bytes(kept), without_counts(running.words()))
                return replace(stopped, session=running.session())
        finally:
            stopping.cancel()
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
        completed = await running.ended()
        if whole := streams.whole(running.words()):
            watch.tell(whole)
    return replace(completed, stdout=bytes(kept), stderr=without_counts(completed.stderr))


class Streams:
    """Progress of a program that sends several streams, each counted from zero."""

    def __init__(self) -> None:
        self._stream: StreamProgress | None = None
        self._pace = Pace(None)
        self._last = 0  # last reported count
        self._stale: int | None = None  # last count of the previous stream
        self._before = 0  # bytes of previous streams

    def moved(self, now: float, stdout: bytes, stderr: bytes) -> TransferProgress | None:
        """Progress of the current stream; None without counts."""
        found = counted(stderr)
        if found is None:
            return None
        stream = last_stream(stdout.decode("utf-8", "replace"))
        if stream != self._stream:
            self._stale = self._last if self._stream is not None else None
            self._stream, self._pace = stream, Pace(None if stream is None else stream.total_bytes)
        if found.bytes != self._stale:
            self._stale = None
        self._last = found.bytes
        self._before = max(self._before, found.before_bytes)  # its kept output is bounded
        return self._pace.moved(now, 0 if self._stale is not None else found.bytes)

    def whole(self, stderr: bytes) -> TransferProgress | None:
        """Total of all streams; None without counts."""
        found = counted(stderr)
        return (
            None if found is None else TransferProgress(max(self._before, found.before_bytes) + found.bytes)
        )


async def _is_gone(listening: asyncio.Future[None], watch: Watch) -> str:
    """Wait for the end of a killed command; returns what is known."""
    sleeper = asyncio.ensure_future(watch.clock.sleep(GONE_WITHIN_S))
    await asyncio.wait({listening, sleeper}, return_when=asyncio.FIRST_COMPLETED)
    sleeper.cancel()
    return STOPPED if listening.done() else "it was stopped on request"


async def _listen(running: Piped, kept: bytearray) -> None:
    while data := await running.read():
        kept += data
        del kept[:-KEPT_BYTES]


def last_lines(stdout: bytes, stderr: bytes) -> str:
    """The last lines of output; an overwritten line in its last state."""
    found: list[str] = []
    for part in (stdout, stderr):
        lines = [line.strip() for line in _ENDS.split(part.decode("utf-8", "replace")) if line.strip()]
        found += lines[-SHOWN // 2 :]
    return "\n".join(found)

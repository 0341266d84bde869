"""One subprocess of this machine: its own session, a constructed environment, its output in an intake."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import Final, cast

from zconsole.hosts.command_results import unsendable
from zconsole.hosts.host import ENVIRONMENT, Command
from zconsole.hosts.output_buffer import Intake

STDIN, STDOUT, STDERR = 0, 1, 2
DRAIN_S: Final = 0.25  # what it started may keep the pipe open; its own words are in it by then


class Child(asyncio.SubprocessProtocol):
    """Watches one subprocess; `exited` and `finished` say how far its end has come."""

    def __init__(self, intake: Intake, over: asyncio.Event) -> None:
        self.exited = asyncio.Event()
        self.finished = False  # exited, and all that it printed was read; then `over` is set
        self._intake = intake
        self._over = over
        self._open = {STDOUT, STDERR}
        self._paused = False
        self.takes_more = asyncio.Event()  # its stdin, or it never will: see `is_stdin_open`
        self.takes_more.set()
        self.is_stdin_open = True
        self._transport: asyncio.SubprocessTransport

    @property
    def status(self) -> int | None:
        """Its exit status, negative for the signal that killed it; None while it runs."""
        return self._transport.get_returncode()

    @property
    def session(self) -> int | None:
        """The session that it leads, which has its number."""
        return self._transport.get_pid()

    def pause(self) -> None:
        """Read no more of its output, so that it waits."""
        pipe = self._transport.get_pipe_transport(STDOUT)
        if isinstance(pipe, asyncio.ReadTransport):
            pipe.pause_reading()
            self._paused = True

    def resume(self) -> None:
        """Go on reading."""
        self._paused = False
        pipe = self._transport.get_pipe_transport(STDOUT)
        if isinstance(pipe, asyncio.ReadTransport):
            pipe.resume_reading()

    def kill(self) -> None:
        """Kill it and all that it started; nothing that ended is touched: its number may be another's."""
        if self.status is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._transport.get_pid(), signal.SIGKILL)

    def let_go(self) -> None:
        """Close our ends of its pipes."""
        self._paused = False
        self._transport.close()
        self._finish()

    def feed(self, data: bytes) -> None:
        """Give it its stdin, and close that."""
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(STDIN))
        pipe.write(data)
        pipe.write_eof()

    def write(self, data: bytes) -> None:
        """Add to its stdin, which stays open; `takes_more` says when to go on."""
        cast("asyncio.WriteTransport", self._transport.get_pipe_transport(STDIN)).write(data)

    def finish(self) -> None:
        """Close its stdin behind what was written."""
        self.is_stdin_open = False
        pipe = self._transport.get_pipe_transport(STDIN)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write_eof()

    def pause_writing(self) -> None:
        """As asyncio calls it: enough waits to be taken by its stdin."""
        self.takes_more.clear()

    def resume_writing(self) -> None:
        """As asyncio calls it."""
        self.takes_more.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == STDOUT:
            self._intake.out(data)
        else:
            self._intake.err(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - as asyncio calls it
        if fd == STDIN:
            self._takes_no_more()
        self._open.discard(fd)
        self._settle()

    def process_exited(self) -> None:
        self.exited.set()
        self._settle()
        if not self.finished:
            asyncio.get_running_loop().call_later(DRAIN_S, self._drained)

    def _drained(self) -> None:
        """Something that it started still holds the pipe: its own words were read, unless the reader lags."""
        if self._paused:
            asyncio.get_running_loop().call_later(DRAIN_S, self._drained)
        else:
            self._finish()

    def _settle(self) -> None:
        if self.exited.is_set() and not self._open:
            self._finish()

    def _takes_no_more(self) -> None:
        self.is_stdin_open = False
        self.takes_more.set()

    def _finish(self) -> None:
        if not self.finished:
            self.finished = True
            self._takes_no_more()
            self._intake.end()
            self._over.set()


async def start(command: Command, intake: Intake, over: asyncio.Event, *, keeps_stdin: bool = False) -> Child:
    """Start it; `over` is set when it has finished. Raises OSError or ValueError when the system will not.

    With `keeps_stdin` more can be written to its stdin, which is open until `finish`.
    """
    if reason := unsendable(command.argv):
        raise ValueError(reason)
    child = Child(intake, over)
    has_stdin = keeps_stdin or command.stdin is not None
    await asyncio.get_running_loop().subprocess_exec(
        lambda: child,
        *command.argv,
        stdin=asyncio.subprocess.PIPE if has_stdin else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(ENVIRONMENT),
        cwd="/",  # pins no dataset that the user happens to stand in
        start_new_session=True,  # so that a deadline reaches whatever it started
        close_fds=True,
    )
    if keeps_stdin:
        child.write(command.stdin or b"")
    elif command.stdin is not None:
        child.feed(command.stdin)
    return child

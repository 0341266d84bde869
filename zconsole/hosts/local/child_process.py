"""Subprocess of this machine: own session, constructed environment, output into an `Intake`."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import Final, cast

from zconsole.hosts.build_command_results import unsendable
from zconsole.hosts.collected_and_streamed_output import OutputReceiver
from zconsole.hosts.host import ENVIRONMENT, Command

STDIN, STDOUT, STDERR = 0, 1, 2
DRAIN_S: Final = 0.25  # a grandchild may keep the pipe open; the child's own output has arrived by then


class ChildProcess(asyncio.SubprocessProtocol):
    """One subprocess; `exited` and `finished` report the stages of its end."""

    def __init__(self, intake: OutputReceiver, over: asyncio.Event) -> None:
        self.exited = asyncio.Event()
        self.finished = False  # exited, and all output read; then `over` is set
        self._intake = intake
        self._over = over
        self._open = {STDOUT, STDERR}
        self._paused = False
        # set when stdin accepts data or never will again: see `is_stdin_open`
        self.takes_more = asyncio.Event()
        self.takes_more.set()
        self.is_stdin_open = True
        self._transport: asyncio.SubprocessTransport

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._transport.get_returncode()

    @property
    def session(self) -> int | None:
        """The session it leads; its id is the pid."""
        return self._transport.get_pid()

    def pause(self) -> None:
        """Stop reading its output, so that it blocks."""
        pipe = self._transport.get_pipe_transport(STDOUT)
        if isinstance(pipe, asyncio.ReadTransport):
            pipe.pause_reading()
            self._paused = True

    def resume(self) -> None:
        """Resume reading its output."""
        self._paused = False
        pipe = self._transport.get_pipe_transport(STDOUT)
        if isinstance(pipe, asyncio.ReadTransport):
            pipe.resume_reading()

    def kill(self) -> None:
        """Kill it and its children; not after its end, when its pid may be reused."""
        if self.status is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._transport.get_pid(), signal.SIGKILL)

    def let_go(self) -> None:
        """Close this side of its pipes."""
        self._paused = False
        self._transport.close()
        self._finish()

    def feed(self, data: bytes) -> None:
        """Write its stdin and close that."""
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(STDIN))
        pipe.write(data)
        pipe.write_eof()

    def write(self, data: bytes) -> None:
        """Write to its stdin, which stays open; `takes_more` says when to write more."""
        cast("asyncio.WriteTransport", self._transport.get_pipe_transport(STDIN)).write(data)

    def finish(self) -> None:
        """Close its stdin after the data written so far."""
        self.is_stdin_open = False
        pipe = self._transport.get_pipe_transport(STDIN)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write_eof()

    def pause_writing(self) -> None:
        """Callback of asyncio: the stdin buffer is full."""
        self.takes_more.clear()

    def resume_writing(self) -> None:
        """Callback of asyncio: the stdin buffer has room."""
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
        """A grandchild keeps the pipe open: the child's own output was read unless the reader lags."""
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


async def start(
    command: Command, intake: OutputReceiver, over: asyncio.Event, *, keeps_stdin: bool = False
) -> ChildProcess:
    """Start it; `over` is set when it has finished. Raises OSError or ValueError when the system refuses.

    With `keeps_stdin` stdin stays open for writing until `finish`.
    """
    if reason := unsendable(command.argv):
        raise ValueError(reason)
    child = ChildProcess(intake, over)
    has_stdin = keeps_stdin or command.stdin is not None
    await asyncio.get_running_loop().subprocess_exec(
        lambda: child,
        *command.argv,
        stdin=asyncio.subprocess.PIPE if has_stdin else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(ENVIRONMENT),
        cwd="/",  # keeps no dataset busy as its working directory
        start_new_session=True,  # so that a kill reaches its children
        close_fds=True,
    )
    if keeps_stdin:
        child.write(command.stdin or b"")
    elif command.stdin is not None:
        child.feed(command.stdin)
    return child

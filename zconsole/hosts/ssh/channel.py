"""One command on an SSH connection: asyncssh callbacks in, output and exit status out.

asyncssh's higher-level calls are not used: they lose the channel when the wait is cancelled, and report a
cut link as a result without status.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

import asyncssh

from zconsole.hosts.collected_and_streamed_output import OutputReceiver
from zconsole.hosts.ssh.login_phase_recorder import FirstSession
from zconsole.hosts.ssh.shell_quoting_and_output_marker import OutputMarker

KILL_GRACE_S: Final = 1.0  # output later than this comes from an sshd without signal support


class NotWanted(Exception):
    """The channel opened after its command was abandoned: the command must not start."""


class Channel(asyncssh.SSHClientSession[bytes]):
    """Channel of one command; `over` is set when nothing more will arrive."""

    def __init__(
        self, intake: OutputReceiver, stdin: bytes | None, over: asyncio.Event, *, keeps_stdin: bool = False
    ) -> None:
        """With `keeps_stdin` stdin stays open for writing until `finish`."""
        self.mark = OutputMarker()
        # set when stdin accepts data or never will again: see `is_stdin_open`
        self.takes_more = asyncio.Event()
        self.is_stdin_open = keeps_stdin
        self.was_opened = False  # from now on the command may have started
        self.status: int | None = None
        self.signal: str | None = None
        self.is_complete = False  # all of its output has arrived
        self.began = asyncio.Event()  # set when the command itself runs, after its login shell, or never will
        self.closed = asyncio.Event()
        self.was_refused = False  # the command certainly did not and will not start
        self.has_session = False  # asyncssh will report its closing
        self.on_closed: list[Callable[[], object]] = []
        self.first: FirstSession | None = None  # where it is the first session of its connection
        self._intake = intake
        self._stdin = stdin
        self._over = over
        self._keeps_stdin = keeps_stdin
        self._given_up_at: float | None = None
        self._channel: asyncssh.SSHClientChannel[bytes]

    @property
    def session(self) -> int | None:
        """Session id of the command's processes, once it was reported."""
        return self.mark.session

    @property
    def is_closed(self) -> bool:
        """Whether the server closed it as well: its processes have ended."""
        return self.closed.is_set()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._channel = chan
        self.has_session = True
        if self._given_up_at is not None:
            chan.close()
            raise NotWanted
        self.was_opened = True

    def session_started(self) -> None:
        if self.first is not None:
            self.first.opened()
        if self._stdin is not None:
            with suppress(BrokenPipeError, OSError):  # it ended without reading its stdin
                self._channel.write(self._stdin)
        self.takes_more.set()
        if not self._keeps_stdin:
            with suppress(BrokenPipeError, OSError):
                self._channel.write_eof()

    def write(self, data: bytes) -> None:
        """Write to its stdin, which stays open; `takes_more` says when to write more. Raises OSError."""
        self._channel.write(data)

    def finish(self) -> None:
        """Close its stdin after the data written so far."""
        self.is_stdin_open = False
        with suppress(BrokenPipeError, OSError):
            self._channel.write_eof()

    def pause_writing(self) -> None:
        """Callback of asyncssh: the send window is full."""
        self.takes_more.clear()

    def resume_writing(self) -> None:
        """Callback of asyncssh: the send window has room."""
        self.takes_more.set()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._given_up_at is not None:
            if datatype is None:
                self._own(data)  # it may still contain the session id needed to kill it
            if asyncio.get_running_loop().time() > self._given_up_at + KILL_GRACE_S:
                self._channel.abort()  # its next write ends it with SIGPIPE
        elif datatype == asyncssh.EXTENDED_DATA_STDERR:
            self._intake.err(data)
        elif own := self._own(data):
            self._intake.out(own)

    def _own(self, data: bytes) -> bytes:
        own = self.mark.strip(data)
        if self.mark.is_past:
            self.began.set()
            if self.first is not None:
                self.first.answered()
                self.first = None
        return own

    def exit_status_received(self, status: int) -> None:
        self.status = status

    def exit_signal_received(self, signal: str, core_dumped: bool, msg: str, lang: str) -> None:
        del core_dumped, msg, lang
        self.signal = signal

    def eof_received(self) -> bool:
        self.is_complete = True
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Callback of asyncssh: the channel closed, from either side."""
        del exc
        if self.first is not None:
            self.first.over()
        self.is_stdin_open = False
        self.takes_more.set()
        self.began.set()
        self.closed.set()
        self._intake.end()
        self._over.set()
        for tell in self.on_closed:
            tell()

    def pause(self) -> None:
        """Stop reading, so that the server blocks."""
        self._channel.pause_reading()

    def resume(self) -> None:
        """Resume reading."""
        self._channel.resume_reading()

    def give_up(self) -> None:
        """Kill the command if it runs, and prevent its start if it has not.

        The channel stays open until the server closes it, which proves that the command has ended.
        """
        self._given_up_at = asyncio.get_running_loop().time()
        if not self.was_opened or self.is_closed:
            return
        self._channel.resume_reading()
        with suppress(OSError):
            self._channel.kill()


async def open_channel(connection: asyncssh.SSHClientConnection, channel: Channel, command: bytes) -> None:
    """Open a channel and start the command. Raises asyncssh.Error; an abandoned command never starts late."""
    await connection.create_session(
        lambda: channel,
        cast("str", command),  # sent unchanged; only the annotation excludes bytes
        encoding=None,
        request_pty=False,
        x11_forwarding=False,
        env=None,
        send_env=None,
    )

"""One command on an SSH connection: asyncssh's callbacks in, an intake and an exit status out.

The calls of asyncssh above this level are not used: they lose the channel when the wait for it is
cancelled, and they report a link that was cut as an answer without a status.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

import asyncssh

from zconsole.hosts.output_buffer import Intake
from zconsole.hosts.ssh.shell_quoting import OutputMarker

KILL_GRACE_S: Final = 1.0  # what still prints after that is on an sshd that knows no signals


class NotWanted(Exception):
    """The channel opened after its command was given up: the command must not start."""


class Channel(asyncssh.SSHClientSession[bytes]):
    """What became of one command; `over` is set when nothing more will be heard of it."""

    def __init__(
        self, intake: Intake, stdin: bytes | None, over: asyncio.Event, *, keeps_stdin: bool = False
    ) -> None:
        """With `keeps_stdin` more can be written to its stdin, which is open until `finish`."""
        self.mark = OutputMarker()
        self.takes_more = asyncio.Event()  # its stdin, or it never will: see `is_stdin_open`
        self.is_stdin_open = keeps_stdin
        self.was_opened = False  # from here on the command may have started
        self.status: int | None = None
        self.signal: str | None = None
        self.is_complete = False  # all of its output arrived
        self.began = asyncio.Event()  # the command itself, after its login shell; or it never will
        self.closed = asyncio.Event()
        self.was_refused = False  # it is certain that the command did not and will not start
        self.has_session = False  # asyncssh will tell when it closes
        self.on_closed: list[Callable[[], object]] = []
        self._intake = intake
        self._stdin = stdin
        self._over = over
        self._keeps_stdin = keeps_stdin
        self._given_up_at: float | None = None
        self._channel: asyncssh.SSHClientChannel[bytes]

    @property
    def session(self) -> int | None:
        """The session of processes that the command leads there, once it has told."""
        return self.mark.session

    @property
    def is_closed(self) -> bool:
        """Whether the other side closed it, too: what ran on it is gone."""
        return self.closed.is_set()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._channel = chan
        self.has_session = True
        if self._given_up_at is not None:
            chan.close()
            raise NotWanted
        self.was_opened = True

    def session_started(self) -> None:
        if self._stdin is not None:
            with suppress(BrokenPipeError, OSError):  # it ended already, and did not read it
                self._channel.write(self._stdin)
        self.takes_more.set()
        if not self._keeps_stdin:
            with suppress(BrokenPipeError, OSError):
                self._channel.write_eof()

    def write(self, data: bytes) -> None:
        """Add to its stdin, which stays open; `takes_more` says when to go on. Raises OSError."""
        self._channel.write(data)

    def finish(self) -> None:
        """Close its stdin behind what was written."""
        self.is_stdin_open = False
        with suppress(BrokenPipeError, OSError):
            self._channel.write_eof()

    def pause_writing(self) -> None:
        """As asyncssh calls it: the other side is behind."""
        self.takes_more.clear()

    def resume_writing(self) -> None:
        """As asyncssh calls it."""
        self.takes_more.set()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._given_up_at is not None:
            if datatype is None:
                self._own(data)  # it may still say which processes to kill
            if asyncio.get_running_loop().time() > self._given_up_at + KILL_GRACE_S:
                self._channel.abort()  # its next word ends it by SIGPIPE
        elif datatype == asyncssh.EXTENDED_DATA_STDERR:
            self._intake.err(data)
        elif own := self._own(data):
            self._intake.out(own)

    def _own(self, data: bytes) -> bytes:
        own = self.mark.strip(data)
        if self.mark.is_past:
            self.began.set()
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
        """The channel closed, whoever closed it."""
        del exc
        self.is_stdin_open = False
        self.takes_more.set()
        self.began.set()
        self.closed.set()
        self._intake.end()
        self._over.set()
        for tell in self.on_closed:
            tell()

    def pause(self) -> None:
        """Let the other side wait."""
        self._channel.pause_reading()

    def resume(self) -> None:
        """Go on."""
        self._channel.resume_reading()

    def give_up(self) -> None:
        """Kill the command if it runs, and see that it does not start if it does not.

        The channel stays open until the other side closes it, which shows that the command is gone.
        """
        self._given_up_at = asyncio.get_running_loop().time()
        if not self.was_opened or self.is_closed:
            return
        self._channel.resume_reading()
        with suppress(OSError):
            self._channel.kill()


async def open_channel(connection: asyncssh.SSHClientConnection, channel: Channel, command: bytes) -> None:
    """Open it and start the command. Raises asyncssh.Error; one that is given up never starts late."""
    await connection.create_session(
        lambda: channel,
        cast("str", command),  # sent as it is; only the annotation knows no bytes
        encoding=None,
        request_pty=False,
        x11_forwarding=False,
        env=None,
        send_env=None,
    )

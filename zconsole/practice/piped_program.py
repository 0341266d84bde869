"""A running program of the practice host whose stdin and stdout the console writes and reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from zconsole.base.errors import LinkLost
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Completed
from zconsole.practice.command_and_link_fault_switches import Faults
from zconsole.practice.program_reply import Reply, Sending, Taking
from zconsole.practice.system.mounts_and_processes import ASKING

BYTES_PER_S: Final = 256 * 1024 * 1024  # that disks and link give
PIECE_BYTES: Final = 512 * 1024


class Line(Protocol):
    """The link and the clock of a host, as its programs use them."""

    faults: Faults

    def check_link(self) -> None:
        """Raises LinkLost where it is cut."""

    async def pass_time(self, seconds: float) -> None:
        """Wait. Raises LinkLost where the link is cut meanwhile."""


class PracticePipe:
    """One running program; a cut link closes its stdin."""

    def __init__(self, line: Line, command: Command, found: Reply | Sending | Taking) -> None:
        self._line = line
        self._command = command
        self._found = found
        self._reply = found if isinstance(found, Reply) else None
        self._unread = _encoded(found.stdout) if isinstance(found, Reply) else b""
        self._sent = 0
        self._lost = ""
        self._is_stdin_open = isinstance(found, Taking)
        if command.stdin and isinstance(found, Taking):
            self._reply = found.feed(command.stdin)

    async def read(self) -> bytes:
        """Read from its stdout."""
        if isinstance(self._found, Sending) and self._reply is None:
            return await self._next(self._found)
        if self._reply is None:
            await self._end()
        data, self._unread = self._unread, b""
        return b"" if self._lost else data

    async def write(self, data: bytes) -> None:
        """Write to its stdin."""
        self._look()
        if not self._is_stdin_open or self._lost or not isinstance(self._found, Taking):
            raise BrokenPipeError("its stdin is closed")
        reply = self._found.feed(data)
        if reply is not None:
            self._finished(reply)
            raise BrokenPipeError("it has ended")

    def finish(self) -> None:
        """Close its stdin."""
        self._is_stdin_open = False

    def kill(self) -> None:
        """Kill the program."""
        self._lost = self._lost or "it was killed by SIGKILL"
        self.leave()

    def words(self) -> bytes:
        """Its stderr."""
        return _encoded(self._reply.stderr) if self._reply is not None else b""

    def session(self) -> int | None:
        """The session that it leads."""
        return ASKING

    async def ended(self) -> Completed:
        """The result of the program."""
        while await self.read():
            pass
        await self._end()
        if self._lost or self._reply is None:
            lost = unknown(self._command, self._lost or "it was killed", b"", self.words())
            return replace(lost, session=self.session())
        return ended(self._command, self._reply.status, b"", self.words())

    def leave(self) -> None:
        """Close its stdin, because it is killed or its link is cut."""
        self._is_stdin_open = False
        if isinstance(self._found, Taking) and self._reply is None:
            self._finished(self._found.end())

    async def _next(self, sending: Sending) -> bytes:
        """The next pieces of a stream, at the pace of the disks."""
        found = bytearray()
        while len(found) < PIECE_BYTES and (chunk := next(sending.chunks, b"")):
            found += chunk
        if not found:
            self._finished(sending.reply)
            return b""
        limit = self._line.faults.cut_after_bytes
        if limit is not None and self._sent + len(found) > limit:
            self._lost = "the connection was lost before it was seen to end"
            self._finished(sending.reply)
            return bytes(found[: limit - self._sent])
        self._sent += len(found)
        try:
            await self._line.pass_time(len(found) / BYTES_PER_S)
        except LinkLost as error:
            self._lost = error.message
            self._finished(sending.reply)
            return b""
        return bytes(found)

    async def _end(self) -> None:
        """Wait for the end of the program; one that reads its stdin ends when that is closed."""
        self._look()
        if self._reply is None and isinstance(self._found, Taking):
            while self._is_stdin_open and not self._lost:
                await self._line.pass_time(1.0)
                self._look()
            if self._reply is None:
                self._finished(self._found.end())

    def _look(self) -> None:
        """Check the link; a cut one closes the stdin and loses the result."""
        if self._lost:
            return
        try:
            self._line.check_link()
        except LinkLost as error:
            self._lost = error.message
            self.leave()

    def _finished(self, reply: Reply) -> None:
        self._reply = reply
        self._unread = _encoded(reply.stdout)
        self._is_stdin_open = False


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

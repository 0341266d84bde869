"""Local command that changes something and runs to its end even when this program dies.

It leads its own session, so that terminal signals do not reach it. Its output goes to memory files, not to a
pipe, which would kill it when the reader is gone. Its input is a memory file too, complete at the start.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import Final

from zconsole.hosts.build_command_results import MAX_STDERR_BYTES, unsendable
from zconsole.hosts.host import ENVIRONMENT, Command

STDERR_BYTES: Final = 1024 * 1024  # of which the end is shown
_BOUND: Final = fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK


class OutlivingCommand:
    """Running command; `exited` is set when it has ended."""

    def __init__(self, command: Command) -> None:
        """Start it. Raises OSError or ValueError when the system refuses."""
        if reason := unsendable(command.argv):
            raise ValueError(reason)
        self.exited = asyncio.Event()
        self._max_bytes = command.max_bytes
        self._loop = asyncio.get_running_loop()
        self._files: list[int] = []
        try:
            self._stdout, self._stderr = self._room(command.max_bytes), self._room(STDERR_BYTES)
            self._process = subprocess.Popen(  # noqa: S603 - an argv out of a plan, and no shell
                command.argv,
                stdin=subprocess.DEVNULL if command.stdin is None else self._filled(command.stdin),
                stdout=self._stdout,
                stderr=self._stderr,
                env=dict(ENVIRONMENT),
                cwd="/",  # keeps no dataset busy as its working directory
                start_new_session=True,
            )
        except BaseException:
            self.let_go()
            raise
        threading.Thread(target=self._wait, name=f"change {self.session}", daemon=True).start()

    @property
    def status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    @property
    def session(self) -> int | None:
        """The session it leads; its id is the pid."""
        return self._process.pid

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return self.exited.is_set()

    def kill(self) -> None:
        """Kill it and its children; not after its end, when its pid may be reused."""
        if self.status is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def said(self) -> tuple[bytes, bytes]:
        """Its output so far: the beginning of stdout, the end of stderr."""
        if not self._files:
            return b"", b""
        return _first(self._stdout, self._max_bytes), _last(self._stderr, MAX_STDERR_BYTES)

    def let_go(self) -> None:
        """Close this side of its output; the command has its own descriptors."""
        for file in self._files:
            os.close(file)
        self._files.clear()

    def _room(self, size: int) -> int:
        """A memory file of this size; writing more fails with ENOSPC."""
        file = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._files.append(file)
        os.ftruncate(file, size)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, _BOUND)
        return file

    def _filled(self, data: bytes) -> int:
        """A memory file with this content, positioned at its beginning."""
        file = os.memfd_create("input", os.MFD_CLOEXEC)
        self._files.append(file)
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.lseek(file, 0, os.SEEK_SET)
        return file

    def _wait(self) -> None:
        """Wait in a daemon thread, which does not delay the exit of this program."""
        self._process.wait()
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self.exited.set)


def _first(file: int, most: int) -> bytes:
    """The content written so far, read without moving the offset that the writer shares."""
    return os.pread(file, min(os.lseek(file, 0, os.SEEK_CUR), most), 0)


def _last(file: int, most: int) -> bytes:
    end = os.lseek(file, 0, os.SEEK_CUR)
    begin = max(0, end - most)
    return os.pread(file, end - begin, begin)

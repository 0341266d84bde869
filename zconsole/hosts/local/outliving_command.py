"""A command of this machine that changes something: it comes to its end whatever becomes of this program.

It leads a session of its own, so that no signal of a terminal reaches it. What it prints goes into memory
that the kernel keeps while it runs, not through a pipe, which would kill it once nobody reads. So does what
it reads: all of that is there from the start.
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

from zconsole.hosts.command_results import MAX_STDERR_BYTES, unsendable
from zconsole.hosts.host import ENVIRONMENT, Command

STDERR_BYTES: Final = 1024 * 1024  # of which the last count
_BOUND: Final = fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK


class OutlivingCommand:
    """One such command that runs; `exited` is set when it has ended."""

    def __init__(self, command: Command) -> None:
        """Start it. Raises OSError or ValueError when the system will not."""
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
                cwd="/",  # pins no dataset that the user happens to stand in
                start_new_session=True,
            )
        except BaseException:
            self.let_go()
            raise
        threading.Thread(target=self._wait, name=f"change {self.session}", daemon=True).start()

    @property
    def status(self) -> int | None:
        """Its exit status, negative for the signal that killed it; None while it runs."""
        return self._process.returncode

    @property
    def session(self) -> int | None:
        """The session that it leads, which has its number."""
        return self._process.pid

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return self.exited.is_set()

    def kill(self) -> None:
        """Kill it and all that it started; nothing that ended is touched: its number may be another's."""
        if self.status is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def said(self) -> tuple[bytes, bytes]:
        """What it has printed so far: the beginning of stdout, the end of stderr."""
        if not self._files:
            return b"", b""
        return _first(self._stdout, self._max_bytes), _last(self._stderr, MAX_STDERR_BYTES)

    def let_go(self) -> None:
        """Close our ends of what it prints; it has its own."""
        for file in self._files:
            os.close(file)
        self._files.clear()

    def _room(self, size: int) -> int:
        """A file in memory for so many bytes; who writes more is told that there is no more room."""
        file = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._files.append(file)
        os.ftruncate(file, size)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, _BOUND)
        return file

    def _filled(self, data: bytes) -> int:
        """A file in memory that holds these bytes, to be read from its beginning."""
        file = os.memfd_create("input", os.MFD_CLOEXEC)
        self._files.append(file)
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.lseek(file, 0, os.SEEK_SET)
        return file

    def _wait(self) -> None:
        """In a thread of its own, which this program does not wait for when it ends."""
        self._process.wait()
        with suppress(RuntimeError):  # the loop ended in the meantime
            self._loop.call_soon_threadsafe(self.exited.set)


def _first(file: int, most: int) -> bytes:
    """What was written: the place of the next byte is shared with the writer."""
    return os.pread(file, min(os.lseek(file, 0, os.SEEK_CUR), most), 0)


def _last(file: int, most: int) -> bytes:
    end = os.lseek(file, 0, os.SEEK_CUR)
    begin = max(0, end - most)
    return os.pread(file, end - begin, begin)

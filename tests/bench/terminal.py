"""A program in a pseudo-terminal, with what it writes counted and what it costs measured."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
CHUNK: Final = 65536


@dataclass
class Terminal:
    """Starts `argv` in a terminal of `columns` x `rows`; use it as a context."""

    argv: Sequence[str]
    columns: int = 120
    rows: int = 40
    env: Mapping[str, str] = field(default_factory=dict)
    output: bytearray = field(default_factory=bytearray)

    def __enter__(self) -> Self:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **self.env}
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(self.argv),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.master)

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self.master, keys)

    def read_for(self, seconds: float) -> int:
        """Read whatever comes for so long; the number of bytes."""
        before, until = len(self.output), time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self._read(left)
        return len(self.output) - before

    def read_until(self, words: bytes, *, within_s: float = 20.0, since: int = 0) -> float:
        """Read until the words were written; seconds since the call."""
        began = time.perf_counter()
        while words not in self.output[since:]:
            left = within_s - (time.perf_counter() - began)
            if left <= 0 or (self.process.poll() is not None and not self._read(0)):
                tail = bytes(self.output[-2000:])
                raise TimeoutError(f"{words!r} was not written within {within_s} s; last: {tail!r}")
            self._read(left)
        return time.perf_counter() - began

    def time_key(self, keys: bytes, *, within_s: float = 2.0) -> float:
        """Press a key when nothing is being written; seconds to the first byte of the answer."""
        while self._read(0.02):
            pass
        self.send(keys)
        began = time.perf_counter()
        if not self._read(within_s):
            raise TimeoutError("no answer")
        return time.perf_counter() - began

    def _read(self, timeout_s: float) -> int:
        ready, _, _ = select.select([self.master], [], [], max(0.0, timeout_s))
        if not ready:
            return 0
        try:
            chunk = os.read(self.master, CHUNK)
        except OSError:
            return 0
        self.output += chunk
        return len(chunk)

    def cpu_s(self) -> float:
        """Processor seconds of the program so far, all threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def rss_mib(self) -> float:
        """Resident memory in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024


@dataclass(frozen=True)
class Cost:
    """What a program cost while it was watched."""

    cpu_percent: float
    bytes_per_s: float
    rss_mib: float


def watch(terminal: Terminal, seconds: float) -> Cost:
    """Let it run, and measure."""
    cpu, began = terminal.cpu_s(), time.perf_counter()
    written = terminal.read_for(seconds)
    elapsed = time.perf_counter() - began
    return Cost(
        cpu_percent=100 * (terminal.cpu_s() - cpu) / elapsed,
        bytes_per_s=written / elapsed,
        rss_mib=terminal.rss_mib(),
    )

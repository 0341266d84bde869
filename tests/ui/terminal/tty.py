"""A real pseudo-terminal with the console in it, and a terminal emulator that reads what it sends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0  # of a machine that does much else; what fails waits so long
WHERE_IS_THE_CURSOR = b"\x1b[6n"
HERE = b"\x1b[1;1R"
TERMINAL = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "COLORTERM": "truecolor"}


class Tty:
    """The console as a child process on a terminal of its own."""

    def __init__(
        self, script: str, *arguments: str, size: tuple[int, int] = (80, 24), **environment: str
    ) -> None:
        self.master, slave = pty.openpty()
        columns, rows = size
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.attributes = termios.tcgetattr(slave)
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.sent = bytearray()
        self.answers = False  # as all terminals do that people use
        self._is_open = True
        self.process = subprocess.Popen(
            [sys.executable, "-m", script, *arguments],
            stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # it needs a terminal to lose
            env={**os.environ, **TERMINAL, **environment},
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Tty:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """The terminal goes away."""
        if self._is_open:
            self._is_open = False
            os.close(self.master)

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has another size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def read(self, seconds: float) -> bytes:
        """What comes within that time; the emulator shows it."""
        got = bytearray()
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and (chunk := self._take(left)):
            got += chunk
        return bytes(got)

    def _take(self, seconds: float) -> bytes:
        """What comes at once, if anything comes within that time; b"" also at the end."""
        if not select.select([self.master] if self._is_open else [], [], [], seconds)[0]:
            return b""
        try:
            chunk = os.read(self.master, 65536)
        except OSError:
            return b""
        self.sent += chunk
        self._stream.feed(chunk)
        if self.answers:
            os.write(self.master, HERE * chunk.count(WHERE_IS_THE_CURSOR))
        return chunk

    def until(self, is_so: Callable[[Tty], bool], *, seconds: float = PATIENCE_S) -> None:
        """Read until something holds."""
        end = time.monotonic() + seconds
        while not is_so(self):
            if time.monotonic() > end:
                raise TimeoutError("\n".join(self.screen.display))
            self.read(0.05)

    def until_shown(self, text: str) -> None:
        """Read until the screen shows a text."""
        self.until(lambda tty: text in "\n".join(tty.screen.display))

    def until_quiet(self) -> None:
        """Read until nothing comes for a while."""
        while self.read(0.4):
            pass

    def falls_silent(self, seconds: float) -> bool:
        """Whether, in the end, nothing comes for so long; what comes again and again never lets it."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if not self.read(seconds):
                return True
        return False

    def until_stuck(self, sign: Path) -> None:
        """Read nothing until the console says, by a file, that frames wait for its terminal; have it draw."""
        end = time.monotonic() + PATIENCE_S
        while not sign.exists():
            if time.monotonic() > end:
                raise TimeoutError("it never wrote more than the terminal holds")
            self.type("\x0c")
            time.sleep(0.02)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def wait(self, seconds: float) -> int | None:
        """The exit code, or None when it still runs after that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                self.read(0.02)
            if (code := self.process.poll()) is not None:
                with contextlib.suppress(OSError, ValueError):
                    while self._take(0):  # all of it, however long this process was kept from it
                        pass
                return code
        return None

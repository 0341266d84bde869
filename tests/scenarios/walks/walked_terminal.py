"""The terminal of the walker: it answers where the cursor is, takes bursts, and changes its size."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import termios
import time
from contextlib import suppress
from typing import Final

from tests.ui.terminal.tty import Tty

WHERE_IS_THE_CURSOR: Final = b"\x1b[6n"
HERE: Final = b"\x1b[1;1R"


class Terminal(Tty):
    """A terminal that answers where the cursor is, and draws only what it is asked to show in the end."""

    def read(self, seconds: float) -> bytes:
        got = bytearray()
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0.0, end - time.monotonic()))[0]:
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                break
            if not chunk:
                break
            got += chunk
            if WHERE_IS_THE_CURSOR in chunk:
                self.write(HERE * chunk.count(WHERE_IS_THE_CURSOR))
            if time.monotonic() > end:
                break
        self.sent += got
        return bytes(got)

    def write(self, data: bytes) -> None:
        """Keys; a program that reads none is no reason to wait for ever."""
        while data and select.select([], [self.master], [], 1.0)[1]:
            with suppress(OSError):
                data = data[os.write(self.master, data[:2000]) :]
                continue
            return

    def resize(self, columns: int, rows: int) -> None:
        """Another size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGWINCH)
        self.screen.resize(rows, columns)

    def picture(self) -> str:
        """The screen as it was left."""
        begun = bytes(self.sent).rfind(b"\x1b[?1049h")
        end = bytes(self.sent).rfind(b"\x1b[?1049l")
        shown = bytes(self.sent[max(0, begun) : end if end > begun else None])
        with suppress(Exception):  # an emulator that does not know a sequence shows what came before
            self._stream.feed(shown[-200_000:])
        rest = bytes(self.sent[end:]).decode("utf-8", "replace") if end > begun else ""
        lines = [line.rstrip() for line in self.screen.display]
        plain = re.sub(r"\x1b[\[(<>?][0-9;?]*[a-zA-Z]", "", rest)
        return "\n".join([*(line for line in lines if line), plain[-2000:].strip()])

"""The console as a user starts it: its subcommands, and its screens as a terminal shows them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import pyte

from tests.bench.terminal import Terminal

HERE: Final = (sys.executable, "-m", "zconsole")
COMMAND_S: Final = 120.0
SCREEN_S: Final = 60.0  # emulated hosts are slow


@dataclass(frozen=True, slots=True)
class Ended:
    """How a subcommand ended."""

    status: int
    stdout: str
    stderr: str


def zconsole(*words: str, program: Sequence[str] = HERE) -> Ended:
    """Run a subcommand to its end."""
    done = subprocess.run(
        [*program, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


class Screen:
    """The running console, read cell by cell; use it as a context."""

    def __init__(self, *words: str, columns: int = 80, rows: int = 24, program: Sequence[str] = HERE) -> None:
        self._terminal = Terminal([*program, *words], columns, rows, {"LANG": "C.UTF-8"})
        self._cells = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._cells)
        self._read = 0

    def __enter__(self) -> Screen:
        self._terminal.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._terminal.send(b"\x11")
        self._terminal.read_for(0.5)
        self._terminal.__exit__(None, None, None)

    def text(self) -> str:
        """What it shows now."""
        self._stream.feed(bytes(self._terminal.output[self._read :]))
        self._read = len(self._terminal.output)
        return "\n".join(line.rstrip() for line in self._cells.display)

    def press(self, keys: str) -> None:
        """Type."""
        self._terminal.send(keys.encode())

    def wait_for(self, what: str | Callable[[str], bool]) -> str:
        """Read until the screen shows these words, or is as asked; returns it."""
        shows = what if callable(what) else lambda text: what in text
        deadline = time.monotonic() + SCREEN_S
        while time.monotonic() < deadline:
            self._terminal.read_for(0.2)
            if shows(text := self.text()):
                return text
            if self._terminal.process.poll() is not None:
                raise AssertionError(f"the console ended:\n{text}")
        raise AssertionError(f"the screen does not show {what!r}:\n{self.text()}")

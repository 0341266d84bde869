"""The console as a user of a lab guest starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Final

from tests.ui.terminal.tty import ROOT, Tty

HOST_S: Final = 100.0  # emulated hosts are slow, and the slower the busier the machine is
COMMAND_S: Final = 120.0
SCREEN_S: Final = 180.0
BOUNDED: Final = ("status", "check")  # subcommands that can be told how long to wait


def zconsole(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a subcommand, as the user whose ~/.ssh/config the test has written."""
    patience = ("--timeout", f"{HOST_S:g}") if words[0] in BOUNDED else ()
    return subprocess.run(
        [sys.executable, "-m", "zconsole", *words, *patience],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=COMMAND_S,
        check=False,
    )


def on_screen(*words: str, size: tuple[int, int] = (120, 40)) -> Tty:
    """The console in a terminal; use it as a context."""
    return Tty("zconsole", *words, size=size, HOME=os.environ["HOME"])


def shown(tty: Tty) -> str:
    """What its screen shows."""
    return "\n".join(line.rstrip() for line in tty.screen.display)


def wait_for(tty: Tty, what: Callable[[str], bool]) -> str:
    """Read until the screen is as asked; returns it."""
    tty.until(lambda now: what(shown(now)), seconds=SCREEN_S)
    return shown(tty)


def row(*words: str) -> Callable[[str], bool]:
    """Whether a screen has a line with all of these words."""
    return lambda text: any(all(word in line for word in words) for line in text.splitlines())

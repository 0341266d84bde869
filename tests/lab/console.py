"""The console as a user of a lab guest starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tests.ui.terminal.tty import ROOT, Tty

HOST_S: Final = 300.0  # emulated hosts are slow, and the slower the busier the machine is
COMMAND_S: Final = 320.0
SCREEN_S: Final = 180.0
KEY_S: Final = 0.4  # between keys: what comes at once does not confirm a plan
SETTLED_S: Final = 1.5
ECHO_S: Final = 5.0
ASKED: Final = re.compile(r"To (?:go on|do it), type  ([^\s│┃]+(?: [^\s│┃]+)*)")
TYPED: Final = re.compile(r"[│┃] > (.*)_ +(?:[12] of 2[^│┃]*)?[│┃]")
APART: Final = "  "  # between what is typed for the plan and `yes`
BOUNDED: Final = (
    "status",
    "check",
    "disks",
    "repair",
    "guests",
)  # subcommands that can be told how long to wait


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


def type_slowly(tty: Tty, text: str) -> None:
    """Type as a person does: not at once, nor into a screen that has just changed."""
    tty.read(SETTLED_S)
    for character in text:
        tty.type(character)
        tty.read(KEY_S)


def row(*words: str) -> Callable[[str], bool]:
    """Whether a screen has a line with all of these words."""
    return lambda text: any(all(word in line for word in words) for line in text.splitlines())


def confirm(tty: Tty) -> str:
    """Type what a plan asks for, key by key as it shows them; returns its screen before the first key."""
    plan = wait_for(tty, lambda text: ASKED.search(text) is not None)
    deadline = time.monotonic() + SCREEN_S
    while (asked := ASKED.search(shown(tty))) is not None:
        assert time.monotonic() < deadline, shown(tty)
        given = TYPED.search(shown(tty))
        typed = given[1].rpartition(APART)[2] if given is not None else ""
        if asked[1] == typed or given is None:
            tty.read(KEY_S)
            continue
        tty.type(asked[1][len(typed)] if asked[1].startswith(typed) else "\x7f")
        with suppress(TimeoutError):
            tty.until(lambda now, before=given[0]: before not in shown(now), seconds=ECHO_S)
        tty.read(KEY_S)
    return plan

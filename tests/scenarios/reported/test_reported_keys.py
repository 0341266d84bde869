"""What users reported of keys that come together: each on the real program, on a pseudo-terminal."""

from __future__ import annotations

import re
import time

import pytest

from tests.ui.terminal.tty import Tty
from zconsole.actions.typed_confirmation_state_machine import SILENT

DOWN = "\x1b[B"
END = "\x1b[F"
SOON_S = 1.0  # in which it ends, if it does


def demo() -> Tty:
    """The console in front of the practice host."""
    return Tty("zconsole", "--demo", size=(100, 30))


def opened(tty: Tty) -> None:
    """Until the pools are there: the first frame is drawn before them, and has nothing to open."""
    tty.until_shown("Enter open")
    tty.until(lambda tty: re.search(r"vault +DEGRADED", "\n".join(tty.screen.display)) is not None)
    tty.until_quiet()


@pytest.mark.slow
def test_enter_twice_at_a_prompt_leaves_the_console_running() -> None:
    """Reported: `Can't pop screen`, and the console was gone."""
    with demo() as tty:
        opened(tty)
        tty.type("\x13")
        tty.until_shown("Esc go back")

        tty.type("\r\r")

        assert tty.wait(SOON_S) is None


@pytest.mark.slow
def test_the_files_of_a_snapshot_are_left_by_escape() -> None:
    """Reported: AttributeError, each time."""
    with demo() as tty:
        tty.until_shown("vault: no redundancy left")  # and its pool is the first one
        tty.until_quiet()
        tty.type("D")
        tty.until_shown("Del destroy")
        tty.until_shown("+ contracts")
        tty.until_quiet()
        for key in (DOWN, DOWN):
            tty.type(key)
            tty.read(0.1)
        tty.until_shown("vault/archive/contracts ")
        tty.type("b")
        tty.until_shown("a actions  = diff")

        tty.type("\x1b")

        assert tty.wait(SOON_S) is None
        tty.until_shown("Del destroy")


def counts_down(tty: Tty) -> None:
    """The first pool is to be destroyed, in ten seconds."""
    tty.answers = True
    opened(tty)
    tty.type("\r")
    tty.until_shown("Enter histograms")
    tty.until_quiet()
    for keys, shown in (("a", "Destroy"), (END, "Destroy"), ("\r", "recursive"), ("\r", "To go on, type")):
        tty.type(keys)
        tty.until_shown(shown)
        tty.until_quiet()
    (confirm,) = re.findall(r"practice:\w+ \d+", "\n".join(tty.screen.display))
    by_hand(tty, confirm)
    tty.until_quiet()
    by_hand(tty, "yes")
    tty.until_shown("Begins in")


def by_hand(tty: Tty, words: str) -> None:
    for letter in words:
        tty.type(letter)
        tty.read(0.1)
        tty.read(0.1)


@pytest.mark.slow
def test_a_terminal_that_is_not_read_stops_what_counts_down() -> None:
    """Reported: nothing was read for 14 s, and the pool was gone behind a frozen `Begins in 10 s`."""
    with demo() as tty:
        counts_down(tty)

        time.sleep(3.5)

        tty.until_shown(SILENT)

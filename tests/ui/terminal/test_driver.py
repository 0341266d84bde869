"""What goes to the terminal: few bytes, known sequences, at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.ui.terminal.console import CONSOLE, READY
from tests.ui.terminal.tty import ROOT, Tty

SEQUENCES = re.compile(
    rb"""(?: [\x20-\x7e\x80-\xff] | \r | \n
      | \x1b\[ \d+;\d+ H | \x1b\[ [0-9;]* m                     # moves and colours
      | \x1b\[ \? (1049|1000|1006|1004|2004|25|7|2026) [hl]      # alternate screen, mouse, focus, paste
      | \x1b\[ \? (2026|2048) \$p                                # questions to the terminal
      | \x1b\[ >\d+u | \x1b\[ <u                                 # keyboard protocol
      | \x1b\[ 2[23];2t | \x1b\] 2; [^\x07\x1b]{0,200} (?:\x07|\x1b\\)  # title: kept, set, given back
      )*""",
    re.VERBOSE,
)


@pytest.mark.slow
def test_a_silent_host_costs_no_byte() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)

        assert tty.falls_silent(2.2)


@pytest.mark.slow
def test_a_change_that_changes_nothing_costs_no_byte() -> None:
    with Tty(CONSOLE, "same") as tty:
        tty.until_shown(READY)

        assert tty.falls_silent(2.2)


@pytest.mark.slow
def test_a_live_pool_stays_below_six_kilobytes_a_second() -> None:
    """The wide Pool screen, a fifth of its rows changing each second."""
    with Tty(CONSOLE, "live", size=(160, 50)) as tty:
        tty.until_shown(READY)
        tty.type("\x1b[F\r")
        tty.until_shown("mirror-1")
        start, before = time.monotonic(), len(tty.sent)
        while time.monotonic() < start + 4:
            tty.read(0.5)

        assert 0 < (len(tty.sent) - before) / 4 < 6000


def test_the_first_screen_takes_less_than_ten_kilobytes() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.until_quiet()

        assert len(tty.sent) < 10_000


@pytest.mark.slow
def test_nothing_but_known_sequences_is_sent_and_the_mouse_does_not_report_every_move() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        for keys in ("\r", "5", "7", "\x1b", "e", "\r", "\x1b", "\x1b", "?", "\x1b"):
            tty.type(keys)
            tty.until_quiet()
        tty.process.terminate()
        tty.wait(5)

        assert SEQUENCES.fullmatch(bytes(tty.sent))
        assert b"?1003h" not in tty.sent


@pytest.mark.slow
def test_ctrl_z_returns_to_the_shell_and_fg_to_the_same_screen() -> None:
    with Tty("tests.ui.terminal.job_shell", PS1="shell> ") as tty:
        tty.until_shown("shell>")
        tty.type(f"{sys.executable} -m {CONSOLE} degraded\r")
        tty.until_shown(READY)
        tty.until_quiet()
        tty.type("\x1a")
        tty.until_shown("Stopped")
        tty.type("echo back$((40 + 2))\r")
        tty.until(lambda tty: b"back42" in tty.sent)

        shown = len(tty.sent)
        tty.type("fg\r")
        tty.until(lambda tty: b"\x1b[?1049h" in tty.sent[shown:])
        tty.until_shown(READY)
        tty.type("e")

        tty.until_shown("CLASS")


@pytest.mark.slow
def test_after_a_stop_it_is_as_large_as_the_terminal_has_become() -> None:
    """The shell has the terminal while it is resized: the signal of the new size is not for the console."""
    with Tty("tests.ui.terminal.job_shell", PS1="shell> ") as tty:
        tty.until_shown("shell>")
        tty.type(f"{sys.executable} -m {CONSOLE} degraded\r")
        tty.until_shown(READY)
        tty.until_quiet()
        tty.type("\x1a")
        tty.until_shown("Stopped")

        tty.resize(120, 35)
        shown = len(tty.sent)
        tty.type("fg\r")
        tty.until(lambda tty: b"\x1b[?1049h" in tty.sent[shown:])
        tty.until_shown("last events UTC")
        tty.until(lambda tty: 118 < len(tty.screen.display[0].rstrip()))

        assert "live" == tty.screen.display[0].rstrip()[-4:]


@pytest.mark.slow
def test_without_a_shell_that_could_continue_it_ctrl_z_stops_nothing() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.type("\x1a")

        tty.until_shown("it is not suspended")


@pytest.mark.slow
def test_a_terminal_that_stalled_is_up_to_date_soon_after(tmp_path: Path) -> None:
    sign = tmp_path / "frames wait"
    with Tty(CONSOLE, "flood", str(sign)) as tty:
        tty.until_shown(READY)
        tty.until_stuck(sign)

        tty.type("\x1b[F\r")
        tty.until_shown("mirror-1")

        assert tty.process.poll() is None


def test_a_key_behind_a_frame_does_not_wait_for_a_sixtieth_of_a_second() -> None:
    """Textual reads the rate when it is loaded; the console has set it by then, unless the user has."""
    code = "import zconsole.ui.app, textual.constants; print(textual.constants.MAX_FPS)"

    def rate(**more: str) -> int:
        env = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"} | more
        argv = [sys.executable, "-c", code]
        return int(subprocess.run(argv, cwd=ROOT, env=env, check=True, capture_output=True).stdout)

    assert 120 == rate()
    assert 30 == rate(TEXTUAL_FPS="30")

"""The console on a real terminal: what it sends, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.ui.terminal.tty import PATIENCE_S, ROOT, Tty
from zconsole.ui.terminal import shutdown

CONSOLE = "tests.ui.terminal.console"
READY = "no redundancy left"
GOAL_END_S = 2.0
SEQUENCES = re.compile(
    rb"""(?: [\x20-\x7e\x80-\xff] | \r | \n
      | \x1b\[ \d+;\d+ H | \x1b\[ [0-9;]* m                     # moves and colours
      | \x1b\[ \? (1049|1000|1006|1004|2004|25|7|2026) [hl]      # alternate screen, mouse, focus, paste
      | \x1b\[ \? (2026|2048) \$p                                # questions to the terminal
      | \x1b\[ >\d+u | \x1b\[ <u                                 # keyboard protocol
      )*""",
    re.VERBOSE,
)


def is_restored(tty: Tty) -> bool:
    """The alternate screen, the mouse, the paste and focus modes are off, the cursor is there."""
    sent = bytes(tty.sent)
    off = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b[?1004l", b"\x1b[?25h", b"\x1b[<u")
    return all(
        sent.rfind(each) > sent.rfind(each.replace(b"l", b"h") if each.endswith(b"l") else b"\x1b[?25l")
        for each in off
    )


def test_a_silent_host_costs_no_byte() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)

        assert tty.falls_silent(2.2)


def test_a_change_that_changes_nothing_costs_no_byte() -> None:
    with Tty(CONSOLE, "same") as tty:
        tty.until_shown(READY)

        assert tty.falls_silent(2.2)


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


def test_nothing_but_known_sequences_is_sent_and_the_mouse_does_not_report_every_move() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        for keys in ("\r", "x", "d", "\x1b", "e", "\r", "\x1b", "\x1b", "?", "\x1b"):
            tty.type(keys)
            tty.until_quiet()
        tty.process.terminate()
        tty.wait(5)

        assert SEQUENCES.fullmatch(bytes(tty.sent))
        assert b"?1003h" not in tty.sent


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_soon_and_restores_the_terminal(number: signal.Signals) -> None:
    with Tty(CONSOLE, "live") as tty:
        tty.until_shown(READY)

        tty.process.send_signal(number)

        assert 128 + number == tty.wait(PATIENCE_S)
        assert is_restored(tty)
        assert tty.attributes == termios.tcgetattr(tty.master)


def test_after_a_stop_it_is_all_there_again() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.until_quiet()

        tty.process.send_signal(signal.SIGTSTP)
        tty.until(lambda each: b"?1049l" in bytes(each.sent))
        tty.until_quiet()
        before = len(tty.sent)
        tty.process.send_signal(signal.SIGCONT)

        tty.until(lambda each: READY.encode() in bytes(each.sent[before:]))


@pytest.mark.parametrize("stops", [(), (signal.SIGSTOP,), (signal.SIGTSTP, signal.SIGCONT, signal.SIGSTOP)])
def test_after_going_on_it_ends_and_restores_the_terminal(stops: tuple[signal.Signals, ...]) -> None:
    """Also after a stop that nobody was told of, and after none at all."""
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.until_quiet()
        for number in (*stops, signal.SIGCONT):
            tty.process.send_signal(number)
            tty.until_quiet()

        tty.type("q")

        assert 0 == tty.wait(PATIENCE_S)
        assert is_restored(tty)
        assert tty.attributes == termios.tcgetattr(tty.master)


def test_leaving_by_key_restores_the_terminal() -> None:
    with Tty(CONSOLE, "degraded") as tty:
        tty.until_shown(READY)
        tty.until_quiet()

        tty.type("q")

        assert 0 == tty.wait(PATIENCE_S)
        assert is_restored(tty)


@pytest.mark.parametrize("kind", ["degraded", "nohup"])
def test_a_terminal_that_vanishes_ends_it_also_where_the_signal_does_not_arrive(kind: str) -> None:
    with Tty(CONSOLE, kind) as tty:
        tty.until_shown(READY)

        tty.hang_up()

        assert tty.wait(PATIENCE_S) is not None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_does_not_read_does_not_keep_it_alive(number: signal.Signals, tmp_path: Path) -> None:
    """With states pouring in and nobody reading, it ends, and what is read later restores the terminal."""
    sign = tmp_path / "frames wait"
    with Tty(CONSOLE, "flood", str(sign), size=(200, 60)) as tty:
        tty.until_shown(READY)
        tty.until_stuck(sign)

        tty.process.send_signal(number)

        assert 128 + number == tty.process.wait(PATIENCE_S)
        tty.until_quiet()
        assert is_restored(tty)
        assert tty.attributes == termios.tcgetattr(tty.master)


def test_the_end_by_force_comes_within_two_seconds_of_the_signal() -> None:
    """What the tests with real signals wait for is the machine's to delay; this is what the console waits."""
    assert shutdown.SOON_S < shutdown.PATIENCE_S <= 0.75 * GOAL_END_S


def test_a_terminal_that_stalled_is_up_to_date_soon_after(tmp_path: Path) -> None:
    sign = tmp_path / "frames wait"
    with Tty(CONSOLE, "flood", str(sign)) as tty:
        tty.until_shown(READY)
        tty.until_stuck(sign)

        tty.type("\x1b[F\r")
        tty.until_shown("mirror-1")

        assert tty.process.poll() is None


def test_no_color_sends_no_colour() -> None:
    with Tty(CONSOLE, "degraded", NO_COLOR="1") as tty:
        tty.until_shown(READY)
        tty.until_quiet()

        colours = {
            code for codes in re.findall(rb"\x1b\[([0-9;]*)m", bytes(tty.sent)) for code in codes.split(b";")
        }
        assert colours <= {b"0", b"1", b"2", b"4", b"7", b"39", b"49"}


def test_the_linux_console_gets_sixteen_colours_and_ascii() -> None:
    with Tty(CONSOLE, "degraded", TERM="linux", COLORTERM="") as tty:
        tty.until_shown(READY)
        tty.until_quiet()

        assert bytes(tty.sent).isascii()
        assert b"38;" not in tty.sent
        assert b"48;" not in tty.sent


def test_a_crash_shows_a_sentence_and_no_value_of_any_variable() -> None:
    with Tty(CONSOLE, "crash", size=(100, 30)) as tty:
        tty.until(lambda each: b"of its own" in bytes(each.sent))

        assert 1 == tty.wait(5)
        assert is_restored(tty)
        assert b"hunter2" not in tty.sent
        assert b"Traceback" not in tty.sent


def test_the_command_line_does_not_load_the_screen() -> None:
    code = "import sys, zconsole.cli, zconsole.__main__; sys.exit('textual' in sys.modules)"

    assert (
        0
        == subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=dict(os.environ), check=False
        ).returncode
    )


def test_a_key_behind_a_frame_does_not_wait_for_a_sixtieth_of_a_second() -> None:
    """Textual reads the rate when it is loaded; the console has set it by then, unless the user has."""
    code = "import zconsole.ui.app, textual.constants; print(textual.constants.MAX_FPS)"

    def rate(**more: str) -> int:
        env = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"} | more
        argv = [sys.executable, "-c", code]
        return int(subprocess.run(argv, cwd=ROOT, env=env, check=True, capture_output=True).stdout)

    assert 120 == rate()
    assert 30 == rate(TEXTUAL_FPS="30")

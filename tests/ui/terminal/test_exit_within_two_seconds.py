"""Signals, stops and terminals that vanish: the console ends, and the terminal is as before."""

from __future__ import annotations

import signal
import termios
from pathlib import Path

import pytest

from tests.ui.terminal.console import CONSOLE, READY, is_restored
from tests.ui.terminal.tty import PATIENCE_S, Tty
from zconsole.ui.terminal import exit_within_two_seconds

GOAL_END_S = 2.0


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


@pytest.mark.slow(after=1)
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


@pytest.mark.slow(after=1)
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
    assert exit_within_two_seconds.SOON_S < exit_within_two_seconds.PATIENCE_S <= 0.75 * GOAL_END_S

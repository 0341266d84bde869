"""What users reported of keys that come together: each on the real program, on a pseudo-terminal."""

from __future__ import annotations

from tests.ui.terminal.tty import Tty

DOWN = "\x1b[B"
SOON_S = 1.0  # in which it ends, if it does


def demo() -> Tty:
    """The console in front of the practice host."""
    return Tty("zconsole", "--demo", size=(100, 30))


def opened(tty: Tty) -> None:
    tty.until_shown("Enter open")
    tty.until_quiet()


def test_enter_twice_at_a_prompt_leaves_the_console_running() -> None:
    """Reported: `Can't pop screen`, and the console was gone."""
    with demo() as tty:
        opened(tty)
        tty.type("S")
        tty.until_shown("Esc go back")

        tty.type("\r\r")

        assert tty.wait(SOON_S) is None


def test_the_files_of_a_snapshot_are_left_by_escape() -> None:
    """Reported: AttributeError, each time."""
    with demo() as tty:
        opened(tty)
        tty.type("D")
        tty.until_shown("D destroy")
        tty.until_quiet()
        for key in ("+", DOWN, DOWN, "b"):
            tty.type(key)
            tty.read(0.1)
        tty.until_shown("a actions  d diff")

        tty.type("\x1b")

        assert tty.wait(SOON_S) is None
        tty.until_shown("D destroy")

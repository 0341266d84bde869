"""A console on a terminal and a change of the machine itself: confirmed, stopped, left while it runs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scenarios.moving_world.notes import JOURNAL
from tests.ui.terminal.tty import Tty
from zconsole.actions.typed_confirmation_state_machine import AT_ONCE
from zconsole.storage.journal import Journal

SCRIPT = "tests.scenarios.faults.left_console"
GONE_WITHIN_S = 20.0


def by_key(tty: Tty) -> None:
    """By somebody who has read what runs: an Esc right behind `yes` goes nowhere."""
    for _ in range(3):
        tty.read(0.5)
    tty.type("\x1b")
    tty.until(lambda each: "leave it running" not in "\n".join(each.screen.display))
    tty.type("\x11")
    tty.until_shown("If you leave zconsole now")
    tty.read(0.5)
    tty.type("\x11")
    tty.read(0.5)
    tty.type("l")


def by_signal(number: signal.Signals) -> Callable[[Tty], None]:
    return lambda tty: os.killpg(tty.process.pid, number)


def typed(tty: Tty, word: str) -> None:
    """By hand."""
    for letter in word:
        tty.read(0.4)
        tty.type(letter)


def pressed(tty: Tty, key: str, shows: str) -> None:
    """A key of somebody who looks first: what comes right behind a dialog goes nowhere."""
    for _ in range(3):
        tty.read(0.5)
    tty.type(key)
    tty.until_shown(shows)


def planned(tty: Tty) -> None:
    """The plan of a scrub."""
    tty.until_shown("tank")
    pressed(tty, "\x1b[F", "tank: its vdevs are not equally full")  # advice, no trouble
    pressed(tty, "a", "Enter choose")
    pressed(tty, "\r", "options, if any")
    pressed(tty, "\r", "To do it, type")


def begun(tty: Tty, folder: Path) -> None:
    """A scrub that runs."""
    planned(tty)
    typed(tty, "yes")
    tty.until(lambda _: (folder / "begun").exists())
    tty.until_shown("leave it running")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("leave", "is_told", "code"),
    [
        (by_key, True, 4),
        (by_signal(signal.SIGTERM), True, 128 + signal.SIGTERM),
        (by_signal(signal.SIGINT), True, 128 + signal.SIGINT),
        (by_signal(signal.SIGKILL), False, -signal.SIGKILL),
        (Tty.hang_up, False, 128 + signal.SIGHUP),
    ],
    ids=["ctrl+q", "SIGTERM", "SIGINT", "SIGKILL", "the terminal is closed"],
)
def test_the_change_comes_to_its_end_and_nothing_else_is_said_of_it(
    leave: Callable[[Tty], None], is_told: bool, code: int, tmp_path: Path
) -> None:
    with Tty(SCRIPT, str(tmp_path), size=(100, 30)) as tty:
        begun(tty, tmp_path)
        leave(tty)
        assert code == tty.wait(GONE_WITHIN_S)
        shown = " ".join(" ".join(tty.screen.display).split())
        assert is_told == (
            "UNKNOWN: you left before its end was seen; what was sent goes on: zpool scrub" in shown
        )

        (entry,) = Journal(tmp_path / JOURNAL).entries()
        assert None is entry.ended
        assert "sent" == entry.steps[0].state
        assert not (tmp_path / "done").exists()
        (tmp_path / "go").touch()
        tty.until(lambda _: (tmp_path / "done").exists())


@pytest.mark.slow
def test_the_rest_of_yes_in_one_piece_does_not_confirm(tmp_path: Path) -> None:
    with Tty(SCRIPT, str(tmp_path), size=(100, 30)) as tty:
        planned(tty)
        typed(tty, "y")
        tty.read(0.5)
        tty.type("es")
        tty.until_shown(AT_ONCE)
        assert () == Journal(tmp_path / JOURNAL).entries()
        tty.read(0.5)
        typed(tty, "yes")
        tty.until(lambda _: (tmp_path / "begun").exists())
        (tmp_path / "go").touch()


@pytest.mark.slow
def test_escape_right_behind_yes_stops_it_while_the_host_is_read_again(tmp_path: Path) -> None:
    with Tty(SCRIPT, str(tmp_path), size=(100, 30)) as tty:
        planned(tty)
        (tmp_path / "mute").touch()
        typed(tty, "yes")
        tty.until_shown("Esc stop, nothing is sent yet")
        tty.type("\x1b")
        tty.until_shown("stopping: no further step is sent")
        (tmp_path / "mute").unlink()
        tty.until_shown("you stopped it before anything was sent")
        tty.until_quiet()
        assert () == Journal(tmp_path / JOURNAL).entries()
        assert not (tmp_path / "begun").exists()

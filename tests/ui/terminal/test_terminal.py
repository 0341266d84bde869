"""The console on a real terminal: what it sends, and how it ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.terminal.console import CONSOLE, READY, is_restored
from tests.ui.terminal.tty import ROOT, Tty


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


def test_a_wrong_line_of_own_keys_is_told_and_the_other_lines_hold(tmp_path: Path) -> None:
    folder = tmp_path / "zconsole"
    folder.mkdir()
    (folder / "keys.toml").write_text('[keys]\nwhy = Q\nthemes = "F9"\nload = "y"\n')
    environment = {"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with Tty("zconsole", "--demo", size=(120, 35), **environment) as tty:
        tty.answers = True
        tty.until(lambda each: b"keys.toml, line 2: this is not valid TOML" in bytes(each.sent))
        tty.until_shown(", says what to do: keys.toml, line 2")
        tty.type(",")
        tty.until_shown("line 4: y of load is the key of copy")
        tty.type("q")
        tty.until_shown(FIRST)
        tty.type("\x1b[20~")
        tty.until_shown("high-contrast")


def test_the_command_line_does_not_load_the_screen() -> None:
    code = "import sys, zconsole.cli, zconsole.__main__; sys.exit('textual' in sys.modules)"

    assert (
        0
        == subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=dict(os.environ), check=False
        ).returncode
    )


FIRST = "3 pools"
SCREENS = (  # keys from the first screen on, each with what is shown then
    (("a", "Enter choose"), ("\x1b", FIRST)),
    ((":", "Tab completes"), ("\x1b", FIRST)),
    (("?", "On this screen"), ("q", FIRST)),
    ((",", "Settings"), ("q", FIRST)),
    (("T", "Themes"), ("\x1b", FIRST)),
    (("!", "Alerts"), ("q", FIRST)),
    (("I", "AT STAKE"), ("q", FIRST)),
    (("e", "CLASS"), ("q", FIRST)),
    (("d", "SERIAL"), ("q", FIRST)),
    (("V", "GUEST"), ("q", FIRST)),
    (("P", "Forecast"), ("q", FIRST)),
    (("R", "triage"), ("q", FIRST)),
    (("D", "DATASET"), ("q", FIRST)),
    (("\r", "VDEV"), ("3", "ago"), ("5", "CKSUM"), ("q", FIRST)),
)


@pytest.mark.slow
def test_no_screen_sends_more_than_ascii_to_a_terminal_of_the_c_locale(tmp_path: Path) -> None:
    with Tty(
        "zconsole", "--demo", LC_ALL="C", LANG="", XDG_STATE_HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path)
    ) as tty:
        tty.answers = True
        tty.until_shown("tank")
        for way in SCREENS:
            for key, shown in way:
                tty.read(1.0)  # a dialog has closed, perhaps
                tty.type(key)
                tty.until_shown(shown)

        assert bytes(tty.sent).isascii()

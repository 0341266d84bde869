"""Journeys on the real program on a pseudo-terminal, with the number of keys that they take.

Counted is each key: what chooses or goes on, and each character of an amount or a confirmation. Where a plan
destroys data the count ends once the plan is seen: its confirmation is as long as the safety asks for.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.terminal.tty import Tty

DOWN, ENTER, RACK = "\x1b[B", "\r", "\x1bOQ"
SETTLES_S = 1.0  # a live host is never quiet
SIZE = (80, 24)
ASKED = re.compile(r"To (?:do it|go on), type (\S+)")
TAKES_LONG_S = 300.0  # a resilver

pytestmark = pytest.mark.slow


class User:
    """Somebody at the keyboard, whose keys are counted."""

    def __init__(self, tty: Tty) -> None:
        self._tty = tty
        self._tty.answers = True
        self.keys = 0

    def text(self) -> str:
        return " ".join(" ".join(self._tty.screen.display).split())

    def sees(self, *words: str) -> None:
        """Wait until all of it is on the screen, wherever lines break, and give the screen time to settle."""
        self._tty.until(lambda _: all(each in self.text() for each in words))
        self._tty.read(SETTLES_S)

    def sees_in_time(self, *words: str) -> None:
        """The same of what a host takes long for."""
        self._tty.until(lambda _: all(each in self.text() for each in words), seconds=TAKES_LONG_S)
        self._tty.read(SETTLES_S)

    def presses(self, *keys: str) -> None:
        for key in keys:
            self.keys += 1
            self._tty.type(key)
            self._tty.read(0.3)

    def confirms(self) -> None:
        """Type what the plan asks for."""
        self._tty.until(lambda _: ASKED.search(self.text()) is not None)
        self._tty.read(SETTLES_S)
        asked = ASKED.search(self.text())
        assert asked is not None
        for word in dict.fromkeys((asked[1], "yes")):
            for letter in word:
                self.keys += 1
                self._tty.type(letter)
                self._tty.read(0.12)
            self._tty.read(SETTLES_S)


def begun(tty: Tty) -> User:
    """The demonstration, whose first list is complete."""
    user = User(tty)
    user.sees("vault: no redundancy left", "tank", "MiB/s")
    return user


def called(tty: Tty) -> User:
    """The exercise of a failed disk, behind its briefing."""
    user = User(tty)
    user.sees("The phone")
    tty.type(ENTER)
    user.sees("tank", "DEGRADED", "no redundancy left in mirror-0")
    return user


def in_bay_2(user: User, *also: str) -> None:
    """Hands at the rack of the exercise, no keys of the console; `also`: the lists behind the first."""
    before = user.keys
    user.presses(RACK)
    user.sees("The rack")
    user.presses(
        *((DOWN, ENTER) if also else (ENTER,))
    )  # the failed disk is under the cursor, an empty bay not
    for words in also:
        user.sees(words)
        user.presses(ENTER)
    user.keys = before


@pytest.mark.timeout(900)  # a resilver and a scrub
def test_replace() -> None:
    """From the first screen with a failed disk to its replacement that runs; then to the scrub after it."""
    with Tty("zconsole", "--demo=failed-disk", "--speed", "50", size=SIZE) as tty:
        user = called(tty)

        user.presses("R")
        user.sees("ZC13A0R7 (bay 2) has failed", "2 identify now")
        in_bay_2(user)
        user.sees("3 take out done", "4 new disk now")
        in_bay_2(user, "1 ZC17K2M4")
        user.sees("4 new disk done: ZC17K2M4")
        user.sees_in_time("5 replace now")
        user.presses(ENTER)
        user.sees("replace", "ZC13A0R7", "ZC17K2M4")
        user.confirms()
        user.sees("DONE")
        user.presses(ENTER)

        assert 12 >= user.keys

        user.sees_in_time("6 resilver done", "only a scrub verifies it", "▸ scrub tank")
        user.presses(ENTER)
        user.sees("zpool scrub tank")
        user.confirms()
        user.sees("DONE")
        user.presses(ENTER)
        user.sees_in_time("ZC13A0R7 of mirror-0: the scrub ended", "with 0 errors", "7 after-care done")

        assert 17 >= user.keys


def test_the_locate_led_of_the_failed_disk() -> None:
    """The step before the disk is taken out, for a shelf that has such LEDs."""
    with Tty("zconsole", "--demo=failed-disk", "--speed", "50", size=SIZE) as tty:
        user = called(tty)

        user.presses("R")
        user.sees("ZC13A0R7 (bay 2) has failed", "2 identify now")
        user.presses(ENTER)
        user.sees("locate LED of", "ZC13A0R7")
        user.confirms()
        user.sees("DONE")
        user.presses(ENTER)
        user.sees("3 take out now: pull ZC13A0R7")

        assert 6 >= user.keys


def test_slow_disk() -> None:
    """From a pool with a slow disk to its evidence, and on to its repair."""
    with Tty("zconsole", "--demo", size=SIZE) as tty:
        user = begun(tty)
        tty.until(lambda _: "1 slow disk" in user.text(), seconds=180)
        tty.read(SETTLES_S)

        user.presses(DOWN, "w")
        user.sees("ZL2F1D04 is said to be slow", "its peers")
        user.presses("R")
        user.sees("repair bulk", "ZL2F1D04")

        assert 4 >= user.keys


def test_free_500_gib() -> None:
    """From the first screen to the confirmed destruction of the snapshot that holds 650 GiB."""
    with Tty("zconsole", "--demo", size=SIZE) as tty:
        user = begun(tty)

        user.presses(DOWN, "F")
        user.sees("free space in bulk")
        user.presses(*"500", ENTER)
        user.sees("Free 500 GiB in bulk", "frees 650 GiB")
        user.presses(ENTER)
        user.sees("bulk/media/video@before-re-encode", "FREES")

        assert 8 >= user.keys

        user.confirms()
        user.sees("DONE")


def test_what_do_i_buy() -> None:
    """From the pool that is nearly full to the layout that holds its growth, the drives, and the space."""
    with Tty("zconsole", "--demo", size=SIZE) as tty:
        user = begun(tty)

        user.presses(DOWN, "P")
        user.sees("bulk", "Forecast")
        user.presses("3")
        user.sees("LAYOUT", "drive 12TB")
        bought = re.search(r"▸ (\S+): (\d+) drives, ([\d.]+) TiB usable", user.text())
        need = re.search(r"NEED ([\d.]+) TiB (?:x[\d.]+ )+= ([\d.]+) TiB usable", user.text())
        assert bought is not None
        assert need is not None
        assert float(bought[3]) >= float(need[2]) > float(need[1])
        assert f"▸ {bought[1]}: the smallest that holds it, {bought[2]} drives" in user.text()
        assert "bays more than there are" in user.text()

        assert 10 >= user.keys


def test_who_destroyed_it() -> None:
    """From the first screen to the user who destroyed a dataset of tank, the last of three pools."""
    with Tty("zconsole", "--demo", size=SIZE) as tty:
        user = begun(tty)

        user.presses(DOWN, DOWN, "H")
        user.sees("by chen", "zfs destroy -r tank/containers/wiki")

        assert 3 >= user.keys


def test_a_setting_is_changed_and_there_at_the_next_start(tmp_path: Path) -> None:
    """From the first screen to the bell that is off, written, and read by the next console."""
    folder = tmp_path / "config" / "zconsole"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("# mine\n\n[alerts]\ntitle = true  # tmux\n")
    environment = {"XDG_CONFIG_HOME": str(folder.parent)}
    with Tty("zconsole", "--demo", size=SIZE, **environment) as tty:
        user = begun(tty)

        user.presses(",")
        user.sees("Settings", "Bell on default")
        user.presses(DOWN, DOWN, DOWN, DOWN, DOWN, ENTER)
        user.sees("Ring the terminal's bell at an alert", "stay silent")
        user.presses("2")
        user.sees("Bell off config.toml, line 4")

        assert 8 >= user.keys
    assert "# mine\n\n[alerts]\nbell = false\ntitle = true  # tmux\n" == (folder / "config.toml").read_text()
    with Tty("zconsole", "--demo", "--interval", "2s", size=SIZE, **environment) as tty:
        user = begun(tty)
        user.presses(":", *"settings", ENTER)
        user.sees("Bell off config.toml, line 4", "I/O sample every 2s --interval")


def test_the_tour_is_offered_at_the_first_start_alone(tmp_path: Path) -> None:
    """Through all of its steps, each by the key that it names."""
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    with Tty("zconsole", "--demo", size=SIZE, **environment) as tty:
        user = begun(tty)
        user.sees("First start? F3 is a tour of a minute")
        user.presses("\x1bOR")
        for told, keys in (
            ("tour 1/8: Down or j", (DOWN,)),
            ("tour 2/8: Enter", (ENTER,)),
            ("tour 3/8: 2", ("2",)),
            ("tour 4/8: a", ("a", "\x1b")),
            ("tour 5/8: q", ("q",)),
            ("tour 6/8: f", ("f",)),
            ("tour 7/8: q", ("q",)),
            ("tour 8/8: ?", ("?",)),
        ):
            user.sees(told)
            for key in keys:
                user.presses(key)
                tty.read(SETTLES_S)
        user.sees("the tour is done")

        assert 10 == user.keys
    with Tty("zconsole", "--demo", size=SIZE, **environment) as tty:
        user = begun(tty)
        tty.read(SETTLES_S)

        assert "First start?" not in user.text()

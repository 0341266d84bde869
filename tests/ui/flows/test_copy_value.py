"""What `y` copies: of a disk its serial number first, on every screen."""

from __future__ import annotations

import re

import pytest

from tests.ui import states, trees, watched
from tests.ui.frames import frame, make_app
from zconsole.model.host.host_state import HostState
from zconsole.ui.dialogs.menu import MenuDialog

DISKS = {
    "pool": (states.with_disks, ("enter", "down", "down", "down"), "ZL2F0A91"),
    "pool, identity": (states.with_disks, ("enter", "7", "down", "down", "down"), "ZL2F0A91"),
    "disks": (states.with_disks, ("d",), "ZL2F0A91"),
    "disk": (states.with_disks, ("d", "enter"), "ZL2F0A91"),
    "repair": (states.with_disks, ("R",), "ZL2F0A91"),
    "wall": (states.with_disks, ("right",), "ZL2F0A91"),
    "why": (watched.slow, ("w",), watched.SLOW_DISK.rpartition("_")[2]),
    "latency": (watched.slow, ("enter", "n", "enter"), watched.SLOW_DISK.rpartition("_")[2]),
}


@pytest.mark.parametrize("name", DISKS)
async def test_the_serial_number_of_a_disk_comes_first(name: str) -> None:
    state, keys, serial = DISKS[name]
    app = make_app(state())
    async with app.run_test(size=(160, 50)) as pilot:
        for key in (*keys, "y"):
            await pilot.press(key)
            await pilot.pause()

        shown = frame(app)
        menu = app.screen
        if isinstance(menu, MenuDialog):
            assert "0" == menu.rows.key
            assert f"1 Serial           {serial}" in shown
        else:
            assert f"copied, if the terminal allows OSC 52: {serial} ─" in shown


FINDINGS = {
    "findings": ("f",),
    "finding": ("f", "enter"),
    "advice": ("I",),
}
SENTENCES = {
    "findings": "bulk: no redundancy left in raidz2-0",
    "finding": "bulk: no redundancy left in raidz2-0",
    "advice": "vault: last scrub 49d ago",
}


@pytest.mark.parametrize("name", FINDINGS)
async def test_of_a_finding_its_sentence_comes_first_and_the_severity_last(name: str) -> None:
    """The sentence is what one pastes into a ticket."""
    app = make_app(states.with_disks())
    async with app.run_test(size=(160, 50)) as pilot:
        for key in (*FINDINGS[name], "y"):
            await pilot.press(key)
            await pilot.pause()
        assert isinstance(app.screen, MenuDialog)
        offered = [re.sub(r".*\d ([A-Z]\w+).*", r"\1", row) for row in _numbered(frame(app))]
        assert ["Finding", "Subject"] == offered[:2]
        assert "Severity" not in offered[:-1]
        await pilot.press("enter")
        await pilot.pause()

        assert SENTENCES[name] == app.clipboard


def _numbered(shown: str) -> list[str]:
    """The rows of a menu."""
    return [row for row in shown.splitlines() if re.search(r"│\W*\d [A-Z]\w+ ", row)]


@pytest.mark.parametrize("size", [(40, 8), (60, 15), (80, 24), (160, 50)])
@pytest.mark.parametrize(
    ("keys", "name"), [(("down",), "tank/home"), (("down", "enter", "down"), "tank/home@0")]
)
async def test_of_a_dataset_or_snapshot_the_whole_name_is_copied_first(
    keys: tuple[str, ...], name: str, size: tuple[int, int]
) -> None:
    app = make_app(trees.chained())
    async with app.run_test(size=size) as pilot:
        await pilot.press("D")
        await trees.soon(pilot, lambda: "home" in frame(app))
        for key in (*keys, "y"):
            await pilot.press(key)
            await pilot.pause()
        assert isinstance(app.screen, MenuDialog)
        await pilot.press("enter")
        await pilot.pause()

        assert name == app.clipboard


@pytest.mark.parametrize(("is_there", "size"), [(False, (80, 24)), (True, (250, 70))])
async def test_a_column_is_offered_only_where_it_is_shown(is_there: bool, size: tuple[int, int]) -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=size) as pilot:
        await pilot.press("y")
        await pilot.pause()

        assert isinstance(app.screen, MenuDialog)
        assert is_there == (" Frag " in frame(app))


async def test_of_text_all_of_it_is_copied() -> None:
    state: HostState = states.degraded()
    app = make_app(state)
    async with app.run_test(size=(120, 35)) as pilot:
        await pilot.press("e", "end", "enter")
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()

        assert "copied, if the terminal allows OSC 52" in frame(app)

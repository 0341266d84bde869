"""One rule for the keys of all choosers."""

from __future__ import annotations

import pytest

from tests.ui.dialogs.test_disk_chooser import LARGE, Stand
from tests.ui.dialogs.test_menu import Menu
from tests.ui.frames import frame
from zconsole.ui.dialogs.chooser import Chooser

KEYS = (
    ("q", "left"),
    ("Q", "filter: Q_"),
    ("backspace", "left"),
    ("escape", "left"),
    ("slash j", "filter: j_"),
    ("d j", "filter: dj_"),
    ("g", "filter: g_"),
    ("slash q", "filter: q_"),
    ("slash slash", "filter: /_"),
    ("slash 3", "filter: 3_"),
    ("slash backspace", "type to filter"),
    ("slash escape", "type to filter"),
    ("d q", "filter: dq_"),
    ("d 3", "filter: d3_"),
    ("d backspace", "type to filter"),
    ("d backspace backspace", "left"),
    ("d escape", "type to filter"),
    ("d escape escape", "left"),
)


@pytest.mark.parametrize(("keys", "expected"), KEYS)
@pytest.mark.parametrize("kind", [Menu, Stand])
async def test_a_key_filters_or_goes_back(kind: type[Menu | Stand], keys: str, expected: str) -> None:
    shown = kind()
    async with shown.app.run_test(size=(80, 24)) as pilot:
        shown.app.push_screen(shown.dialog, shown.answers.append)
        await pilot.pause()
        for key in keys.split():
            await pilot.press(key)
            await pilot.pause()

        is_left = not isinstance(shown.app.screen, Chooser)
        assert is_left == (expected == "left")
        assert [None] * is_left == shown.answers
        assert is_left or expected in frame(shown.app)


async def test_space_marks_what_a_filter_shows_and_enter_shows_all_again() -> None:
    shown = Stand(is_many=True)
    async with shown.app.run_test(size=(80, 24)) as pilot:
        shown.open()
        await pilot.pause()
        await pilot.press(*"bbb", "space", "enter")
        await pilot.pause()
        assert [] == shown.answers
        assert "[x] BBBB" in frame(shown.app)
        assert "[ ] AAAA" in frame(shown.app)
        await pilot.press("enter")

    assert [(LARGE.word,)] == shown.answers

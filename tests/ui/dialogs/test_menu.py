"""The menu: its lines are filtered by typing, and chosen by numbers, keys and Enter."""

from __future__ import annotations

import pytest
from textual import events

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.views.layout.styled_text import FixedLines, line

NAMES = ("replace a disk", "attach a disk", "scrub", "quit the queue")


class Menu:
    """The console with a menu in front, and its answers."""

    def __init__(self, *, is_many: bool = False) -> None:
        self.app = make_app(states.healthy())
        self.answers: list[tuple[str, ...] | None] = []
        rows = FixedLines(tuple(map(line, NAMES)), tuple(name.split()[0] for name in NAMES))
        self.dialog = MenuDialog(
            self.app.paint, line("Actions"), rows, closed={"attach": "no disk is free"}, is_many=is_many
        )

    async def answer(self, *keys: str) -> str:
        """Press keys, and return the frame before the last one."""
        async with self.app.run_test(size=(80, 24)) as pilot:
            self.app.push_screen(self.dialog, self.answers.append)
            await pilot.pause()
            await pilot.press(*keys[:-1])
            shown = frame(self.app)
            await pilot.press(keys[-1])
        return shown


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("enter",), ("replace",)),
        (("3",), ("scrub",)),
        (("slash", *"scr", "enter"), ("scrub",)),
        (("slash", *"que", "enter"), ("quit",)),
        (("slash", *"DISK rep", "enter"), ("replace",)),
        (("slash", *"scrx", "backspace", "enter"), ("scrub",)),
        (("slash", *"scr", "escape", "escape"), None),
    ],
)
async def test_a_line_is_chosen(keys: tuple[str, ...], answer: tuple[str, ...] | None) -> None:
    menu = Menu()

    await menu.answer(*keys)

    assert [answer] == menu.answers


@pytest.mark.parametrize("words", ["attach", "nothing"])
async def test_an_unavailable_line_and_none_choose_nothing(words: str) -> None:
    menu = Menu()

    await menu.answer("slash", *words, "enter")

    assert not menu.answers


async def test_only_lines_with_the_words_are_shown() -> None:
    shown = await Menu().answer("slash", *"disk", "escape")

    assert "replace a disk" in shown
    assert "scrub" not in shown
    assert "filter: disk_" in shown


async def test_marks_outlive_the_filter() -> None:
    menu = Menu(is_many=True)

    await menu.answer("slash", *"scr", "enter", "space", "escape", "home", "space", "enter")

    (marked,) = menu.answers
    assert ("scrub", "replace") == marked


async def test_letters_that_come_together_are_a_filter_and_without_one_choose_nothing() -> None:
    menu = Menu()
    async with menu.app.run_test(size=(80, 24)) as pilot:
        menu.app.push_screen(menu.dialog, menu.answers.append)
        await pilot.pause()
        menu.dialog.post_message(events.Paste("scrub\n"))
        await pilot.pause()
        assert "press / to filter by it" in frame(menu.app)
        assert [] == menu.answers

        await pilot.press("slash")
        menu.dialog.post_message(events.Paste("scr\nquit"))
        await pilot.pause()
        assert "filter: scr_" in frame(menu.app)
        await pilot.press("enter")

    assert [("scrub",)] == menu.answers

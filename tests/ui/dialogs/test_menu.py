"""The menu: its lines are filtered by typing, and chosen by numbers, keys and Enter."""

from __future__ import annotations

import pytest
from textual import events

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui.dialogs.menu import CLOSED_LINE, MenuDialog
from zconsole.views.layout.styled_text import FixedLines, line

NAMES = ("replace a disk", "attach a disk", "scrub", "quit the queue", "describe the replacement")


MENU = FixedLines(tuple(map(line, NAMES)), tuple(name.split()[0] for name in NAMES))


class Menu:
    """The console with a menu in front, and its answers."""

    def __init__(self, *, is_many: bool = False) -> None:
        self.app = make_app(states.healthy())
        self.answers: list[tuple[str, ...] | None] = []
        rows = FixedLines(tuple(map(line, NAMES)), tuple(name.split()[0] for name in NAMES))
        self.dialog = MenuDialog(
            self.app.paint, line("Actions"), rows, closed={"attach": "no disk is free"}, is_many=is_many,
            keys={"R": "replace"}, found=FixedLines((line("free space"),), ("free",)),
        )  # fmt: skip

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
        (("R",), ("replace",)),
        (("q",), None),
        (("backspace",), None),
        (("escape",), None),
        ((*"scr", "enter"), ("scrub",)),
        ((*"jj", "enter"), ("scrub",)),
        ((*"jjk", "escape"), None),
        ((*"jjjk", "enter"), ("scrub",)),
        (("slash", *"jk", "escape", "escape"), None),
        ((*"dis", "backspace", "backspace", "backspace", "backspace"), None),
        (("slash", *"que", "enter"), ("quit",)),
        (("slash", "R", *"EPLACE a", "enter"), ("replace",)),
        ((*"que", "enter"), None),
        (("Q", "enter"), ("quit",)),
        ((*"disk rep", "enter"), ("replace",)),
        ((*"scrx", "backspace", "enter"), ("scrub",)),
        ((*"scr", "escape", "escape"), None),
        ((*"scr", "3", "backspace", "enter"), ("scrub",)),
        ((*"free", "enter"), ("free",)),
    ],
)
async def test_a_line_is_chosen(keys: tuple[str, ...], answer: tuple[str, ...] | None) -> None:
    """A key in front of a line, and q, count as long as nothing is typed; `/` begins a filter with any."""
    menu = Menu()

    await menu.answer(*keys)

    assert [answer] == menu.answers


LOCKED = "storage1 is a production host, read-only until it is unlocked"


async def shown_menu(
    closed: dict[str, str], *keys: str, ends: str = "", size: tuple[int, int] = (80, 24)
) -> tuple[str, list[tuple[str, ...] | None]]:
    """The frame of a menu with unavailable lines after some keys, and its answers."""
    menu = Menu()
    menu.dialog = MenuDialog(menu.app.paint, line("Actions"), MENU, closed=closed, ends=ends)
    async with menu.app.run_test(size=size) as pilot:
        menu.app.push_screen(menu.dialog, menu.answers.append)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        return " ".join(frame(menu.app).replace("│", " ").split()), menu.answers


@pytest.mark.parametrize("size", [(80, 24), (40, 8), (160, 50)])
async def test_a_menu_of_which_nothing_can_be_chosen_says_so_on_top_with_what_would_change_it(
    size: tuple[int, int],
) -> None:
    every = dict.fromkeys((name.split()[0] for name in NAMES), LOCKED)

    shown, _ = await shown_menu(every, ends="U unlocks it", size=size)

    assert shown.index("Nothing can be done here now: storage1") < shown.index("Actions")
    assert size == (40, 8) or f"{LOCKED}. To change that: U unlocks it." in shown
    assert "Enter choose" not in shown
    assert "Esc go back" in shown


async def test_of_several_reasons_each_line_says_its_own() -> None:
    every = {name.split()[0]: f"no {name}" for name in NAMES}

    shown, _ = await shown_menu(every)

    assert "Nothing can be done here now; each line says why. Actions" in shown


async def test_enter_on_a_line_that_cannot_be_chosen_says_so_until_the_cursor_moves() -> None:
    shown, answers = await shown_menu({"replace": "no disk is free"}, "up", "enter")
    assert CLOSED_LINE in shown
    assert [] == answers

    shown, _ = await shown_menu({"replace": "no disk is free"}, "up", "enter", "down")
    assert CLOSED_LINE not in shown
    assert "Enter choose" in shown


async def test_a_menu_of_which_nothing_can_be_chosen_is_left_by_escape() -> None:
    every = dict.fromkeys((name.split()[0] for name in NAMES), LOCKED)

    _, answers = await shown_menu(every, "enter", "escape")

    assert [None] == answers


async def test_the_cursor_goes_to_the_line_that_begins_with_the_words() -> None:
    menu = Menu()

    await menu.answer(*"rep", "enter")

    assert [("replace",)] == menu.answers


@pytest.mark.parametrize("words", ["attach", "nothing"])
async def test_an_unavailable_line_and_none_choose_nothing(words: str) -> None:
    menu = Menu()

    await menu.answer(*words, "enter")

    assert not menu.answers


async def test_only_lines_with_the_words_are_shown_and_have_no_numbers() -> None:
    shown = await Menu().answer(*"disk", "escape")

    assert "replace a disk" in shown
    assert "1 replace" not in shown
    assert "scrub" not in shown
    assert "filter: disk_" in shown


async def test_what_only_a_filter_finds_is_not_listed_before() -> None:
    shown = await Menu().answer("down", "escape")

    assert "free space" not in shown
    assert "type to filter" in shown


@pytest.mark.parametrize("keys", ["scr space enter home space enter", "home space s c r space enter enter"])
async def test_marks_outlive_the_filter_and_enter_shows_all_before_it_takes_them(keys: str) -> None:
    menu = Menu(is_many=True)

    await menu.answer(*(key for word in keys.split() for key in ([*word] if word == "scr" else [word])))

    (marked,) = menu.answers
    assert {"scrub", "replace"} == set(marked or ())


async def test_letters_that_come_together_are_a_filter_and_choose_nothing() -> None:
    menu = Menu()
    async with menu.app.run_test(size=(80, 24)) as pilot:
        menu.app.push_screen(menu.dialog, menu.answers.append)
        await pilot.pause()
        menu.dialog.post_message(events.Paste("3scr\nquit"))
        await pilot.pause()
        assert "filter: 3scr_" in frame(menu.app)
        assert [] == menu.answers
        await pilot.press("escape")
        menu.dialog.post_message(events.Paste("scr\nquit"))
        await pilot.pause()
        await pilot.press("enter")

    assert [("scrub",)] == menu.answers


@pytest.mark.parametrize(("number", "answers"), [(9, [("line1",)]), (10, [])])
async def test_a_digit_takes_no_line_where_it_may_be_the_first_of_two(
    number: int, answers: list[tuple[str, ...]]
) -> None:
    """The disk of bay 1 is not pulled on the way to bay 10."""
    menu = Menu()
    rows = FixedLines(
        tuple(line(f"line{at}") for at in range(1, number + 1)),
        tuple(f"line{at}" for at in range(1, number + 1)),
    )
    menu.dialog = MenuDialog(menu.app.paint, line("Bays"), rows)

    await menu.answer("1", "ctrl+l")
    assert answers == menu.answers

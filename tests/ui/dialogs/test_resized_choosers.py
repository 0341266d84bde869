"""Boxes with rows on a terminal that changes its size: the cursor and the keys are seen at every size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.pilot import Pilot

from tests.contact_sheets import LOOKS, opened
from tests.ui import states
from tests.ui.frames import frame, make_app
from tests.ui.trees import soon
from zconsole.ui.dialogs.chooser import Chooser
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TextDialog
from zconsole.views.layout.styled_text import FixedLines, line, plain

SIZES = ((40, 8), (60, 15), (80, 24), (160, 50))
BOXES = ("vdev-actions", "settings-menu")
NAMES = tuple(f"action {at}" for at in range(30))
OBJECT = "tank/containers/gitlab"


@pytest.mark.parametrize(
    ("before", "after"), [*pairwise(SIZES), *pairwise(SIZES[::-1]), (SIZES[2], SIZES[0])]
)
@pytest.mark.parametrize("name", BOXES)
async def test_a_box_is_after_a_resize_as_if_opened_at_that_size(
    name: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    async with opened(name, LOOKS[0], after) as app:
        expected = frame(app)
    async with opened(name, LOOKS[0], before) as app:
        pilot = Pilot(app)
        await pilot.resize_terminal(*after)

        assert await soon(pilot, lambda: expected == frame(app)), frame(app)


@pytest.mark.parametrize("size", SIZES)
async def test_the_cursor_and_the_keys_are_seen_after_a_resize(size: tuple[int, int]) -> None:
    app = make_app(states.healthy())
    explained = {
        name: line(f"{name}: " + "what it does to the pool and to all below it " * 4) for name in NAMES
    }
    dialog = MenuDialog(
        app.paint, line("storage1 · Destroy ", OBJECT), FixedLines(tuple(map(line, NAMES)), NAMES),
        explained=explained,
    )  # fmt: skip
    async with app.run_test(size=(120, 35)) as pilot:
        app.push_screen(dialog)
        await pilot.pause()
        await pilot.press("end")
        await pilot.resize_terminal(*size)
        await soon(pilot, lambda: "Enter choose" in frame(app) and size == app.screen.size)

        assert_cursor_and_keys(app.screen, frame(app), "action 29")

        await pilot.press("home", "down")

        assert_cursor_and_keys(app.screen, frame(app), "action 1")


def assert_cursor_and_keys(screen: object, shown: str, under_cursor: str) -> None:
    assert isinstance(screen, Chooser)
    rows = screen.rows
    assert rows.scroll_offset.y <= rows.cursor < rows.scroll_offset.y + rows.rows_shown
    assert any(row.strip("│ ").endswith(under_cursor) for row in shown.splitlines())
    assert "Enter choose" in shown
    assert OBJECT in shown


@pytest.mark.parametrize("size", SIZES)
async def test_a_prompt_wraps_its_words_anew(size: tuple[int, int]) -> None:
    words = line("Its name has at most 255 characters, of which some are those of the pool above it.")
    app = make_app(states.healthy())
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(TextDialog(app.paint, (words,)))
        await pilot.pause()
        await pilot.resize_terminal(*size)

        assert await soon(pilot, lambda: all(word in frame(app).split() for word in plain(words).split()))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [OBJECT, "tank/" + "a-name-of-many-letters/" * 8 + "gitlab"])
async def test_the_heading_ends_with_what_it_is_about(size: tuple[int, int], name: str) -> None:
    app = make_app(states.healthy())
    about = line("a-host-of-a-long-name · options, if any: Destroy ", name)
    async with app.run_test(size=size) as pilot:
        app.push_screen(MenuDialog(app.paint, about, FixedLines((line("recursive"),), ("recursive",))))
        await pilot.pause()
        shown = frame(app)

    assert name[-22:] in "".join(each.strip("│ ") for each in shown.splitlines())
    assert "recursive" in shown

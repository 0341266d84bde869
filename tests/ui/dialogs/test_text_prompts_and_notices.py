"""A prompt is answered once, and pasted text is text."""

from __future__ import annotations

from typing import Final

import pytest
from textual import events

from tests.ui import states
from tests.ui.frames import frame, make_app
from tests.ui.typists import one_by_one
from zconsole.actions.typed_confirmation_state_machine import AT_ONCE
from zconsole.ui.dialogs.text_prompts_and_notices import PASTED_LINE, UNHEARD, TellDialog, TextDialog
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.views.layout.styled_text import line, line_width

SIZE: Final = (80, 24)
NEVER_S: Final = 1e6  # of quiet: what is dropped stays so however slow the test is


@pytest.mark.parametrize("text", ["tank\nbulk", "\n", "", "\r\n\r\n", "\x00", "é漢\u202e", "x" * 5000])
async def test_pasted_text_is_text_in_a_field(text: str) -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "D", "slash")
        app.post_message(events.Paste(text))
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)


async def test_the_name_of_a_locked_host_is_typed_by_hand() -> None:
    app = make_app(states.healthy())
    answers: list[str | None] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, (), takes_paste=False), answers.append)
        await pilot.pause()
        app.post_message(events.Paste("storage1"))
        await one_by_one(pilot, "enter")
        assert [] == answers
        assert AT_ONCE in frame(app)


async def test_the_line_break_of_pasted_text_is_no_enter_and_that_is_said() -> None:
    app = make_app(states.healthy())
    answers: list[str | None] = []

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, ()), answers.append)
        await pilot.pause()
        app.post_message(events.Paste("bought so\n"))
        await pilot.pause()
        assert PASTED_LINE in frame(app)
        assert [] == answers
        await one_by_one(pilot, "enter")
        assert ["bought so"] == answers


@pytest.mark.parametrize("typed", [events.Paste("bought so"), events.Key("enter", "\r")])
async def test_what_came_too_soon_after_another_dialog_is_said(typed: events.Event) -> None:
    app = make_app(states.healthy(), quiet_s=NEVER_S)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.push_screen(TextDialog(app.paint, (), "one"))
        await pilot.pause()
        await one_by_one(pilot, "enter")
        app.push_screen(TextDialog(app.paint, ()))
        await pilot.pause()
        app.post_message(typed)
        await pilot.pause()

        assert UNHEARD in frame(app)


@pytest.mark.parametrize("size", [(60, 15), (40, 8), (80, 24)])
async def test_what_must_be_read_is_wrapped_beside_a_scroll_bar_and_can_be_scrolled(
    size: tuple[int, int],
) -> None:
    app = make_app(states.healthy())
    words = (line("Each of these words is read whole. " * 20 + "It ends here."),)

    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        dialog = TellDialog(app.paint, words)
        app.push_screen(dialog)
        await pilot.pause()
        longest = max(line_width(each) for each in dialog._text._lines)
        assert longest <= dialog._text.size.width
        await pilot.press("end")
        await pilot.pause()
        assert "go on" in frame(app)
        await pilot.press("home")
        await pilot.pause()
        assert 0 == dialog.scroll_offset.y

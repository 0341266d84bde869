"""The page of all keys."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import frame, make_app


async def test_the_keys_of_the_screen_it_was_opened_from_come_first() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(120, 60)) as pilot:
        await pilot.press("question_mark")
        of_pools = frame(app)
        await pilot.press("escape", "e", "question_mark")
        of_events = frame(app)

    assert "On this screen" in of_pools
    assert of_pools != of_events


async def test_escape_leads_back() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(80, 24)) as pilot:
        before = frame(app)
        await pilot.press("question_mark", "escape")

        assert before == frame(app)


async def test_a_key_is_found_by_what_it_does() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("question_mark", "slash", *"destr mark", "enter")
        found = frame(app)
        await pilot.press("escape")
        all_keys = frame(app)

    assert "Plan to destroy the marked snapshots" in found
    assert "On other screens" in found
    assert "On this screen" not in found
    assert "1 of " in found
    assert "On this screen" in all_keys


async def test_a_word_that_no_key_has_leads_to_the_command_line() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("question_mark", "slash", *"frobnicate", "enter")

        assert "no key does that" in frame(app)

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

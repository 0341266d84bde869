"""The journal on the screen."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import frame, make_app


async def test_an_empty_journal_says_so_and_enter_opens_nothing() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("J")
        empty = frame(app)
        await pilot.press("enter")

        assert "journal" in empty.lower()
        assert empty == frame(app)

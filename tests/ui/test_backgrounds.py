"""Behind the widgets of a screen is its ground, in the colours of the theme."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.widget import Widget

from tests.ui import states
from tests.ui.frames import make_app


@pytest.mark.parametrize("theme", ["dark", "ansi", "light"])
async def test_the_ground_is_as_textual_would_draw_it(theme: str) -> None:
    """Blank, and as wide as asked; after a change of the theme too."""
    app = make_app(states.host("storage1", states.pool_state(states.tank())))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        app.use_theme(theme)
        await pilot.pause()
        area = Region(0, 0, 50, 12)

        ours, theirs = app.screen.render_lines(area), Widget.render_lines(app.screen, area)

        assert [each.text for each in theirs] == [each.text for each in ours]
        grounds = [
            {segment.style.bgcolor for strip in strips for segment in strip if segment.style is not None}
            for strips in (theirs, ours)
        ]
        assert grounds[0] == grounds[1]

"""A few screens with their colours, one a theme: what text frames cannot see."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.ui import states
from tests.ui.frames import make_app
from zconsole.base.user_config_file import Config

PICTURES = {
    "dark": ("dark", ()),
    "light": ("light", ("end", "enter", "down", "down")),
    "high-contrast": ("high-contrast", ("f",)),
    "colour-blind": ("colour-blind", ("enter", "5")),
    "ansi": ("ansi", ("enter",)),
}


@pytest.mark.parametrize("name", PICTURES)
async def test_a_theme_paints_as_it_did(name: str, golden: Callable[[str, str], None]) -> None:
    theme, keys = PICTURES[name]
    app = make_app(states.degraded(), config=Config(theme=theme))

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()

        golden(f"{name}.svg", _without_ids(app.export_screenshot()))


def _without_ids(svg: str) -> str:
    """Rich names its styles after a checksum of the whole: one change would change every line."""
    return re.sub(r"terminal-\d+", "terminal", svg)

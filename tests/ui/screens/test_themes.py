"""Themes are previewed, put back, and told where they are wrong."""

from __future__ import annotations

from pathlib import Path

from tests.ui import states
from tests.ui.frames import UTF8, frame, make_app
from zconsole.base.user_config_file import Config
from zconsole.ui.theme_files import Themes

SIZE = (80, 24)


async def test_a_theme_is_previewed_and_escape_puts_back_what_was() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", "down")
        await pilot.pause()
        assert "high-contrast" == app.paint.theme.name == app.theme

        await pilot.press("escape")
        assert "dark" == app.paint.theme.name

        await pilot.press("t", "down", "enter")
        assert "high-contrast" == app.paint.theme.name


async def test_a_broken_theme_is_listed_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("nonsense")
    app = make_app(states.healthy(), themes=Themes(tmp_path))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")

        assert "mine.toml: not valid TOML" in frame(app)


async def test_a_theme_that_does_not_exist_is_told() -> None:
    app = make_app(states.healthy(), config=Config(theme="pink"))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "there is no theme 'pink'" in frame(app)


async def test_without_colour_there_is_no_theme_to_choose() -> None:
    app = make_app(states.healthy(), environment={**UTF8, "NO_COLOR": "1"})

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")

        assert "NO_COLOR is set" in frame(app)

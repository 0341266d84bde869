"""Themes are previewed, put back, and told where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui import states
from tests.ui.frames import UTF8, frame, make_app
from zconsole.base.user_config_file import Config
from zconsole.ui.screens.themes import ThemesScreen
from zconsole.ui.theme_files import Themes

SIZE = (80, 24)


async def test_a_theme_is_previewed_and_escape_puts_back_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("T", "down")
        await pilot.pause()
        assert "high-contrast" == app.paint.theme.name == app.theme

        await pilot.press("escape")
        assert "dark" == app.paint.theme.name

        await pilot.press("T", "down", "enter")
        assert "high-contrast" == app.paint.theme.name
        assert "theme high-contrast is kept in" in frame(app)
        assert 'theme = "high-contrast"\n' == (tmp_path / "zconsole" / "config.toml").read_text()


async def test_a_theme_that_cannot_be_kept_is_shown_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    app = make_app(states.healthy())

    async with app.run_test(size=(200, 24)) as pilot:
        await pilot.press("T", "down", "enter")

        assert "high-contrast" == app.paint.theme.name
        assert "cannot be written" in frame(app)


async def test_a_broken_theme_is_listed_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("nonsense")
    app = make_app(states.healthy(), themes=Themes(tmp_path))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("T")

        assert "mine.toml: not valid TOML" in frame(app)


async def test_a_theme_that_does_not_exist_is_told() -> None:
    app = make_app(states.healthy(), config=Config(theme="pink"))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "there is no theme 'pink'" in frame(app)


async def test_without_colour_there_is_no_theme_to_choose() -> None:
    app = make_app(states.healthy(), environment={**UTF8, "NO_COLOR": "1"})

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("T")

        assert "NO_COLOR is set" in frame(app)


async def test_themes_are_filtered_and_escape_clears_the_filter_first() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("T", "slash", *"contrast", "enter")
        await pilot.pause()
        assert "high-contrast" == app.paint.theme.name
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, ThemesScreen)
        assert "light" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, ThemesScreen)
        assert "high-contrast" != app.paint.theme.name

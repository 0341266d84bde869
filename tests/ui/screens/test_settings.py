"""The Settings screen: where values come from, changes that are kept, and files that have errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.base.size_units import SizeUnits, use_size_units
from zconsole.base.user_config_file import Config, load_config
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens import settings as screen_module
from zconsole.ui.screens.settings import SettingsScreen
from zconsole.ui.screens.themes import ThemesScreen
from zconsole.views.layout.screen_key_registry import use_keys

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
FILE = """# mine
theme = "light"
interval_s = "2s"  # slow link

[alerts]
bell = false
"""
KEYS = '[keys]\nthemes = "F9"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's folder, by a name that is the same in all frames."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(screen_module, "config_folder", lambda: Path("zconsole"))
    monkeypatch.setattr(
        "zconsole.storage.write_setting_to_config_file.config_folder", lambda: Path("zconsole")
    )
    (tmp_path / "zconsole").mkdir()
    yield tmp_path / "zconsole"
    use_keys({})
    use_size_units(SizeUnits.BINARY)


def begun(config: Config | None = None) -> ZConsoleApp:
    return make_app(states.healthy(), config=config)


async def kept(pilot: Pilot[None]) -> None:
    """Wait until the setting was written."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES)
async def test_the_settings_with_a_file_an_option_and_own_keys(
    size: str, folder: Path, golden: Callable[[str, str], None]
) -> None:
    (folder / "config.toml").write_text(FILE)
    (folder / "keys.toml").write_text(KEYS)
    use_keys({"themes": ("f9",), "why": ("Q",)})
    config = load_config(folder / "config.toml")
    app = begun(config.with_option("interval_s", "--interval", interval_s=0.5))

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("comma", "down", "down", "down")
        await pilot.pause()

        golden(f"settings-{size}.txt", frame(app))


@pytest.mark.parametrize("size", SIZES)
async def test_a_file_with_an_error_is_told_and_stays(
    size: str, folder: Path, golden: Callable[[str, str], None]
) -> None:
    (folder / "config.toml").write_text("theme = \n")
    (folder / "keys.toml").write_text('[keys]\nwhy = "y"\n')
    app = begun()

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("comma")
        await pilot.pause()
        golden(f"settings-broken-{size}.txt", frame(app))

        await pilot.press("down", "enter")
        await pilot.pause()

        assert isinstance(app.screen, SettingsScreen)
        assert "the file has an error, which comes first" in frame(app)
        assert "theme = \n" == (folder / "config.toml").read_text()


async def test_a_typed_interval_is_checked_kept_and_used_at_once(folder: Path) -> None:
    app = begun()

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("comma", "down", "down", "enter", *"2h", "enter")
        await pilot.pause()
        assert "2h is out of range: from 0.1s to 3600s" in frame(app)
        assert not (folder / "config.toml").exists()

        await pilot.press("escape", "enter", *"500ms", "enter")
        await kept(pilot)

        assert "i/o sample every 0.5s is kept in" in frame(app)
        assert "interval_s = 0.5\n" == (folder / "config.toml").read_text()
        assert 0.5 == app.interval_s == source_of(app).interval_s
        assert "config.toml, line 1" in frame(app)


async def test_a_flag_is_chosen_of_a_menu_and_the_rest_of_the_file_stays(folder: Path) -> None:
    (folder / "config.toml").write_text(FILE)
    app = begun(load_config(folder / "config.toml"))

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("comma", *["down"] * 5, "enter")
        await pilot.pause()
        assert "Ring the terminal's bell" in frame(app)

        await pilot.press("1")
        await kept(pilot)

        assert FILE.replace("bell = false", "bell = true") == (folder / "config.toml").read_text()
        assert app.config.calls.has_bell


async def test_what_is_for_the_next_start_says_so_and_changes_nothing_now(folder: Path) -> None:
    app = begun()

    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("comma", *["down"] * 4, "enter", "1")
        await kept(pilot)

        assert "read_only = true\n" == (folder / "config.toml").read_text()
        assert not app.config.is_read_only
        assert "config.toml, line 1: on at the next start" in frame(app)
        assert "takes effect at the next start" in frame(app)


async def test_a_warning_above_what_is_critical_is_not_kept(folder: Path) -> None:
    app = begun()

    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("comma", *["down"] * 9, "enter", *"95%", "enter")
        while "is above" not in frame(app):
            await pilot.pause()

        assert "is above used_critical_percent" in " ".join(frame(app).split())
        assert not (folder / "config.toml").exists()

        await pilot.press("escape", "enter", *"70%", "enter")
        await kept(pilot)

        assert 70.0 == app.config.thresholds.used_warning_percent
        assert "[thresholds]\nused_warning_percent = 70\n" == (folder / "config.toml").read_text()


async def test_the_theme_is_chosen_on_the_screen_of_themes_and_told_here(folder: Path) -> None:
    app = begun(Config(theme="dark").with_option("theme", "--theme"))

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("comma")
        await pilot.pause()
        assert "--theme" in frame(app)

        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ThemesScreen)

        await pilot.press("down", "enter")
        await pilot.pause()

        assert isinstance(app.screen, SettingsScreen)
        assert 'theme = "high-contrast"\n' == (folder / "config.toml").read_text()
        assert "high-contrast" in frame(app)
        assert "config.toml, line 1" in frame(app)


async def test_the_keys_that_change_the_interval_are_told_as_of_this_session(folder: Path) -> None:
    del folder
    app = begun()

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("right_parenthesis", "comma", "down", "down")
        await pilot.pause()

        assert "0.5s" in frame(app)
        assert "this session" in frame(app)


@pytest.mark.parametrize("keys", [("enter",), ("D",), ("d",)], ids="".join)
async def test_units_that_are_chosen_are_kept_and_used_by_every_screen_that_is_open(
    keys: tuple[str, ...], folder: Path
) -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        before = frame(app)
        await pilot.press("colon", *"settings", "enter")
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press("down", "enter", "2")
        await kept(pilot)
        assert 'units = "decimal"\n' == (folder / "config.toml").read_text()
        shown = []
        while len(app.screen_stack) > 2:
            await pilot.press("q")
            await pilot.pause()
            shown.append(frame(app))

        assert re.search(r"\b[KMGT]iB\b", before)
        assert re.search(r"\b[MGT]B\b", shown[0])
        assert [] == re.findall(r"\b[KMGT]iB\b", "".join(shown))


async def test_it_is_found_by_its_name() -> None:
    app = begun()

    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("enter", "colon", *"settings", "enter")
        await pilot.pause()

        assert isinstance(app.screen, SettingsScreen)

"""Settings screen: values and where they come from; Enter changes one and keeps it in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType

from zconsole.base.user_config_file import KEYS_FILE, Config, config_folder
from zconsole.storage.write_setting_to_config_file import SettingsFile, read_settings
from zconsole.ui.flows.change_setting import change_setting_of
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.screen_key_registry import user_keys
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.user_keys_file import read_user_keys
from zconsole.views.settings import settings_page as views
from zconsole.views.settings.setting_catalogue import SETTINGS, SETTINGS_BY_KEY, Setting, SettingKind


class SettingsScreen(ConsoleScreen):
    """List of settings; the files are read when the screen comes to the front."""

    PLACE = "settings"
    WRAPS_ROWS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self) -> None:
        super().__init__()
        self._read_files()

    def on_screen_resume(self) -> None:
        self._read_files()
        super().on_screen_resume()

    def page(self, view: View) -> Page:
        del view
        return views.page(self._shown())

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return tuple(views.notes(self._shown(), key))

    @property
    def file(self) -> SettingsFile:
        """What the file has."""
        return self._file

    def take(self, setting: Setting, config: Config) -> None:
        """Go on with a setting that was written, where that is possible, and read the file again."""
        if views.takes_effect_at_once(setting, self.console.config):
            self.console.use_setting(setting.key, setting.taken_over(self.console.config, config))
        self._read_files()
        self.draw()

    def action_open(self) -> None:
        """Change the setting under the cursor; for a click."""
        self.action_change()

    def action_change(self) -> None:
        """Change the setting under the cursor."""
        setting = SETTINGS_BY_KEY.get(self.rows.key or "")
        if setting is None:
            self.say(f"own keys are written in {self._keys.path}, and read at the start", "dim")
        elif self._file.problem:
            self.say("the file has an error, which comes first: nothing is written", "warn")
        elif setting.kind is SettingKind.THEME:
            self.console.open_themes()
        else:
            self.console.gate.expect_dialog()
            self.console.run_worker(change_setting_of(self, setting), name="setting")

    def _shown(self) -> views.ShownSettings:
        theme, interval_s = self.console.paint.theme.name, self.console.interval_s
        config, home = self.console.config, Path.home()
        return views.ShownSettings(config, theme, interval_s, self._file, self._keys, home)

    def _read_files(self) -> None:
        folder = config_folder()
        self._file = read_settings((each.key for each in SETTINGS), folder)
        used = dict(user_keys())
        found = read_user_keys(folder)
        wrong = found.problem
        problem = "" if wrong is None else f"{wrong.message}. {wrong.hint}"
        self._keys = views.OwnKeys(folder / KEYS_FILE, found.keys, used, problem)

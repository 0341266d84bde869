"""Change a setting: a menu of its values, or a typed one within its limits; then it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.user_config_file import Config
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.write_setting_to_config_file import SettingsFile, change_setting
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import ProposalDialog
from zconsole.views.layout.styled_text import FixedLines, Line, line
from zconsole.views.settings.setting_catalogue import Setting, Value
from zconsole.views.settings.settings_page import NEXT_START, takes_effect_at_once

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


class ChangingScreen(Protocol):
    """Settings screen, as seen by this flow."""

    @property
    def console(self) -> ConsoleApp:
        """The app."""

    @property
    def file(self) -> SettingsFile:
        """What the file has."""

    def take(self, setting: Setting, config: Config) -> None:
        """Go on with a setting that was written."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""


async def change_setting_of(screen: ChangingScreen, setting: Setting) -> None:
    """Ask for the new value, and write it; after a refusal a typed value is asked for again."""
    typed, why = setting.shown(_present(screen, setting)), ""
    while True:
        if setting.choices is not None:
            value = await _chosen(screen, setting)
        else:
            answer = await _typed(screen, setting, typed, why)
            if answer is None:
                return
            typed = answer
            try:
                value = setting.read(typed)
            except UsageError as error:
                why = f"{error.message}. {error.hint}".rstrip(" .")
                continue
        if value is None:
            return
        try:
            path, config = await patiently(change_setting, setting.key, value)
        except ConfigError as error:
            why = f"{error.message}. {error.hint}"
            if setting.choices is None:
                continue
            screen.say(why, "warn")
            return
        is_live = takes_effect_at_once(setting, screen.console.config)
        screen.take(setting, config)
        when = "" if is_live else f", takes effect {NEXT_START}"
        screen.say(f"{setting.title.lower()} {setting.shown(value)} is kept in {path}{when}", "ok")
        return


def _present(screen: ChangingScreen, setting: Setting) -> Value | None:
    """The value to begin with: that of this console, or of the file where it is for the next start."""
    value = setting.of(screen.console.config)
    written = screen.file.values.get(setting.key)
    if isinstance(written, bool) and not takes_effect_at_once(setting, screen.console.config):
        return written
    return screen.console.interval_s if setting.key == "interval_s" else value


def _about(setting: Setting) -> Line:
    return line((setting.title, "title"), (f" · {setting.help}", "dim"))


async def _chosen(screen: ChangingScreen, setting: Setting) -> Value | None:
    choices = setting.choices or {}
    by_name = {setting.shown(value): value for value in choices}
    lines = tuple(line((f"{name:<8} ", "key"), (choices[value], "dim")) for name, value in by_name.items())
    dialog = MenuDialog(
        screen.console.paint,
        _about(setting),
        FixedLines(lines, tuple(by_name)),
        start=(setting.shown(_present(screen, setting)),),
    )
    answer = await screen.console.push_screen_wait(dialog)
    return by_name[answer[0]] if answer else None


async def _typed(screen: ChangingScreen, setting: Setting, typed: str, why: str) -> str | None:
    question = line((f"A value {setting.range_words()}:", "dim"))
    words = (_about(setting), question, *([line((why, "warn"))] if why else []))
    return await screen.console.push_screen_wait(ProposalDialog(screen.console.paint, words, typed))

"""Flow of a theme that is chosen: drawn with it, and written to the configuration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.base.errors import ConfigError
from zconsole.storage.write_setting_to_config_file import write_setting

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp


def use_and_keep(app: ConsoleApp, name: str) -> None:
    """Draw everything in a theme, and keep it for the next start."""
    if name != app.paint.theme.name:
        app.use_theme(name)
    keep(app, name)


def keep(app: ConsoleApp, name: str) -> None:
    """Write the theme to the configuration, and say where it is."""
    try:
        path = write_setting("theme", name)
    except ConfigError as error:
        words, style = f"{error.message}. {error.hint}", "warn"
    else:
        app.use_setting("theme", replace(app.config, theme=name))
        words, style = f"theme {name} is kept in {path}", "ok"
    front = app.front()
    if front is not None:
        front.say(words, style)

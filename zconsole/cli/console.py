"""`zconsole [HOST...]`: open the console on some hosts."""

from __future__ import annotations

from dataclasses import replace

from zconsole.base.config import Config
from zconsole.cli.invocation import Console
from zconsole.cli.places import open_places


def run_console(asked: Console, config: Config) -> int:
    """Hand the hosts over to the screen, which is imported only here."""
    from zconsole.ui.app import run_console as run

    config = replace(
        config,
        theme=asked.theme or config.theme,
        interval_s=asked.interval_s or config.interval_s,
        is_read_only=asked.is_read_only or config.is_read_only,
    )
    return run([place.host for place in open_places(asked.where, config)], config)

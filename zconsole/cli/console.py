"""`zconsole [HOST...]`: open the console on some hosts."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import (
    KEYS_FILE,
    LONGEST_INTERVAL_S,
    Config,
    config_folder,
)
from zconsole.cli.collecting.engine_of_hosts import engine_of
from zconsole.cli.open_and_ask_named_hosts import open_hosts
from zconsole.cli.selected_hosts import HostSelection

if TYPE_CHECKING:
    from zconsole.model.exercise import Exercise
    from zconsole.model.run import Run
    from zconsole.storage.alerts.alert_store import AlertStore


NOT_RUN: Final = 3
LEFT: Final = 4  # changes whose end was not seen, or that were ended


@dataclass(frozen=True, slots=True)
class ConsoleRequest:
    """`zconsole [HOST...]`."""

    where: HostSelection = field(default_factory=HostSelection)
    theme: str | None = None
    interval_s: float | None = None
    is_read_only: bool = False
    is_all: bool = False  # the hosts of the configuration, in place of named ones


def run_console(asked: ConsoleRequest, config: Config) -> int:
    """Show the first frame, and collect then: nothing that it does not need is loaded before."""
    if asked.theme is not None:
        _check_theme(asked.theme)
    use_own_keys(is_strict=False)
    _check_terminal()
    config = _with_options(asked, config)
    places = open_hosts(asked.where, config)
    exercise = places[0].exercise
    is_real = not asked.where.is_demo and asked.where.replay is None
    engine = engine_of(asked.where, config, places)
    engine.recall()
    engine.start(behind_first_frame=True)
    left: tuple[Run, ...] = ()
    try:
        from zconsole.ui.app import run_console as run

        code = run(
            engine.service,
            config,
            exercise,
            _alerts if is_real else None,
            engine.begin,
            offers_tour=asked.where.is_demo and exercise is None and _is_first_start(),
        )
    finally:
        left = engine.stop()
        _tell(left)
        if exercise is not None:
            _debrief(exercise)
    return code or exit_code_of(left)


def _with_options(asked: ConsoleRequest, config: Config) -> Config:
    """The configuration with what options give in place of the file."""
    if asked.theme is not None:
        config = config.with_option("theme", "--theme", theme=asked.theme)
    if asked.interval_s is not None:
        config = config.with_option("interval_s", "--interval", interval_s=asked.interval_s)
    if asked.is_read_only:
        config = config.with_option("read_only", "--read-only", is_read_only=True)
    if asked.where.exercise:  # a sample a second, as the user sees it
        interval_s = min(config.interval_s * asked.where.speed, LONGEST_INTERVAL_S)
        config = config.with_option("interval_s", "the exercise", interval_s=interval_s)
    return config


def _check_terminal() -> None:
    """Raise UsageError where keys do not come from a terminal, or the screen would not go to one."""
    streams = (
        (sys.__stdin__, "standard input", "keys are read from"),
        (sys.__stderr__, "standard error", "screen is drawn on"),
    )
    for stream, name, what in streams:
        if stream is None or not stream.isatty():
            raise UsageError(
                f"the console needs a terminal: its {what} {name}, which is none here",
                hint="Do not redirect it; or `zconsole status` prints the same facts, --json for scripts.",
            )
    if os.environ.get("TERM") == "dumb":
        raise UsageError(
            "the console needs a terminal whose cursor can be moved, and TERM is dumb",
            hint="`zconsole status` prints lines; so do disks, repair, slow, forecast, tree, plan, apply.",
        )


def use_own_keys(*, is_strict: bool = True) -> None:
    """Use the keys of `keys.toml` beside the configuration.

    Of a file with wrong lines the others, where not `is_strict`: what is wrong is printed, and remarked by
    the console. Raises ConfigError where it is.
    """
    folder = config_folder()
    if not os.path.exists(folder / KEYS_FILE):  # noqa: PTH110  # False where it may not be looked at
        return
    from zconsole.views.layout.screen_key_registry import use_keys
    from zconsole.views.layout.user_keys_file import read_user_keys

    found = read_user_keys(folder)
    if found.problem is not None and is_strict:
        raise found.problem
    use_keys(found.keys, "" if found.problem is None else found.problem.message.replace(f"{folder}/", ""))
    if found.problem is not None:
        print(f"zconsole: {found.problem.message}. {found.problem.hint}", file=sys.stderr, flush=True)


def _check_theme(name: str) -> None:
    """Raise UsageError for a theme that there is not, or that cannot be used."""
    from zconsole.ui.theme_files import Themes

    themes = Themes(config_folder() / "themes")
    if themes.get(name).name == name:
        return
    for broken in themes.broken:
        if broken.path.stem == name:
            raise UsageError(f"--theme: {broken.path}: {broken.reason}")
    raise UsageError(
        f"--theme: there is no theme {name!r}", hint=f"One of: {', '.join(sorted(themes.usable))}."
    )


def _debrief(exercise: Exercise) -> None:
    """Print what was done well and what was risky."""
    from zconsole.reports.text.styled_text_to_plain_text import printed
    from zconsole.views.exercise_and_rack_words import debriefing

    with suppress(OSError):
        for told in printed(debriefing(exercise.state()), shutil.get_terminal_size().columns):
            print(told, flush=True)


def exit_code_of(left: Sequence[Run]) -> int:
    """Exit code after changes were in progress when the console was left: 0 once all of them are done."""
    from zconsole.model.run import RunState

    states = {run.state for run in left} - {RunState.DONE}
    if not states:
        return 0
    return NOT_RUN if states <= {RunState.REFUSED, RunState.STALE} else LEFT


def _tell(left: Sequence[Run]) -> None:
    """Print the state of runs that were in progress when the console was left."""
    if left:
        from zconsole.reports.text.styled_text_to_plain_text import printed
        from zconsole.views.changes.run import left_running

        for told in printed(map(left_running, left)):
            with suppress(OSError):  # the terminal is gone, or the pipe is closed
                print(told, file=sys.stderr, flush=True)


def _is_first_start() -> bool:
    from zconsole.storage.tour_seen import is_first_start

    return is_first_start()


def _alerts() -> AlertStore:
    from zconsole.storage.alerts.alert_store import AlertStore

    return AlertStore()

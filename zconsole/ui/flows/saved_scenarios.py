"""Scenario flows: save under a name, open, delete, export to a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from zconsole.analysis.capacity.planner_inputs import USUAL
from zconsole.analysis.capacity.scenario import Scenario, named
from zconsole.analysis.capacity.scenario_figures_and_export import FORMATS, ScenarioFigures, exported
from zconsole.analysis.forecast.forecast_sentences import day
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.storage.capacity_scenarios import write_new
from zconsole.storage.run_in_thread import patiently
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.views.findings.slow_disk_phrases import clock
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, line

if TYPE_CHECKING:
    from zconsole.storage.capacity_scenarios import ScenarioStore
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.ui.widgets.form import Form

_YES = "yes"


class PlanningSession(Protocol):
    """Planner's screen as seen by these flows."""

    host: str
    pool: str
    store: ScenarioStore
    kept: tuple[Scenario, ...]
    rows_kept: tuple[ScenarioFigures, ...]
    form: Form

    def take_saved(self, kept: tuple[Scenario, ...]) -> None:
        """Take the saved scenarios."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""

    def action_part_scenarios(self) -> None:
        """Show the scenarios."""


class Planning:
    """Dialogs over one planning session. They touch no host."""

    def __init__(self, app: ConsoleApp, screen: PlanningSession) -> None:
        self._app = app
        self._screen = screen

    async def keep(self) -> None:
        """Ask for a name, and save the fields; overwriting needs a confirmation."""
        name = ""
        while True:
            typed = await self._ask("save this scenario as", ("A name, such as five years:",), name)
            if typed is None:
                return
            try:
                name = named(typed)
            except UsageError as error:
                await self._tell(error)
                continue
            if all(each.name != name for each in self._screen.kept) or await self._is_sure(
                f"There is a scenario {name} already.", "replace it"
            ):
                break
        at = self._app.states.now()
        scenario = Scenario(name, self._screen.host, self._screen.pool, at, self._screen.form.texts)
        try:
            self._screen.take_saved(await patiently(self._screen.store.keep, scenario))
        except ZConsoleError as error:
            await self._tell(error)
        else:
            self._screen.say(f"{name} is saved")
            self._screen.action_part_scenarios()

    async def open(self) -> None:
        """Let the user choose a scenario; its texts go into the fields."""
        scenario = await self._choose("open a scenario")
        if scenario is not None:
            self._screen.form.fill({**USUAL, **scenario.texts})
            self._screen.say(f"{scenario.name} is in the fields")

    async def drop(self) -> None:
        """Let the user choose a scenario, and delete it."""
        scenario: Scenario | None = None
        while True:
            scenario = await self._choose("delete a scenario", scenario)
            if scenario is None:
                return
            if await self._is_sure(f"{scenario.name} will be deleted.", "drop it"):
                break
        try:
            self._screen.take_saved(await patiently(self._screen.store.drop, scenario.name))
        except ZConsoleError as error:
            await self._tell(error)
        else:
            self._screen.say(f"{scenario.name} is deleted")

    async def export(self) -> None:
        """Ask for a file until one can be written or the user leaves."""
        rows = self._screen.rows_kept
        if not rows:
            self._screen.say("it is still being computed", "dim")
            return
        wanted = f"~/scenarios-{as_file_name(self._screen.pool)}.md"
        formats = ", ".join(FORMATS)
        words = (
            f"What is typed, and the scenarios of {self._screen.pool}: {len(rows)} side by side.",
            f"A new file, its ending says as what ({formats}):",
        )
        while True:
            typed = await self._ask("write scenarios to a file", words, wanted)
            if typed is None:
                return
            wanted, path = typed, path_of(typed)
            heading = (
                f"Scenarios of {self._screen.pool} on {self._screen.host}, {day(self._app.states.now())}"
            )
            try:
                text = exported(rows, path.suffix, heading)
                await patiently(write_new, path, text)
            except ZConsoleError as error:
                await self._tell(error)
            else:
                self._screen.say(f"written to {path}")
                return

    async def _choose(self, title: str, former: Scenario | None = None) -> Scenario | None:
        kept = self._screen.kept
        if not kept:
            self._screen.say("no scenario is saved yet; Ctrl+S saves one", "dim")
            return None
        keys = tuple(str(at) for at in range(len(kept)))
        rows = FixedLines(tuple(map(_row, kept)), keys)
        start = (str(kept.index(former)),) if former in kept else ()
        dialog = MenuDialog(self._app.paint, self._head(title), rows, start=start)
        chosen = await self._app.push_screen_wait(dialog)
        return kept[int(chosen[0])] if chosen else None

    async def _is_sure(self, question: str, yes: str) -> bool:
        rows = FixedLines((line("go back"), line(yes)), ("", _YES))
        chosen = await self._app.push_screen_wait(MenuDialog(self._app.paint, self._head(question), rows))
        return bool(chosen) and chosen == (_YES,)

    async def _ask(self, title: str, sentences: Sequence[str], value: str) -> str | None:
        words = (self._head(title), EMPTY, *(line((each, "dim")) for each in sentences))
        return await self._app.push_screen_wait(TextDialog(self._app.paint, words, value))

    async def _tell(self, error: ZConsoleError) -> None:
        words = [line((error.message, "warn"))]
        if error.hint:
            words.append(line((error.hint, "dim")))
        await self._app.push_screen_wait(TellDialog(self._app.paint, words))

    def _head(self, title: str) -> Line:
        host = self._screen.host
        return line((host, self._app.host_colour(host)), (" · ", "dim"), (title, "title"))


def _row(scenario: Scenario) -> Line:
    about = f"  {scenario.pool} on {scenario.host}, {day(scenario.at)} {clock(scenario.at)} UTC"
    return line(scenario.name, (about, "dim"))


def path_of(typed: str) -> Path:
    """Expand ~ in a path from the user, as shells do."""
    return Path(os.path.abspath(os.path.expanduser(typed.strip())))  # noqa: PTH100,PTH111  # a ~name that nobody has stays


def as_file_name(pool: str) -> str:
    """Return a pool's name, which its host chose, as part of a path."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "_" for char in pool)

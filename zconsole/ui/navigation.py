"""Every screen by its name: where its class is, loaded when it is opened first."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol

from textual.screen import Screen

from zconsole.actions.intent import Intent, Target
from zconsole.ui.styler import Paint
from zconsole.views.host_view import View

SCREENS: Final = {
    "arc": "zconsole.ui.screens.arc:ArcScreen",
    "capacity_planner": "zconsole.ui.screens.capacity_planner:PlannerScreen",
    "command_log": "zconsole.ui.screens.command_log:CommandsScreen",
    "dataset_load": "zconsole.ui.screens.dataset_load:LoadScreen",
    "datasets": "zconsole.ui.screens.datasets:DatasetsScreen",
    "events": "zconsole.ui.screens.events:EventsScreen",
    "findings": "zconsole.ui.screens.findings:FindingsScreen",
    "help": "zconsole.ui.screens.help:HelpScreen",
    "journal": "zconsole.ui.screens.journal:JournalScreen",
    "latency": "zconsole.ui.screens.latency:LatencyScreen",
    "pool": "zconsole.ui.screens.pool:PoolScreen",
    "snapshot_diff": "zconsole.ui.screens.snapshot_diff:DiffScreen",
    "snapshot_files": "zconsole.ui.screens.snapshot_files:FilesScreen",
    "themes": "zconsole.ui.screens.themes:ThemesScreen",
    "why": "zconsole.ui.screens.latency:WhyScreen",
}
CHANGE_FLOW: Final = "zconsole.ui.flows.change:ChangeDialogs"
HOST_KEY_DIALOG: Final = "zconsole.ui.dialogs.host_key:HostKeyDialog"


@dataclass(frozen=True, slots=True)
class Want:
    """What is read from a host only while it is shown: `latency`, `sizes`, `objsets` or `arc`."""

    what: str
    host: str
    pool: str = ""  # none for `arc`, which is of the whole host


class FrontScreen(Protocol):
    """What the app asks of the screen in front."""

    def show(self, view: View) -> None:
        """Here is the newest."""

    def say(self, words: str, style: str = "info") -> None:
        """A remark that goes away by itself."""

    def refuses(self, key: str) -> bool:
        """Whether a key does nothing for once."""

    def repaint(self, paint: Paint) -> None:
        """Take another theme."""


class DialogsAhead(Protocol):
    """What lets keys through to the screens."""

    def expect_dialog(self) -> None:
        """What was just asked for opens a dialog; keys can only be meant for that."""


class ChangeFlow(Protocol):
    """The way from an object to a change of it."""

    def offer(self, target: Target, action: str | None = None) -> Coroutine[object, object, None]:
        """The menu of actions, or one of them: the plan, the guard, the run."""

    def carry_out(self, intent: Intent) -> Coroutine[object, object, None]:
        """An action whose words are all known."""

    def unlock(self) -> Coroutine[object, object, None]:
        """Allow changes on a production host for a while."""


def screen_at(place: str, *about: object) -> Screen[None]:
    """A screen by its name. `about` is what its class takes; KeyError for a name that no screen has."""
    screen: Screen[None] = screen_class(place)(*about)
    return screen


def screen_class(place: str) -> Any:
    """The class of a screen by its name. Raises KeyError for a name that no screen has."""
    return loaded(SCREENS[place])


def loaded(where: str) -> Any:
    """The class at `module:Class`, its module imported now."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)

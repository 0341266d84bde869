"""Screens by name: the class of each, loaded when it is opened first."""

from __future__ import annotations

from collections.abc import Coroutine
from importlib import import_module
from typing import Any, ClassVar, Final, Protocol

from textual.screen import Screen

from zconsole.actions.intent import Intent, Target
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.line_to_strip import Paint
from zconsole.views.host_states_with_findings import View

SCREENS: Final = {
    "advice": "zconsole.ui.screens.findings.advice:AdviceScreen",
    "alerts": "zconsole.ui.screens.alerts:AlertsScreen",
    "arc": "zconsole.ui.screens.arc_zil_and_txg:ArcScreen",
    "capacity_planner": "zconsole.ui.screens.capacity_planner:PlannerScreen",
    "command_log": "zconsole.ui.screens.command_records.command_log:CommandsScreen",
    "dataset_load": "zconsole.ui.screens.dataset_load:LoadScreen",
    "datasets": "zconsole.ui.screens.datasets:DatasetsScreen",
    "disk": "zconsole.ui.screens.disks:DiskScreen",
    "disks": "zconsole.ui.screens.disks:DisksScreen",
    "events": "zconsole.ui.screens.events:EventsScreen",
    "finding": "zconsole.ui.screens.findings.finding_screens:FindingScreen",
    "findings": "zconsole.ui.screens.findings.finding_screens:FindingsScreen",
    "guests": "zconsole.ui.screens.guests.guest_screens:GuestsScreen",
    "help": "zconsole.ui.screens.help:HelpScreen",
    "journal": "zconsole.ui.screens.journal:JournalScreen",
    "latency": "zconsole.ui.screens.latency:LatencyScreen",
    "pool": "zconsole.ui.screens.pool:PoolScreen",
    "pool_history": "zconsole.ui.screens.command_records.pool_history:PoolHistoryScreen",
    "repair": "zconsole.ui.screens.repair:RepairScreen",
    "settings": "zconsole.ui.screens.settings:SettingsScreen",
    "snapshot_diff": "zconsole.ui.screens.snapshot_diff:DiffScreen",
    "snapshot_files": "zconsole.ui.screens.snapshot_files:FilesScreen",
    "themes": "zconsole.ui.screens.themes:ThemesScreen",
    "why": "zconsole.ui.screens.slow_disk_evidence:WhyScreen",
}
REPAIR_WATCH: Final = "zconsole.ui.repair_watch:RepairWatch"
REPAIR_OF: Final = "zconsole.ui.repair_watch:repair_of"
CHANGE_FLOW: Final = "zconsole.ui.flows.actions_of_object:ChangeDialogs"
PROCEDURE_FLOW: Final = "zconsole.ui.flows.healthy_vdev_procedures:choose_procedure"
FREE_SPACE_FLOW: Final = "zconsole.ui.flows.free_space:Reclaiming"
FIRST_SLOW_DISK: Final = "zconsole.views.pools.pool_page:first_slow_disk"
ALERTS: Final = "zconsole.ui.alert_calls:AlertCalls"
CHANGES: Final = "zconsole.ui.changes_in_progress:ChangesInProgress"
LEAVE_DIALOG: Final = "zconsole.ui.dialogs.leave_console:LeaveDialog"
UNFINISHED: Final = "zconsole.views.changes.changes_left_unfinished:unfinished"
TOUR: Final = "zconsole.ui.tour:Tour"
HOST_KEY_DIALOG: Final = "zconsole.ui.dialogs.host_key:HostKeyDialog"


@dataclass(frozen=True, slots=True)
class Want:
    """Reading made only while shown: `latency`, `sizes`, `objsets`, `arc`, `disks`, `guests`, `contents`."""

    what: str
    host: str
    pool: str = ""  # empty for the last four, which are of the whole host


class FrontScreen(Protocol):
    """Screen in front, as seen by the app."""

    PLACE: ClassVar[str]
    drawn_alike: int  # drawings since the last one that changed anything

    def show(self, view: View) -> None:
        """Show the newest states."""

    def say(self, words: str, style: str = "info") -> None:
        """Show a remark that disappears by itself."""

    def refuses(self, key: str) -> bool:
        """Whether to ignore a key once."""

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""

    def put_on_host(self, host: str) -> None:
        """Put the cursor on a host, or on the first row of it, where the screen lists hosts."""


class DialogsAhead(Protocol):
    """Gate that lets keys through to the screens."""

    def expect_dialog(self) -> None:
        """Expect a dialog that was just requested; keys can only be meant for it."""


class ChangeFlow(Protocol):
    """Change flow, from an object to a run."""

    def offer(self, target: Target, action: str | None = None) -> Coroutine[object, object, bool]:
        """Offer the menu of actions, or one of them; False where its first question was left."""

    def carry_out(self, wanted: Intent) -> Coroutine[object, object, bool]:
        """Carry out an action with all its arguments; False where the user went one step back from it."""

    def complete(self, wanted: Intent) -> Coroutine[object, object, bool]:
        """Ask for the arguments that the action lacks, and carry it out."""

    def choose_disk(self, wanted: Intent) -> Coroutine[object, object, bool]:
        """Let the user choose the disk that the action lacks, and carry it out."""

    def unlock(self) -> Coroutine[object, object, None]:
        """Allow changes on a production host for a while."""


def screen_at(place: str, *about: object) -> Screen[None]:
    """Return a screen by its name. `about` are the arguments of its class; KeyError for an unknown name."""
    screen: Screen[None] = screen_class(place)(*about)
    return screen


def screen_class(place: str) -> Any:
    """Return the class of a screen by its name. Raises KeyError for an unknown name."""
    return loaded(SCREENS[place])


def loaded(where: str) -> Any:
    """Return the class at `module:Class`; its module is imported now."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)

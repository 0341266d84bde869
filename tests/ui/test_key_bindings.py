"""Every action of the registry has its key, its method and its place in the palette."""

from __future__ import annotations

from textual.command import CommandPalette

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.actions.user_actions import EVERYWHERE, PLACES, actions
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.arc import ArcScreen
from zconsole.ui.screens.capacity_planner import PlannerScreen
from zconsole.ui.screens.command_log import CommandsScreen
from zconsole.ui.screens.dataset_load import LoadScreen
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.events import EventScreen, EventsScreen
from zconsole.ui.screens.findings import FindingScreen, FindingsScreen
from zconsole.ui.screens.help import HelpScreen
from zconsole.ui.screens.journal import EntryScreen, JournalScreen
from zconsole.ui.screens.latency import LatencyScreen, WhyScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.snapshot_calendar import CalendarScreen
from zconsole.ui.screens.snapshot_diff import DiffScreen
from zconsole.ui.screens.snapshot_files import FilesScreen
from zconsole.ui.screens.themes import ThemesScreen

SIZE = (80, 24)
SCREENS = (
    PoolsScreen, PoolScreen, LatencyScreen, WhyScreen, DatasetsScreen, LoadScreen, ArcScreen, CommandsScreen,
    JournalScreen, EntryScreen, EventsScreen, EventScreen, FindingsScreen, FindingScreen, HelpScreen,
    ThemesScreen, DiffScreen, FilesScreen, CalendarScreen, PlannerScreen,
)  # fmt: skip


def test_every_action_of_the_registry_can_be_done_where_it_says() -> None:
    by_place = {screen.PLACE: screen for screen in SCREENS}

    assert set(PLACES) == set(by_place)
    for place, screen in by_place.items():
        for action in actions(place):
            owner = ZConsoleApp if EVERYWHERE in action.where else screen
            assert hasattr(owner, f"action_{action.id}"), f"{owner.__name__} cannot {action.id}"


async def test_the_palette_knows_the_actions_of_the_screen_and_does_them() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)

        await pilot.press(*"identity")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.1)

        assert PoolScreen is type(app.screen)
        assert "SERIAL" in frame(app)

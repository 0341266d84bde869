"""Keys lead from screen to screen, and back."""

from __future__ import annotations

import pytest

from tests.ui import states
from tests.ui.frames import make_app
from zconsole.ui.screens.arc_zil_and_txg import ArcScreen
from zconsole.ui.screens.capacity_planner import PlannerScreen
from zconsole.ui.screens.command_records.command_log import CommandsScreen
from zconsole.ui.screens.dataset_load import LoadScreen
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.events import EventScreen, EventsScreen
from zconsole.ui.screens.findings.finding_screens import FindingScreen, FindingsScreen
from zconsole.ui.screens.help import HelpScreen
from zconsole.ui.screens.journal import JournalScreen
from zconsole.ui.screens.latency import LatencyScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.themes import ThemesScreen
from zconsole.ui.screens_by_name import CHANGE_FLOW, HOST_KEY_DIALOG, SCREENS, loaded, screen_class
from zconsole.views.layout.screen_key_registry import ACTIONS, Action

SIZE = (80, 24)


@pytest.mark.parametrize(
    ("screen", "keys"),
    [
        (PoolScreen, ["enter"]),
        (EventsScreen, ["e"]),
        (DatasetsScreen, ["D"]),
        (DatasetsScreen, ["enter", "D"]),
        (LoadScreen, ["L"]),
        (LoadScreen, ["enter", "D", "L"]),
        (ArcScreen, ["A"]),
        (PlannerScreen, ["P"]),
        (PlannerScreen, ["enter", "P"]),
        (PoolScreen, ["enter", "P", "escape"]),
        (ArcScreen, ["enter", "A"]),
        (CommandsScreen, ["C"]),
        (JournalScreen, ["J"]),
        (PoolsScreen, ["J", "escape"]),
        (CommandsScreen, ["enter", "D", "C"]),
        (EventScreen, ["e", "enter"]),
        (FindingsScreen, ["f"]),
        (FindingScreen, ["f", "enter"]),
        (HelpScreen, ["question_mark"]),
        (ThemesScreen, ["T"]),
        (LatencyScreen, ["enter", "enter"]),
        (PoolScreen, ["enter", "enter", "escape"]),
        (PoolScreen, ["enter", "w"]),
        (PoolsScreen, ["enter", "escape"]),
        (PoolsScreen, ["enter", "e", "escape", "escape"]),
        (FindingsScreen, ["enter", "e", "f"]),
        (PoolScreen, ["enter", "f", "q"]),
    ],
)
async def test_keys_lead_from_screen_to_screen(screen: type[ConsoleScreen], keys: list[str]) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)

        assert screen is type(app.screen)


async def test_q_leaves_from_the_first_screen() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
        await pilot.pause()

        assert app._exit


@pytest.mark.parametrize("place", SCREENS)
def test_every_screen_is_found_by_its_name(place: str) -> None:
    assert issubclass(screen_class(place), ConsoleScreen)


@pytest.mark.parametrize("where", [CHANGE_FLOW, HOST_KEY_DIALOG])
def test_what_is_loaded_late_is_found(where: str) -> None:
    assert where.endswith(f":{loaded(where).__name__}")


@pytest.mark.parametrize("action", [each for each in ACTIONS if each.opens], ids=lambda each: each.id)
def test_a_key_opens_a_screen_of_which_it_can_tell_all_that_it_takes(action: Action) -> None:
    assert {"host", "pool"} >= {*screen_class(action.opens).ABOUT}

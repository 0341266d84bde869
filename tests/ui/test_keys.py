"""What the keys do, screen by screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.command import CommandPalette

from tests.ui import states
from tests.ui.frames import UTF8, frame, make_app, source_of
from tests.ui.trees import soon
from tests.ui.typists import by_hand
from zconsole.actions.user_actions import EVERYWHERE, PLACES, actions
from zconsole.base.config import Config, HostConfig
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.host_key import HostKeyDialog
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
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.snapshot_calendar import CalendarScreen
from zconsole.ui.screens.snapshot_diff import DiffScreen
from zconsole.ui.screens.snapshot_files import FilesScreen
from zconsole.ui.screens.themes import ThemesScreen
from zconsole.ui.theme_files import Themes

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
        (ThemesScreen, ["t"]),
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


async def test_the_pool_under_the_cursor_is_opened() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("down", "enter")

        assert frame(app).startswith(" storage1 · vault ONLINE")


async def test_q_leaves_from_the_first_screen() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
        await pilot.pause()

        assert app._exit


async def test_the_worst_is_on_top_and_the_cursor_stands_on_it() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "bulk" in frame(app).split("\n")[3]
        assert "no redundancy left" in frame(app).split("\n")[0]


async def test_a_filter_works_while_it_is_typed_and_escape_clears_it() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"vau")
        assert "vault" in frame(app)
        assert "tank" not in frame(app)

        await pilot.press("enter")
        assert "1 of 3, Esc clears" in frame(app)

        await pilot.press("escape")
        assert "tank" in frame(app)


async def test_keys_typed_into_the_filter_are_letters_not_commands() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", "q", "f", "e")

        assert PoolsScreen is type(app.screen)
        assert not app._exit


async def test_a_paused_screen_stays_while_states_go_on() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        source_of(app).replace(states.degraded(), monotonic=states.TICKS + 7)
        await pilot.pause()
        assert "bulk" not in frame(app)
        assert "PAUSED 7s" in frame(app)

        await pilot.press("p")
        assert "bulk" in frame(app)


async def test_what_changes_is_shown() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        source_of(app).replace(states.degraded())
        await pilot.pause()

        assert "bulk" in frame(app)


@pytest.mark.parametrize(
    ("titles", "key"),
    [("R/s", "i"), ("R p99", "l"), ("ASYNC R", "q"), ("CKSUM", "x"), ("ALLOC", "s"), ("SERIAL", "d")],
)
async def test_columns_change_by_key(titles: str, key: str) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", key)

        assert titles in frame(app)


async def test_the_tree_keeps_its_order_until_the_user_sorts() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        before = [row.split(" ")[-1] for row in frame(app).split("\n")]
        pool = states.pool_state(states.tank(), samples=(states.sample(states.tank(), slow="ZL2F0D02"),))
        source_of(app).replace(states.host("storage1", pool))
        await pilot.pause()
        names = [line[:24] for line in frame(app).split("\n")[3:]]
        assert len(before) == len(frame(app).split("\n"))
        assert [i for i, name in enumerate(names) if "0C44" in name] < [
            i for i, name in enumerate(names) if "0D02" in name
        ]

        for _ in range(7):
            await pilot.press("o")
        assert "▲R ms" in frame(app)
        names = [line[:24] for line in frame(app).split("\n")]
        order = [name for name in names if "0C44" in name or "0D02" in name]
        assert "0D02" in order[0]


async def test_the_interval_changes_in_steps_and_reaches_the_collectors() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("minus")
        assert 2.0 == source_of(app).interval_s
        assert "every 2 s" in frame(app)

        await pilot.press("plus", "plus", "plus")
        assert 0.5 == source_of(app).interval_s


async def test_r_reads_anew_and_on_a_lost_host_tries_that_one() -> None:
    app = make_app(states.degraded(), states.down())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await pilot.press("down", "down", "down", "r")
        await pilot.press("down", "r")

        assert ["storage1", None, "storage2"] == [source_of(app).refreshed[at] for at in (0, 1, 2)]


async def test_an_unknown_host_key_is_asked_about_once_and_yes_in_full_accepts_it() -> None:
    app = make_app(states.unknown_key())
    fingerprint = states.unknown_key().link.fingerprint

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert HostKeyDialog is type(app.screen)
        assert fingerprint in frame(app)

        await by_hand(pilot, "yes")
        await pilot.press("enter")
        assert [("storage3", fingerprint)] == source_of(app).accepted
        assert PoolsScreen is type(app.screen)


@pytest.mark.parametrize(
    "answer", [["enter"], ["escape"], ["y", "enter"], [*"ye", "enter"], [*"no", "enter"]]
)
async def test_anything_but_yes_is_no(answer: list[str]) -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*answer)

        assert [] == source_of(app).accepted
        assert PoolsScreen is type(app.screen)


async def test_after_a_no_the_question_comes_back_only_when_asked_for() -> None:
    app = make_app(states.unknown_key())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("escape")
        source_of(app).replace(replace(states.unknown_key(), revision=2))
        await pilot.pause()
        assert PoolsScreen is type(app.screen)

        await pilot.press("K")
        assert HostKeyDialog is type(app.screen)


async def test_a_theme_is_previewed_and_escape_puts_back_what_was() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t", "down")
        await pilot.pause()
        assert "high-contrast" == app.paint.theme.name == app.theme

        await pilot.press("escape")
        assert "dark" == app.paint.theme.name

        await pilot.press("t", "down", "enter")
        assert "high-contrast" == app.paint.theme.name


async def test_a_broken_theme_is_listed_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("nonsense")
    app = make_app(states.healthy(), themes=Themes(tmp_path))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")

        assert "mine.toml: not valid TOML" in frame(app)


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


async def test_a_theme_that_does_not_exist_is_told() -> None:
    app = make_app(states.healthy(), config=Config(theme="pink"))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert "there is no theme 'pink'" in frame(app)


async def test_a_host_is_called_what_the_configuration_calls_it() -> None:
    config = Config(hosts=(HostConfig("storage1", "root@10.0.0.7", label="Rack 4", is_production=True),))
    app = make_app(states.healthy(), config=config)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()

        assert frame(app).startswith(" Rack 4 PRODUCTION · 1 pool")


async def test_without_colour_there_is_no_theme_to_choose() -> None:
    app = make_app(states.healthy(), environment={**UTF8, "NO_COLOR": "1"})

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")

        assert "NO_COLOR is set" in frame(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (8, 3), (300, 90)])
async def test_every_size_of_terminal_can_be_lived_with(size: tuple[int, int]) -> None:
    app = make_app(states.degraded(), states.down())

    async with app.run_test(size=size) as pilot:
        for keys in (["enter"], ["escape", "e"], ["escape", "f", "enter"], ["escape", "question_mark"]):
            await pilot.press(*keys, "down", "pagedown", "up")
        await pilot.resize_terminal(100, 30)

        assert await soon(pilot, lambda: all(len(line) <= 100 for line in frame(app).split("\n")))

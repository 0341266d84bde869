"""The command line takes a verb with its object, as `destroy tank/home`, and offers what can be done."""

from __future__ import annotations

import pytest

from tests.ui import plans, states
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import Target, TargetKind, intent
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.command_line.actions_by_verb_and_object import NamedAction, named_actions
from zconsole.ui.command_line.places_and_actions import places
from zconsole.ui.screens.command_records.pool_history import PoolHistoryScreen
from zconsole.ui.screens.findings.finding_screens import FindingsScreen
from zconsole.ui.screens.help import HelpScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZE = (100, 30)


def found(app: ZConsoleApp, query: str) -> list[NamedAction]:
    screen = app.screen
    assert isinstance(screen, ConsoleScreen)
    return named_actions(app, tuple(places(app, screen)), query)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("scrub tank", "Scrub tank"),
        ("SCRUB Tan", "Scrub tank"),
        ("destroy tank/vm2", "Destroy tank/vm2"),
        ("destroy swap", "Destroy tank/swap"),
        ("history tank", "History tank"),
        ("repair tank", "Repair tank"),
        ("datasets tank", "Datasets tank"),
        ("scrub", ""),
        ("scrub nothing-of-this-name", ""),
        ("nothing tank", ""),
    ],
)
async def test_a_verb_and_an_object_name_what_is_possible(query: str, words: str) -> None:
    app = make_app(states.with_datasets())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("D")
        await pilot.pause()
        offered = found(app, query)

        assert words == (offered[0].words if offered else "")
        assert len({(each.words, each.where) for each in offered}) == len(offered)


async def test_a_pool_stands_for_its_disks_where_the_verb_is_of_disks() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        offered = found(app, "replace bulk")

        assert offered
        assert all(each.words.startswith("Replace") and "bulk" in each.where for each in offered)


async def test_enter_plans_it_and_runs_nothing() -> None:
    app = make_app(states.degraded())
    source_of(app).plans[intent("scrub", "bulk")] = plans.scrub()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"scrub", "space", *"bulk", "enter")
        for _ in range(5):
            await pilot.pause()

        assert not isinstance(app.screen, ConsoleScreen), "a question of the action, or its plan"
        assert [] == source_of(app).executed


async def test_a_screen_of_an_object_is_opened() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"history", "space", *"bulk", "enter")
        await pilot.pause()

        assert isinstance(app.screen, PoolHistoryScreen)
        assert " bulk · " in frame(app)


@pytest.mark.parametrize(("typed", "screen"), [("help", HelpScreen), ("silence", FindingsScreen)])
async def test_help_and_the_keys_of_other_screens_are_found(typed: str, screen: type[ConsoleScreen]) -> None:
    """Where nothing that can be silenced is under the cursor, `silence` leads to the findings."""
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *typed, "enter")
        await pilot.pause()

        assert isinstance(app.screen, screen)


async def test_a_disk_is_listed_once_and_found_by_all_of_its_names() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        disks = [each for each in places(app, screen) if each.kind == "disk"]
        named = [name for each in disks for name in (each.name, *each.aliases)]

        assert len(named) == len(set(named))
        assert any(each.aliases for each in disks)
        leaf = next(each for each in disks if each.target is not None)
        assert leaf.target is not None
        assert TargetKind.LEAF is leaf.target.kind
        assert Target(TargetKind.POOL, "bulk", "bulk") in [each.target for each in places(app, screen)]

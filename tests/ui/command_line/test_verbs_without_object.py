"""The command line offers a verb alone on what it fits, says what it takes, and which words may be meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import TargetKind
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.command_line.actions_by_verb_and_object import NamedAction
from zconsole.ui.command_line.names_on_demand import themes
from zconsole.ui.command_line.places_and_actions import actions_for, places
from zconsole.ui.command_line.verbs_without_object import nearest
from zconsole.ui.key_bindings_and_palette import Palette
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZE = (100, 30)


def found(app: ZConsoleApp, query: str) -> list[NamedAction]:
    screen = app.screen
    assert isinstance(screen, ConsoleScreen)
    return actions_for(app, screen, tuple(places(app, screen)), query)


def first(app: ZConsoleApp, query: str) -> str:
    offered = sorted(found(app, query), key=lambda each: -each.score)
    return f"{offered[0].words} {offered[0].where}".rstrip() if offered else ""


async def test_a_verb_alone_is_of_the_row_under_the_cursor() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        assert "Scrub bulk (under the cursor)" == first(app, "scrub")


async def test_a_title_of_two_words_is_no_verb_with_a_part_of_a_name() -> None:
    """`clear errors`, where a dataset has `errors` in its name."""
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        screen = _screen(app)
        known = (*places(app, screen), *(replace(each, name="errors") for each in places(app, screen)))
        offered = sorted(actions_for(app, screen, known, "clear errors"), key=lambda each: -each.score)

    assert "Clear errors bulk (under the cursor)" == f"{offered[0].words} {offered[0].where}"


async def test_a_verb_that_does_not_fit_the_row_is_offered_on_what_it_fits_those_in_trouble_first() -> None:
    """On a pool: Replace is of its disks, and never another action of the pool."""
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        offered = [each for each in found(app, "replace") if each.words.startswith("Replace")]
        known = [each for each in places(app, _screen(app)) if each.target is not None]
        leaves = {each.name for each in known if each.target and each.target.kind is TargetKind.LEAF}

    assert offered
    assert all(each.words.removeprefix("Replace ") in leaves for each in offered)


def _screen(app: ZConsoleApp) -> ConsoleScreen:
    screen = app.screen
    assert isinstance(screen, ConsoleScreen)
    return screen


@pytest.mark.parametrize("typed", ["replace", "roll", "rollback", "hold", "import", "resume", "detach"])
async def test_no_verb_opens_a_menu_with_the_cursor_on_another_action(typed: str) -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *typed, "enter")
        for _ in range(5):
            await pilot.pause()

        assert "Clear errors" not in frame(app)
        assert [] == source_of(app).executed


async def test_a_verb_of_snapshots_leads_to_the_datasets() -> None:
    app = make_app(states.with_datasets())
    async with app.run_test(size=SIZE) as pilot:
        assert "Roll back takes a snapshot: + on Datasets lists those of a dataset" == first(app, "roll")
        await pilot.press("colon", *"roll", "enter")
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)


async def test_a_beginning_of_several_verbs_says_what_each_takes_and_goes_on_in_the_line() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        offered = {each.words: each for each in found(app, "re")}
        assert "takes a device" == offered["Replace"].where

        offered["Replace"].go()
        await pilot.pause()
        assert isinstance(app.screen, Palette)
        assert "replace" in frame(app)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("rollback tank/vm2", "Roll back takes a snapshot: + on Datasets lists those of tank/vm2"),
        ("replace tank/vm2", "Replace takes a device: the screen of the pool lists them"),
        (
            "rollback tank/of-nobody",
            "Roll back takes a snapshot; none that was read is named tank/of-nobody: Enter reads them",
        ),
        ("destory tank/vm2", "Did you mean: destroy tank/vm2"),
        ("theme ligth", "Did you mean: theme light"),
        ("zfs destroy tank/vm2", "Did you mean: destroy tank/vm2"),
        ("zzzz", "Nothing is named zzzz"),
        ("watch", ""),
        ("tank/vm2", ""),
    ],
)
async def test_words_that_name_nothing_are_answered(typed: str, words: str) -> None:
    app = make_app(states.with_datasets())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("D")
        await pilot.pause()
        screen = _screen(app)
        known = (*places(app, screen), *themes(app))

        offered = actions_for(app, screen, known, typed)
        told = f"{offered[0].words} {offered[0].where}".rstrip() if offered else ""

    assert words == told


async def test_an_action_on_a_dataset_that_was_not_read_says_that_nothing_is_planned_yet() -> None:
    """It leads to the datasets, which are read there; it must not look like the plan that was asked for."""
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"destroy", "space", *"tank/vm2", "enter")
        await pilot.pause()

        assert isinstance(app.screen, DatasetsScreen)
        assert "nothing is planned yet: these are read first" in frame(app)
        assert "a on tank/vm2 has Destroy" in frame(app)


async def test_the_name_of_a_tool_in_front_is_left_out() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE):
        assert "Did you mean: status" == first(app, "zpool status")


async def test_what_may_be_meant_is_written_into_the_line_and_not_done() -> None:
    app = make_app(states.with_datasets())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("D")
        await pilot.pause()
        await pilot.press("colon", *"destory", "space", *"tank/vm2", "enter")
        await pilot.pause()

        assert isinstance(app.screen, Palette)
        assert "destroy tank/vm2" == app.screen.query_one(Input).value
        assert [] == source_of(app).executed


def test_known_words_stay_and_nothing_near_is_nothing() -> None:
    assert "" == nearest((), "scrub")
    assert "" == nearest((), "qqqqqq")
    assert "scrub qqqqqq" == nearest((), "scrbu qqqqqq")

"""The files of a snapshot, and what of them is restored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.ui import states
from tests.ui.contents import SNAP, TO_HOME, app_with_contents, give_contents, opened
from tests.ui.frames import frame, make_app, source_of
from tests.ui.test_frames import SIZES
from tests.ui.typists import one_by_one
from zconsole.actions.intent import intent
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.snapshot_diff import DiffScreen
from zconsole.ui.screens.snapshot_files import FilesScreen

SCREENS = {
    "diff": (*TO_HOME, "equals_sign"),
    "diff-open": (*TO_HOME, "equals_sign", "down", "enter", "down", "down", "down"),
    "files": (*TO_HOME, "b", "down", "down", "down"),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_looks_as_it_should(name: str, size: str, golden: Callable[[str, str], None]) -> None:
    app = app_with_contents()

    async with app.run_test(size=SIZES[size]) as pilot:
        for key in SCREENS[name]:
            await pilot.press(key)
            await pilot.pause()

        golden(f"{name}-{size}.txt", frame(app))


async def test_folders_are_entered_and_left() -> None:
    app = app_with_contents()

    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "b", "enter")
        assert f"{SNAP} /docs" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, FilesScreen)
        assert "docs" == app.screen.rows.key
        await pilot.press("equals_sign")
        await pilot.pause()
        assert isinstance(app.screen, DiffScreen)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, DatasetsScreen)

    assert [(SNAP, ""), (SNAP, "docs"), (SNAP, "")] == [each[1:] for each in source_of(app).browsed]


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        (("b", "down", "down"), "budget.ods"),
        (("equals_sign", "down", "enter", "down", "down"), "docs/budget.ods"),
    ],
)
async def test_what_is_under_the_cursor_is_what_is_restored(keys: tuple[str, ...], path: str) -> None:
    app = app_with_contents()

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, *keys, "a")
        assert f"{path} of {SNAP}" in frame(app)
        for _ in range(2):  # the only action, and none of its options
            await pilot.press("enter")
            await pilot.pause()

        assert [("storage1", intent("restore", SNAP, path))] == source_of(app).prepared


async def test_what_came_since_is_nothing_to_restore() -> None:
    app = app_with_contents()

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "equals_sign", "a")

        assert "a restores what the snapshot has" in frame(app)


async def test_a_dataset_without_snapshots_has_nothing_to_look_into() -> None:
    app = app_with_contents()

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("D", "equals_sign")
        await pilot.pause()
        assert "it has no snapshots" in frame(app)


async def test_names_of_hosts_are_never_obeyed() -> None:
    app = app_with_contents()

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "b")
        assert "odd ^[[31m^Jname" in frame(app)


SIZE: Final = (80, 24)


async def test_files_are_left_by_escape_with_a_filter_and_without() -> None:
    app = make_app(states.with_datasets())
    give_contents(source_of(app), "tank/home@2026-11-17")

    async with app.run_test(size=SIZE) as pilot:
        await one_by_one(pilot, "D", "plus", "down", "down", "down", "down", "b")
        assert isinstance(app.screen, FilesScreen)
        await one_by_one(pilot, "slash", "x", "enter", "escape")
        assert isinstance(app.screen, FilesScreen)
        await one_by_one(pilot, "escape")
        assert isinstance(app.screen, DatasetsScreen)

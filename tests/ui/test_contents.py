"""Snapshots from within: what differs, what is in them, and the way from there to a plan."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ui import states
from tests.ui.contents import differences, give_contents, summary
from tests.ui.frames import frame, make_app, source_of
from tests.ui.test_frames import SIZES
from zconsole.actions.intent import intent
from zconsole.base.errors import CommandFailed
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.snapshot_diff import DiffScreen
from zconsole.ui.screens.snapshot_files import FilesScreen

SNAP = "tank/home@2026-11-17"
OLDER = "tank/home@2026-11-01"
TO_HOME = ("D", "plus", "down", "down", "down", "down")
SCREENS = {
    "diff": (*TO_HOME, "d"),
    "diff-open": (*TO_HOME, "d", "down", "enter", "down", "down", "down"),
    "files": (*TO_HOME, "b", "down", "down", "down"),
}


def app_with_contents() -> ZConsoleApp:
    """A file system with two snapshots, the newest of which can be looked into."""
    app = make_app(states.with_datasets())
    give_contents(source_of(app), SNAP)
    return app


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_looks_as_it_should(name: str, size: str, golden: Callable[[str, str], None]) -> None:
    app = app_with_contents()

    async with app.run_test(size=SIZES[size]) as pilot:
        for key in SCREENS[name]:
            await pilot.press(key)
            await pilot.pause()

        golden(f"{name}-{size}.txt", frame(app))


async def opened(app: ZConsoleApp, pilot: object, *keys: str) -> None:
    """Press keys one by one, and let each take effect."""
    for key in (*TO_HOME, *keys):
        await pilot.press(key)  # type: ignore[attr-defined]
        await pilot.pause()  # type: ignore[attr-defined]


async def test_a_snapshot_is_compared_with_now_the_next_and_the_one_before() -> None:
    app = app_with_contents()
    source_of(app).diffs[OLDER, SNAP] = differences(OLDER, SNAP)

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "d", "s", "s")

        assert [
            ("storage1", SNAP, "tank/home"),
            ("storage1", OLDER, SNAP),
            ("storage1", SNAP, "tank/home"),
        ] == (source_of(app).diffed)


async def test_what_is_known_is_shown_while_it_goes_on_and_it_can_be_stopped() -> None:
    app = app_with_contents()
    source_of(app).diffs[SNAP, "tank/home"] = summary(is_done=False)

    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "d")
        assert "goes on, x stops" in frame(app)
        assert "2 added" in frame(app)
        await pilot.press("x")
        await pilot.pause()
        assert "stopped, not complete" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, DatasetsScreen)


async def test_why_it_cannot_be_compared_is_said() -> None:
    app = app_with_contents()
    source_of(app).diffs[SNAP, "tank/home"] = CommandFailed(
        "zfs diff failed", said="permission", hint="allow it"
    )

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "d")

        assert "zfs diff failed · permission · allow it" in frame(app)


async def test_folders_are_entered_and_left() -> None:
    app = app_with_contents()

    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "b", "enter")
        assert f"{SNAP} /docs" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, FilesScreen)
        assert "docs" == app.screen.rows.key
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(app.screen, DiffScreen)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, DatasetsScreen)

    assert [(SNAP, ""), (SNAP, "docs"), (SNAP, "")] == [each[1:] for each in source_of(app).browsed]


@pytest.mark.parametrize(
    ("keys", "path"),
    [(("b", "down", "down"), "budget.ods"), (("d", "down", "enter", "down", "down"), "docs/budget.ods")],
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
        await opened(app, pilot, "d", "a")

        assert "a restores what the snapshot has" in frame(app)


async def test_a_dataset_without_snapshots_has_nothing_to_look_into() -> None:
    app = app_with_contents()

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("D", "d")
        await pilot.pause()
        assert "it has no snapshots" in frame(app)


async def test_names_of_hosts_are_never_obeyed() -> None:
    app = app_with_contents()

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "b")
        assert "odd ^[[31m^Jname" in frame(app)

"""Ctrl+C and Ctrl+Q while a change is in progress: asked first, left only by a further key."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.run import Run, RunState, StepFeed, StepRun
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.leave_console import LeaveDialog

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
OFF = "web01 is off: plan guest-move again to go on, or guest-start to start it as it is defined"
FEED = StepFeed("storage1", ("zfs", "send", "-i", "tank/vm/web01@1", "tank/vm/web01@2"))
MOVE = Run(
    "run-1", "storage1", "move the storage of guest web01 from tank/vm/web01 to bulk/web01", "web01",
    RunState.RUNNING,
    steps=(
        StepRun(("virsh", "-q", "shutdown", "web01"), "done", 0, "", states.NOW - 60, states.NOW - 40),
        StepRun(("zfs", "receive", "-s", "-u", "bulk/web01"), "running", started=states.NOW - 9, fed_by=FEED),
        StepRun(("virsh", "-q", "start", "web01")),
    ),
    started=states.NOW - 61,
    left_off=OFF,
)  # fmt: skip
LEAVING = ("ctrl+c", "ctrl+q", "q")


def app_with(*runs: Run) -> ZConsoleApp:
    return make_app(replace(states.healthy(), runs=runs))


@pytest.mark.parametrize("size", SIZES)
async def test_it_tells_what_leaving_does(size: str, golden: Callable[[str, str], None]) -> None:
    app = app_with(MOVE)
    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        golden(f"leave-{size}.txt", frame(app))


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_the_key_pressed_again_does_not_leave(key: str) -> None:
    app = app_with(MOVE)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key, key, key)
        await pilot.pause()

        assert isinstance(app.screen, LeaveDialog)
        assert 1 == sum(isinstance(each, LeaveDialog) for each in app.screen_stack)
        assert not app._exit
        await pilot.press("escape")
        assert not isinstance(app.screen, LeaveDialog)
        assert not app._exit


async def test_its_own_key_leaves() -> None:
    app = app_with(MOVE)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+c", "l")
        await pilot.pause()
        assert app._exit


@pytest.mark.parametrize("key", LEAVING)
async def test_without_a_change_in_progress_the_key_leaves(key: str) -> None:
    app = app_with(replace(MOVE, state=RunState.DONE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert app._exit


async def test_a_confirmed_plan_that_waits_is_a_change_in_progress() -> None:
    app = app_with()
    ending: Future[Run] = Future()
    app.changes.confirmed("storage1", "scrub tank", ending)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert "it has not begun, and is not run" in frame(app)


async def test_it_closes_once_everything_has_ended() -> None:
    app = app_with(MOVE)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        dialog = app.screen
        assert isinstance(dialog, LeaveDialog)
        source_of(app).replace(replace(states.healthy(), runs=(replace(MOVE, state=RunState.DONE),)))
        dialog._draw()
        await pilot.pause()
        assert not isinstance(app.screen, LeaveDialog)
        assert not app._exit

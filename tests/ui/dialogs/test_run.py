"""The dialog of a run: a stream that goes through, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest

from tests.ui import plans, states
from tests.ui.frames import frame, make_app
from zconsole.model.run import Run, RunState, StepFeed, StepRun, TransferProgress
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.run import RunDialog

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
GIB = 1 << 30
RUNNING = Run(
    "run-1", "storage1", "receive tank/home@c of nas1 into vault/home", "vault/home", RunState.RUNNING,
    steps=(
        StepRun(
            ("zfs", "receive", "-s", "-u", "vault/home"), "running", started=states.NOW - 95,
            fed_by=StepFeed("nas1", plans.receive().steps[0].sender.argv, is_elsewhere=True),  # type: ignore[union-attr]
            moved=TransferProgress(9 * GIB, 26 * GIB, 110 * 1024.0 * 1024, (158.0, 230.0)), can_stop=True,
        ),
    ),
    undo="zfs rollback -r vault/home@b", started=states.NOW - 96,
)  # fmt: skip
CUT = replace(
    RUNNING,
    state=RunState.FAILED,
    words="it did not finish: cannot receive incremental stream: checksum mismatch or incomplete "
    "stream; nas1: zfs send: the connection to nas1 was lost; what was received is kept: "
    "resume-receive vault/home --from nas1 resumes it, abort-receive vault/home discards it",
    steps=(
        replace(
            RUNNING.steps[0],
            state="failed",
            status=1,
            ended=states.NOW,
            said="cannot receive incremental stream: checksum mismatch or incomplete stream.",
        ),
    ),
)


class Stand:
    """A dialog, and what it was asked to stop."""

    def __init__(self, run: Run, *, is_over: bool = False) -> None:
        self.stopped: list[str] = []
        self.ending: Future[Run] = Future()
        if is_over:
            self.ending.set_result(run)
        self.app: ZConsoleApp = make_app(states.healthy())
        self.dialog = RunDialog(
            self.app.paint, self.ending, lambda: run, lambda: states.NOW, self.stopped.append
        )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "run"), [("flowing", RUNNING), ("cut", CUT)])
async def test_a_stream_looks_as_it_should(
    name: str, run: Run, size: str, golden: Callable[[str, str], None]
) -> None:
    stand = Stand(run, is_over=run.state.is_end)
    async with stand.app.run_test(size=SIZES[size]) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        golden(f"run-{name}-{size}.txt", frame(stand.app))


async def test_a_stream_is_stopped_by_its_key() -> None:
    stand = Stand(RUNNING)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        await pilot.press("x")
        await pilot.pause()

    assert ["run-1"] == stand.stopped


@pytest.mark.parametrize("run", [CUT, replace(RUNNING, steps=(replace(RUNNING.steps[0], can_stop=False),))])
async def test_what_is_no_stream_or_over_cannot_be_stopped(run: Run) -> None:
    stand = Stand(run, is_over=run.state.is_end)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        assert "stop; what has come is kept" not in frame(stand.app)
        await pilot.press("x")
        await pilot.pause()

    assert [] == stand.stopped


CHECKING = replace(RUNNING, state=RunState.CHECKING, steps=(replace(RUNNING.steps[0], state="waiting"),))


@pytest.mark.parametrize("is_known", [True, False])
async def test_escape_stops_what_has_sent_nothing_yet(*, is_known: bool) -> None:
    """However soon it comes, and whether or not the run has been told of yet."""
    stand = Stand(CHECKING)
    told = [CHECKING] if is_known else []
    stand.dialog = RunDialog(
        stand.app.paint,
        stand.ending,
        lambda: told[-1] if told else None,
        lambda: states.NOW,
        stand.stopped.append,
    )
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        assert "Esc stop, nothing is sent yet" in frame(stand.app)
        await pilot.press("escape")
        told.append(CHECKING)
        stand.dialog._draw()

        assert ["run-1"] == stand.stopped
        assert stand.app.screen is stand.dialog
        await pilot.press("escape")
        assert ["run-1"] == stand.stopped
        assert stand.app.screen is not stand.dialog


async def test_once_something_was_sent_escape_leaves_it_running() -> None:
    stand = Stand(RUNNING)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        await pilot.press("escape")

        assert [] == stand.stopped
        assert stand.app.screen is not stand.dialog


def shutting_down(*states_of: str) -> Run:
    """A run that destroys a volume behind the shutdown of its guest."""
    steps = (("virsh", "shutdown", "web01"), ("zfs", "destroy", "tank/web01"))
    runs = tuple(StepRun(argv, state) for argv, state in zip(steps, states_of, strict=True))
    return Run("run-3", "storage1", "destroy tank/web01", "tank/web01", RunState.RUNNING, steps=runs)


async def test_while_a_step_runs_a_key_has_none_of_the_further_steps_sent() -> None:
    stand = Stand(shutting_down("running", "waiting"))
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        assert "x send no further step" in frame(stand.app)
        await pilot.press("x")
        await pilot.pause()
        assert "no further step is sent" in frame(stand.app)

    assert ["run-3"] == stand.stopped


async def test_in_the_last_step_there_is_nothing_to_stop() -> None:
    stand = Stand(shutting_down("done", "running"))
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.app.push_screen(stand.dialog)
        await pilot.pause()
        assert "no further step" not in frame(stand.app)
        await pilot.press("x")

    assert [] == stand.stopped

"""Confirmed plans, those that run and those that wait for their turn."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.host.host_state import HostState
from zconsole.model.run import Run, RunState
from zconsole.ui.changes_in_progress import ChangesInProgress
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

RUNS = Run("1", "nas1", "scrub tank", "tank", RunState.RUNNING)


def test_a_plan_waits_until_its_run_begins_and_is_over_with_it() -> None:
    changes, ending = ChangesInProgress(), Future[Run]()
    changes.confirmed("nas1", "scrub tank", ending)
    idle, busy = HostState("nas1"), replace(HostState("nas1"), runs=(RUNS,))

    assert (("nas1", "scrub tank"),) == changes.waiting([idle])
    assert () == changes.waiting([busy])
    assert (RUNS,) == changes.runs([busy])
    ending.set_result(replace(RUNS, state=RunState.DONE))
    assert () == changes.waiting([idle])


def test_a_second_plan_with_the_same_title_waits_behind_the_first() -> None:
    changes = ChangesInProgress()
    for _ in range(2):
        changes.confirmed("nas1", "scrub tank", Future())

    assert (("nas1", "scrub tank"),) == changes.waiting([replace(HostState("nas1"), runs=(RUNS,))])


async def test_a_run_left_in_the_background_has_a_line_on_the_screens_until_it_ends() -> None:
    state = states.degraded()
    app = make_app(replace(state, runs=(replace(RUNS, host=state.host),)))

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "goes on" not in frame(app)  # another console's: nothing was confirmed here

        app.changes.confirmed(state.host, RUNS.title, Future())
        for screen in ("pools", "pool"):
            front = app.screen
            assert isinstance(front, ConsoleScreen)
            front.draw()
            assert "─ 1 run goes on: scrub tank J " in frame(app), screen
            await pilot.press("enter")
            await pilot.pause()

        source_of(app).replace(state, now=states.NOW, monotonic=states.TICKS)
        front = app.screen
        assert isinstance(front, ConsoleScreen)
        front.draw()
        assert "goes on" not in frame(app)

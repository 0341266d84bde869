"""Confirmed plans, those that run and those that wait for their turn."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.host.host_state import HostState
from zconsole.model.journal import Entry
from zconsole.model.run import Run, RunState, StepRun
from zconsole.ui.changes_in_progress import ChangesInProgress
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.screens.journal import EntryScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen


def journaled(run: Run) -> Entry:
    """The entry of a run."""
    return replace(
        states.entries()[0], id=run.id, host=run.host, title=run.title, state=run.state, ended=None
    )


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
        for screen in ("pools", "pool", "latency"):
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


async def test_a_run_left_in_the_background_is_opened_again_from_every_screen_and_stopped() -> None:
    state, ending = states.degraded(), Future[Run]()
    steps = (StepRun(("zpool", "scrub", "tank"), "running", started=states.NOW), StepRun(("zpool", "sync")))
    run = replace(RUNS, host=state.host, steps=steps, started=states.NOW)
    app = make_app(replace(state, runs=(run,)))
    source = source_of(app)
    source.entries = (journaled(run),)

    async with app.run_test(size=(80, 24)) as pilot:
        app.changes.confirmed(state.host, run.title, ending)
        for key in ("d", "f", "!"):
            await pilot.press(key, "J")
            await pilot.pause()
            assert "It goes on: Enter shows it live" in frame(app), key

            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(app.screen, RunDialog), key
            await pilot.press("escape", "escape", "escape")
            await pilot.pause()

        await pilot.press("J", "enter", "x")
        await pilot.pause()
        assert [run.id] == source.stopped
        assert "no further step is sent" in frame(app)

        ending.set_result(replace(run, state=RunState.DONE))
        await pilot.press("enter")
        await pilot.pause()
        assert not isinstance(app.screen, RunDialog)


async def test_a_run_that_has_ended_is_opened_as_the_journal_has_it() -> None:
    state = states.degraded()
    app = make_app(replace(state, runs=(replace(RUNS, host=state.host, state=RunState.DONE),)))
    source_of(app).entries = (journaled(RUNS),)

    async with app.run_test(size=(80, 24)) as pilot:
        app.changes.confirmed(state.host, RUNS.title, Future())
        await pilot.press("J", "enter")
        await pilot.pause()

        assert isinstance(app.screen, EntryScreen)

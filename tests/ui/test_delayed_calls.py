"""A call that is due later is made, however late the loop comes to it; Textual's own is left out at times."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

import zconsole.ui
from tests.ui import states
from tests.ui.frames import make_app
from zconsole.ui.delayed_calls import Once

LATE_S = 3600.0
SOURCES = sorted(Path(zconsole.ui.__file__).parent.rglob("*.py"))


class Held:
    """A loop that was held up: its clock is later than it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self.by_s = 0.0
        time = loop.time
        monkeypatch.setattr(loop, "time", lambda: time() + self.by_s)

    def up(self, seconds: float) -> None:
        self.by_s += seconds


@pytest.fixture
async def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


async def test_it_is_made_once_and_in_the_turn_of_its_widget(held: Held) -> None:
    app = make_app(states.healthy())
    calls: list[object] = []

    async def call() -> None:
        await asyncio.sleep(0)
        calls.append(asyncio.current_task())

    async with app.run_test() as pilot:
        Once(app.screen, LATE_S, call)
        await pilot.pause()
        assert not calls
        held.up(LATE_S)
        await pilot.pause()
        held.up(10 * LATE_S)
        await pilot.pause()

        assert [app.screen._task] == calls


async def test_it_is_made_however_long_the_loop_was_held_up(held: Held) -> None:
    app = make_app(states.healthy())
    calls: list[str] = []

    async with app.run_test() as pilot:
        for seconds in (0.0, 1e-9, 0.05, 60.0):
            Once(app.screen, seconds, lambda: calls.append("made"))
        held.up(LATE_S)
        await pilot.pause()

        assert ["made"] * 4 == calls


async def test_textual_leaves_one_out_that_is_held_up_as_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it does so no longer, `Once` can go."""
    app = make_app(states.healthy())
    calls: list[str] = []

    async with app.run_test():
        with monkeypatch.context() as slow:
            slow.setattr("textual._time.get_time", itertools.count(0.0, 0.1).__next__)
            timer = app.screen.set_timer(0.05, lambda: calls.append("made"))
            assert timer._task is not None
            await timer._task

        assert not calls


async def test_what_is_stopped_is_not_made_even_when_it_is_due(held: Held) -> None:
    app = make_app(states.healthy())
    calls: list[str] = []

    async with app.run_test() as pilot:
        later = Once(app.screen, 60.0, lambda: calls.append("stopped early"))
        later.stop()

        def stop_it() -> None:
            due.stop()

        Once(app.screen, 60.0, stop_it)
        due = Once(app.screen, 60.0, lambda: calls.append("stopped when due"))
        held.up(LATE_S)
        await pilot.pause()

        assert not calls


async def test_a_widget_that_is_gone_is_not_called(held: Held) -> None:
    app = make_app(states.healthy())
    calls: list[str] = []

    async with app.run_test() as pilot:
        await pilot.press("f")
        await pilot.pause()
        Once(app.screen, 60.0, lambda: calls.append("made"))
        await pilot.press("escape")
        await pilot.pause()
        held.up(LATE_S)
        await pilot.pause()

        assert not calls


async def test_a_remark_goes_away_though_the_loop_was_held_up(held: Held) -> None:
    app = make_app(states.healthy())

    async with app.run_test() as pilot:
        front = app.front()
        assert front is not None
        front.say("first")
        held.up(LATE_S)
        front.say("second")
        await pilot.pause()
        assert front._said
        held.up(LATE_S)
        await pilot.pause()

        assert not front._said


def test_nothing_rests_on_timers_that_may_be_left_out() -> None:
    assert [] == [path.name for path in SOURCES if ".set_timer(" in path.read_text()]

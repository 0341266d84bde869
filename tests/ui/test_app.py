"""The app and its end."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from textual.app import ScreenStackError

from tests.ui import states
from tests.ui.frames import make_app, source_of
from zconsole.ui import app as app_module
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.delayed_calls import Once
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import line

TERMINATED = 143


async def test_a_delayed_call_that_finds_no_screen_while_the_app_ends_is_no_error() -> None:
    app, called = make_app(states.healthy()), asyncio.Event()

    def call() -> None:
        called.set()
        app.exit(return_code=TERMINATED)
        screens = app._screen_stacks["_default"]
        app._screen_stacks["_default"] = []
        try:
            app._catch_up()
        finally:
            app._screen_stacks["_default"] = screens

    async with app.run_test():
        Once(app, 0.0, call)
        await called.wait()

    assert TERMINATED == app.return_code
    assert app._exception is None


async def test_the_same_while_it_runs_ends_it_with_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(states.healthy())
    reported: list[object] = []
    monkeypatch.setattr(app, "_fatal_error", lambda: reported.append(app._exception))
    error = ScreenStackError("No screens on stack")

    with pytest.raises(ScreenStackError):
        async with app.run_test():
            app._handle_exception(error)

    assert [error] == reported
    assert 1 == app.return_code


async def test_little_is_parsed_and_drawn_for_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[View] = []
    page = PoolsScreen.page

    def counted(screen: PoolsScreen, view: View) -> Page:
        drawn.append(view)
        return page(screen, view)

    monkeypatch.setattr(PoolsScreen, "page", counted)
    app = make_app(states.healthy())

    async with app.run_test(size=(80, 24)):
        sheets = {name: len(source.content) for name, source in app.stylesheet.source.items()}

        assert sum(sheets.values()) <= 3800, sheets
        assert len(drawn) <= 2


class Clock:
    """The monotonic clock of the app."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def drawings(app: ZConsoleApp, clock: Clock, seconds: int) -> int:
    """How often time alone has the screen drawn in so many seconds."""
    before = app._drawn_at
    count = 0
    for _ in range(seconds):
        clock.now += 1.0
        app._age()
        count, before = count + (app._drawn_at != before), app._drawn_at
    return count


async def test_a_screen_at_rest_is_drawn_seldom_until_something_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(app_module, "monotonic", clock)
    app = make_app(states.healthy())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        drawings(app, clock, 10)
        at_rest = drawings(app, clock, 60)
        app.on_store_changed()
        await pilot.pause()
        after = drawings(app, clock, app_module.AT_REST_AFTER)

    assert 12 == at_rest
    assert app_module.AT_REST_AFTER - 1 <= after


@pytest.mark.parametrize("place", ["overdue", "counting"])
async def test_what_is_overdue_and_what_counts_seconds_is_drawn_each_second(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(app_module, "monotonic", clock)
    app = make_app(states.healthy())
    source = source_of(app)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        if place == "overdue":
            source.replace(states.healthy(), monotonic=states.TICKS + 100.0)
            await pilot.pause()
        front = app.front()
        assert isinstance(front, PoolsScreen)
        drawn = 0
        for second in range(30):
            clock.now += 1.0
            if place == "counting":
                monkeypatch.setattr(front, "paused_words", partial(line, f"PAUSED {second}s"))
                front.frozen = front.view
            before = app._drawn_at
            app._age()
            drawn += app._drawn_at != before

    assert 30 == drawn

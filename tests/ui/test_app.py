"""The app and its end."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import ScreenStackError

from tests.ui import states
from tests.ui.frames import make_app
from zconsole.ui.delayed_calls import Once
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page

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

"""A host takes its time: what is seen meanwhile, and what becomes of the question."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import HostUnreachable
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs import please_wait
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.please_wait import WaitDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog
from zconsole.ui.screens.pools import PoolsScreen

TRIES = 500


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Future[Plan]]:
    """A plan that is not made yet; nobody has patience, and looks often."""
    monkeypatch.setattr(please_wait, "PATIENCE_S", 0.0)
    monkeypatch.setattr(please_wait, "TICK_S", 0.001)
    return Future()


@pytest.fixture
def app(asked: Future[Plan], monkeypatch: pytest.MonkeyPatch) -> ZConsoleApp:
    made = make_app(states.healthy())
    monkeypatch.setattr(source_of(made), "prepare", lambda _host, _wanted: asked)
    return made


async def until(pilot: Pilot[object], app: ZConsoleApp, kind: type[object]) -> None:
    """Wait for a screen."""
    for _ in range(TRIES):
        await pilot.pause()
        if isinstance(app.screen, kind):
            return
    raise AssertionError(app.screen)


async def test_who_waits_sees_for_what_and_then_the_answer(app: ZConsoleApp, asked: Future[Plan]) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.carry_out("storage1", intent("scrub", "tank"))
        await until(pilot, app, WaitDialog)
        assert "reading storage1 for the plan" in frame(app)
        assert "Esc do not wait for it" in frame(app)

        asked.set_result(plans.scrub())

        await until(pilot, app, PlanDialog)


async def test_who_does_not_wait_withdraws_the_question(app: ZConsoleApp, asked: Future[Plan]) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.carry_out("storage1", intent("scrub", "tank"))
        await until(pilot, app, WaitDialog)

        await pilot.press("escape")

        await until(pilot, app, PoolsScreen)
        assert asked.cancelled()


async def test_an_error_that_comes_late_is_told(app: ZConsoleApp, asked: Future[Plan]) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.carry_out("storage1", intent("scrub", "tank"))
        await until(pilot, app, WaitDialog)

        asked.set_exception(HostUnreachable("storage1 does not answer"))

        await until(pilot, app, TellDialog)
        assert "storage1 does not answer" in frame(app)

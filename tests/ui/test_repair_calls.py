"""Calls on repairs: a line that stays on every screen, until the repair was looked at."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.journal import Entry
from zconsole.storage.journal import JournalError
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.repair import RepairScreen

SIZE = (80, 24)


async def test_the_line_stays_on_every_screen_until_the_repair_is_opened() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        app.repairs.tick(app.view())
        await pilot.pause()
        app.repairs.tick(app.view())
        source_of(app).replace(states.replaced(), now=states.NOW + 1, monotonic=states.TICKS + 1)
        app.repairs.tick(app.view())
        await pilot.pause()
        assert "R bulk: the resilver ended" in frame(app)

        await pilot.press("enter")
        assert "R bulk: the resilver ended" in frame(app)
        await pilot.press("escape", "f")
        assert "R bulk: the resilver ended" in frame(app)

        await pilot.press("escape", "end", "R")
        await pilot.pause()
        assert isinstance(app.screen, RepairScreen)
        assert "R bulk" not in frame(app)
        await pilot.press("escape")
        assert "R bulk" not in frame(app)


async def test_a_journal_that_cannot_be_read_hides_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(states.degraded())
    broken: Future[tuple[Entry, ...]] = Future()
    broken.set_exception(JournalError("damaged"))
    monkeypatch.setattr(source_of(app), "journal", lambda: broken)

    async with app.run_test(size=SIZE) as pilot:
        app.repairs.tick(app.view())
        await pilot.pause()

        assert app.repairs.watch.knows_past


async def test_a_host_in_which_all_is_well_costs_nothing() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        app.repairs.tick(app.view())
        await pilot.pause()

        assert app.repairs._watch is None
        assert isinstance(app.screen, PoolsScreen)

"""Calls on repairs: a line that stays on every screen, until the repair was looked at."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace

import pytest

from tests.analysis import build
from tests.analysis.build import disk, group, host, pool
from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Scan
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


async def test_at_the_next_start_the_line_says_what_ended_while_no_console_was_open() -> None:
    mirror = group("mirror-0", disk("new", guid=2), disk("kept", guid=3))
    scan = Scan("resilver", "finished", int(build.NOW - 4000), int(build.NOW - 60), 100.0, errors=0)
    app = make_app(host(pool(mirror, scan=scan)))
    run = states.entries()[0]
    source_of(app).entries = (
        replace(
            run,
            host="nas1",
            action="replace",
            intent='{"target": "tank", "arguments": ["1", "/dev/disk/by-id/new"]}',
            target="ata-old",
            started=build.NOW - 4010,
            ended=build.NOW - 4005,
        ),
    )
    source_of(app).replace(*source_of(app).newest(), now=build.NOW, monotonic=1.0)

    async with app.run_test(size=SIZE) as pilot:
        app.repairs.tick(app.view())
        await pilot.pause()
        app.repairs.tick(app.view())
        await pilot.pause()

        assert "R tank: while you were away the resilver ended " in frame(app)
        await pilot.press("R")
        assert "7 after-care  now" in frame(app)

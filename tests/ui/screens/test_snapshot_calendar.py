"""The calendar of snapshots."""

from __future__ import annotations

import pytest

from tests.ui.frames import frame
from tests.ui.many_snapshots import TRIES, app_with_many_snapshots
from tests.ui.trees import seen
from zconsole.ui.app import ZConsoleApp


@pytest.fixture
def app() -> ZConsoleApp:
    return app_with_many_snapshots()


async def test_the_calendar_reads_when_they_were_taken(app: ZConsoleApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "K")

        assert await seen(pilot, app, "tank/d00 calendar", TRIES)
        assert "2000 snapshots" in frame(app)

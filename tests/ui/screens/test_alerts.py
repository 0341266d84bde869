"""The Alerts screen: Enter goes to what an alert is about."""

from __future__ import annotations

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.model.finding import Severity
from zconsole.ui.screens.alerts import AlertsScreen
from zconsole.ui.screens.guests.guest_screens import GuestsScreen
from zconsole.ui.screens.journal import JournalScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.repair import RepairScreen
from zconsole.views.alerts.console_calls import ConsoleCall


def call(name: str, pool: str = "bulk") -> ConsoleCall:
    return ConsoleCall(1, states.NOW, "storage1", pool, "words", "warn", Severity.WARNING, name)


@pytest.mark.parametrize(
    ("screen", "name", "pool"),
    [
        (PoolScreen, "pool-degraded", "bulk"),
        (GuestsScreen, "guest-paused-io-error", "bulk"),
        (JournalScreen, "run-ended", "bulk"),
        (RepairScreen, "repair", "bulk"),
        (AlertsScreen, "link-lost", ""),
        (AlertsScreen, "pool-degraded", "gone"),
    ],
)
async def test_enter_goes_to_it(screen: type[object], name: str, pool: str) -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=(80, 24)) as pilot:
        app.alerts.calls = (call(name, pool),)
        await pilot.press("exclamation_mark", "enter")
        await pilot.pause()

        assert isinstance(app.screen, screen)
        assert app.alerts.calls[0].is_seen
        if screen is AlertsScreen:
            assert "has no screen of its own now" in frame(app)

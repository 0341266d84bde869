"""The Alerts screen: Enter goes to what an alert is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.hosts.helpers import until
from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.model.alert import AlertPhase
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


def some() -> tuple[ConsoleCall, ...]:
    """Calls of each kind: seen, over, of a repair, of a run, of an earlier console."""
    told = (
        ("tank", "tank: S6ESNX0T400118 has 3 read errors", "warn", Severity.WARNING, "device-errors"),
        ("bulk", "bulk: no redundancy left in raidz2-0", "bad", Severity.CRITICAL, "vdev-no-redundancy"),
        ("vault", "vault: scrub finished, no errors", "info", Severity.INFO, "scan-finished"),
        (
            "",
            "the link to storage1 was lost: no answer for 5 s",
            "bad",
            Severity.CRITICAL,
            "link-lost",
        ),
        ("bulk", "bulk: destroy 14 snapshots ended: done", "info", Severity.INFO, "run-ended"),
        (
            "bulk",
            "bulk: the resilver onto ZL2H7715 is complete; next: take ZL2F0A91 out of bay 7, and clear",
            "warn",
            Severity.WARNING,
            "repair",
        ),
    )
    calls = [
        ConsoleCall(number, states.NOW - (7 - number) * 600, "storage1", *each)
        for number, each in enumerate(told, start=1)
    ]
    old = replace(calls[0], at=states.NOW - 90_000, is_from_before=True)
    return (old, replace(calls[1], phase=AlertPhase.OVER), replace(calls[2], is_seen=True), *calls[3:])


@pytest.mark.parametrize("size", ["80x24", "160x50"])
async def test_it_looks_as_it_should(size: str, golden: Callable[[str, str], None]) -> None:
    app = make_app(states.degraded())
    columns, rows = map(int, size.split("x"))

    async with app.run_test(size=(columns, rows)) as pilot:
        await until(app.alerts.not_called_for)
        await pilot.press("exclamation_mark")
        await pilot.pause()
        golden(f"alerts-none-{size}.txt", frame(app))

        app.alerts.calls = some()
        app.draw()
        await pilot.pause()
        golden(f"alerts-{size}.txt", frame(app))


@pytest.mark.parametrize("key", ["z", "Z"])
async def test_what_held_before_is_acknowledged_like_an_alert(key: str) -> None:
    """A critical finding cannot be silenced, and is sent here: also one that nobody was called for."""
    app = make_app(states.degraded())

    async with app.run_test(size=(160, 50)) as pilot:
        await until(app.alerts.not_called_for)
        await pilot.press("exclamation_mark")
        await pilot.pause()
        held = app.alerts.not_called_for()
        assert {False} == {each.is_seen for each in held}
        await pilot.press("g", key)
        await pilot.pause()

        seen = [each.is_seen for each in app.alerts.not_called_for()]
        assert all(seen) if key == "Z" else 1 == sum(seen), seen
        assert re.search(r"before +critical +storage1 +yes", frame(app))

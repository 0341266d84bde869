"""The repair screen: it follows the host, plans what a step offers, and stops loudly."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui.screens.findings import FindingScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.repair import RepairScreen

SIZE = (80, 24)


async def test_from_a_finding_enter_leads_to_its_evidence_and_then_to_the_repair() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f", "enter")
        assert isinstance(app.screen, FindingScreen)
        await pilot.press("enter")
        assert isinstance(app.screen, RepairScreen)
        assert "repair bulk raidz2-0" in frame(app)
        await pilot.press("escape", "escape", "R")
        assert isinstance(app.screen, RepairScreen)


async def test_a_pool_without_a_repair_says_so_and_stays_where_it_is() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R")

        assert isinstance(app.screen, PoolsScreen)
        assert "no device of tank needs a repair" in frame(app)

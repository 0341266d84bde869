"""What planning sessions of tests rest on: a pool with a year behind it; and how to wait for answers."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.ui import states
from tests.ui.frames import source_of
from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.trend import trend
from zconsole.model.forecast import (
    DatasetGrowth,
    Forecast,
    GrowingDatasets,
    HistorySource,
    Outlook,
    SpaceHistory,
)
from zconsole.model.pools.space_samples import DatasetUse
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.capacity_planner import PlannerScreen

GIB = states.GIB
TIB = states.TIB
GROWS = 10 * GIB  # a day
TRIES, TRY_EVERY_S = 600, 0.02


def outlook(*, is_empty: bool = False) -> Outlook:
    """Of the healthy pool `tank`."""
    pool = states.tank()
    used, usable = pool.usable_used_bytes or 0, pool.usable_bytes or 0
    if is_empty:
        nothing = "nothing is known of how full it was before"
        return Outlook(Forecast("storage1", "tank", states.NOW, used, usable, too_little=nothing))
    points = tuple((states.NOW - day * DAY_S, float(used - day * GROWS)) for day in range(300, -1, -2))
    history = SpaceHistory(HistorySource.SAMPLES, points, ("151 samples that zconsole took",))
    growing = GrowingDatasets(states.NOW - 90 * DAY_S, (DatasetGrowth("tank/home", 7.0 * GIB, 2.0 * GIB),))
    found = Forecast(
        "storage1", "tank", states.NOW, used, usable, history,
        trend(history, now=states.NOW, used=used, usable=usable), growing=growing,
    )  # fmt: skip
    uses = (DatasetUse("tank", 100_000, 0), DatasetUse("tank/home", 5 * TIB, 800 * GIB))
    return Outlook(found, uses)


def give_outlook(app: ZConsoleApp, found: Outlook | Exception | None = None) -> None:
    """What the source says of `tank`."""
    source_of(app).outlooks["storage1", "tank"] = found if found is not None else outlook()


async def settle(pilot: Pilot[None]) -> PlannerScreen:
    """Wait until the session has worked out all that was typed."""
    for _ in range(TRIES):
        await pilot.pause(TRY_EVERY_S)
        screen = next(each for each in pilot.app.screen_stack if isinstance(each, PlannerScreen))
        if screen.is_settled and screen.rows_kept:
            await pilot.pause()
            return screen
    raise AssertionError("it is never worked out")

"""A failed disk from the finding to verified redundancy, by keys on a practice host with a shelf."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.administrator import called_at_night
from zconsole.model.exercise import Pull


@pytest.mark.slow
async def test_a_failed_disk_is_repaired_by_keys_alone_from_the_finding_to_the_report(tmp_path: Path) -> None:
    async with called_at_night("failed-disk") as admin:
        await admin.press("f")
        await admin.sees("no redundancy left in mirror-0")
        await admin.press("enter", "enter")
        await admin.sees("repair tank mirror-0 · ZC13A0R7 (bay 2) has failed", "2 identify now")

        await admin.plans("locate LED", "ZC13A0R7")
        await admin.sees("3 take out now: pull ZC13A0R7")
        await admin.at_the_rack("2")
        await admin.sees("3 take out done", "4 new disk now")
        await admin.at_the_rack("2", "ZC17K2M4")
        await admin.sees("4 new disk done: ZC17K2M4", "5 replace unavailable")

        admin.clock.skip(3600)
        await admin.sees("5 replace now", "replace ZC13A0R7 (was in bay 2) with ZC17K2M4")
        await admin.plans("replace", "ZC13A0R7")
        await admin.sees("6 resilver now")
        await admin.press("escape", "escape")
        admin.clock.skip(7200)
        await admin.sees("R tank: the resilver ended; next: after-care")

        await admin.press("R")
        shown = await admin.sees("7 after-care now")
        assert "R tank" not in shown
        if "clear the counters" in shown:
            await admin.plans("zpool clear")
        await admin.sees("▸ scrub tank")
        await admin.plans("zpool scrub")
        await admin.sees("✓ ZC13A0R7 of mirror-0: the scrub")
        await admin.press("W")
        await admin.sees("A new file")
        await admin.press("ctrl+u", *str(tmp_path / "report.md"), "enter")
        await admin.sees("written to")

        told = (tmp_path / "report.md").read_text()
        assert "ZC13A0R7" in told
        assert "ZC17K2M4" in told
        assert "zpool replace tank" in told
        assert told.startswith("# ZC13A0R7 (was in bay 2) in tank mirror-0 was replaced")
        assert "ZC13A0R7 was pulled from bay 2 with its locate LED on" in await admin.is_debriefed()


@pytest.mark.slow
async def test_a_failed_disk_is_located_and_replaced_with_twelve_keys() -> None:
    """From the first screen until the resilver has ended; after-care, a scrub, is not of them."""
    async with called_at_night("failed-disk") as admin:
        before = admin.keys
        await admin.press("R")
        await admin.sees("ZC13A0R7 (bay 2) has failed", "2 identify now")
        await admin.plans("locate LED", "ZC13A0R7")
        await admin.at_the_rack("2")
        await admin.sees("3 take out done")
        await admin.at_the_rack("2", "ZC17K2M4")
        await admin.sees("4 new disk done: ZC17K2M4")
        admin.clock.skip(3600)
        await admin.sees("5 replace now", "with ZC17K2M4")
        await admin.plans("replace", "ZC13A0R7")
        await admin.sees("6 resilver now")
        admin.clock.skip(7200)
        await admin.sees("6 resilver done", "7 after-care now")

        assert 12 >= admin.keys - before


@pytest.mark.slow
async def test_a_sound_disk_that_is_pulled_while_a_plan_is_open_is_told_in_the_plan_itself() -> None:
    async with called_at_night("failed-disk") as admin:
        await admin.press("R")
        await admin.sees("2 identify now")
        await admin.press("enter")
        await admin.sees("LOST", "locate LED")

        admin.exercise.do(Pull(4))

        await admin.sees("STOP", "ZC13A1JN", "This plan is of before", "F5:")

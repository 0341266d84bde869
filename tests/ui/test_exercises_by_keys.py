"""Each exercise by the keys of the console, from the briefing to its debriefing: nothing risky, nothing left.

`failed-disk` is played in test_repair_journey.py, with the report.
"""

from __future__ import annotations

import pytest

from tests.ui.administrator import Administrator, called_at_night, opened
from zconsole.model.exercise import RemarkKind

pytestmark = pytest.mark.slow
NEW, OTHER = "ZC17K2M4", "ZC17K2P9"


async def verified(admin: Administrator, told: str = ": the scrub") -> None:
    """The after-care: clear where errors are counted, and a scrub; what is told then."""
    shown = await admin.sees("7 after-care now")
    if "▸ clear" in shown:
        await admin.plans("zpool clear")
    await admin.sees("▸ scrub tank")
    await admin.plans("zpool scrub")
    await admin.sees("✓", told)


async def lit(admin: Administrator, serial: str) -> None:
    """The locate LED, by its key."""
    await admin.press("l")
    await admin.confirms("locate", serial)


async def test_a_slow_disk() -> None:
    async with opened("slow-disk") as admin:
        admin.clock.skip(300)
        await admin.sees("1 slow disk")
        await admin.press("R")
        await admin.sees("ZC13A1JN (bay 4)", "4 new disk now")
        await admin.at_the_rack("7", NEW)
        await admin.sees("5 replace now", f"with {NEW}")
        await admin.plans("replace", "ZC13A1JN")
        await lit(admin, "ZC13A1JN")
        admin.clock.skip(20_000)
        await admin.sees("7 after-care now")
        await admin.at_the_rack("4")
        await verified(admin)

        assert "ZC13A1JN stayed in use until its replacement was complete" in await admin.is_debriefed()


async def test_the_wrong_disk_pulled() -> None:
    async with called_at_night("wrong-disk-pulled") as admin:
        await admin.press("R")
        await admin.sees("STOP", "Put back ZC13A1JN")
        await admin.sees("take out unavailable")
        await admin.at_the_rack("4", "ZC13A1JN")
        shown = await admin.sees("ZC13A11M (bay 3) has failed", "2 identify now")
        assert "STOP" not in shown
        await admin.plans("locate LED", "ZC13A11M")
        await admin.at_the_rack("3")
        await admin.sees("3 take out done")
        await admin.at_the_rack("3", NEW)
        await admin.sees("5 replace now")
        await admin.plans("replace", NEW)
        admin.clock.skip(20_000)
        await verified(admin)

        assert "ZC13A1JN was put back: ZFS had little to resilver" in await admin.is_debriefed()


async def test_a_second_failure() -> None:
    async with called_at_night("second-failure") as admin:
        await admin.press("R")
        await admin.sees("ZC13B0T4", "2 identify now")
        await admin.plans("locate LED", "ZC13B0T4")
        await admin.at_the_rack("5")
        await admin.sees("3 take out done")
        await admin.at_the_rack("5", NEW)
        await admin.sees("5 replace now")
        await admin.plans("replace", "ZC13B0T4")
        admin.clock.skip(20_000)
        await admin.sees("ZC13A01K", "2 identify now")
        await admin.plans("locate LED", "ZC13A01K")
        await admin.at_the_rack("1")
        await admin.sees("3 take out done")
        await admin.at_the_rack("1", OTHER)
        await admin.sees("5 replace now")
        await admin.plans("replace", "ZC13A01K")
        admin.clock.skip(20_000)
        await verified(admin)

        assert "ZC13A01K was pulled from bay 1 with its locate LED on" in await admin.is_debriefed()


async def test_a_new_disk_that_is_too_small() -> None:
    async with opened("new-disk-too-small") as admin:
        await admin.press("R")
        await admin.sees("ZC13A01K (bay 1) is failing", "4 new disk now", "at least 4.00 TB (3.64 TiB)")
        await admin.at_the_rack("5", "ZA20C9XV")
        await admin.sees("5 replace now", "with ZA20C9XV")
        await admin.plans("replace", "ZC13A01K")
        await lit(admin, "ZC13A01K")
        admin.clock.skip(20_000)
        await admin.sees("7 after-care now")
        await admin.at_the_rack("1")
        await verified(admin)

        assert "ZC13A01K stayed in use until its replacement was complete" in await admin.is_debriefed()


async def test_a_bad_cable() -> None:
    async with opened("cable") as admin:
        admin.clock.skip(120)
        await admin.press("R")
        await admin.sees("4 disks (bays 5-8): cable or controller", "check what bays 5-8 share")
        await admin.at_the_rack("cable B")
        await admin.sees("cable B is changed")
        admin.clock.skip(60)
        await admin.press("down")
        await admin.plans("zpool clear")
        await verified(admin, "✓ tank: nothing is left to do")

        assert "cable B was changed before any disk" in await admin.is_debriefed()


async def test_a_full_pool() -> None:
    async with opened("full-pool") as admin:
        await admin.sees("0 B left")
        await admin.press("V")
        await admin.sees("2 paused by an I/O error")
        await admin.press("F")
        await admin.sees("How much is needed?")
        await admin.press(*"500G", "enter")
        await admin.sees("Free 500 GiB in tank: the oldest 2 snapshots of 2 datasets free 640 GiB")
        await admin.press("enter")
        await admin.does(
            "tank/vm/images@before-migration",
            "tank/vm/shop01@before-upgrade",
            then=["640 GiB more than before"],
        )
        await admin.sees("mail01", "shop01")
        for name in ("mail01", "shop01"):
            await admin.press("home", "u")  # the first is one in trouble
            await admin.does("virsh", f"resume guest {name}")
            await admin.sees(f"{name} running")
        await admin.sees("2 running")

        await admin.at_the_rack("debriefing")
        await admin.sees("All guests run again")
        remarks = admin.exercise.state().remarks
        assert [RemarkKind.GOOD] * 3 == [each.kind for each in remarks]
        assert admin.keys <= 30

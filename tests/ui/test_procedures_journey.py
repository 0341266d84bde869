"""Procedures on sound vdevs by keys on a practice host with a shelf: larger disks, a mirror."""

from __future__ import annotations

import pytest

from tests.ui.administrator import Skipping, at_the_console, console_on
from zconsole.model.exercise import Insert, Pull
from zconsole.practice import PracticeHost
from zconsole.practice.exercises.catalogue import open_script
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Beat, Fails, Script

TABLE = (("ZA20C9XV", "6T"), ("ZA20C9YA", "6T"))
SMALL = Script("larger-disks", "tank is nearly full, and two larger disks came.", "mirror 1 2", TABLE, ())
LONE = Script("lone-disk", "tank has a single disk.", "1", (("ZC17K2M4", "4T"),), ())
COLD = Script(
    "cold", "A disk of tank has failed.", "mirror 1 2", (("ZC17K2M4", "4T"),), (Beat(Fails(2, 14, 486)),)
)
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_both_disks_of_a_mirror_give_way_to_larger_ones_and_the_pool_grows(
    size: tuple[int, int],
) -> None:
    async with at_the_console(SMALL, size) as admin:
        await admin.sees("tank ONLINE")
        await admin.press("enter")
        await admin.sees("mirror-0")
        await admin.press("down", "R")
        await admin.sees("step by step", "larger disks")
        await admin.press("enter")
        await admin.sees("is to be replaced by a larger", "4 new disk now: no unused disk")

        for bay, new, old in ((3, "ZA20C9XV", "ZC13A01K"), (4, "ZA20C9YA", "ZC13A0R7")):
            await admin.at_the_rack(str(bay), new)
            await admin.sees("5 replace now", f"replace {old}", f"with {new}")
            await admin.plans("replace", old)
            await admin.sees("6 resilver now")
            admin.clock.skip(8 * 3600)
        await admin.sees("7 after-care now", "expand mirror-0 to the full size")
        await admin.plans("online -e")
        await admin.sees("tank has grown by", "scrub tank")
        await admin.plans("zpool scrub")
        await admin.sees("after-care done")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_single_disk_gets_a_mirror_that_is_verified(size: tuple[int, int]) -> None:
    async with at_the_console(LONE, size) as admin:
        await admin.sees("tank ONLINE")
        await admin.press("enter")
        await admin.sees("ZC13A01K")
        await admin.press("down", "R")
        await admin.sees("step by step", "mirror this disk")
        await admin.press("end", "enter")
        await admin.sees("is to be mirrored", "if it fails, tank is lost", "4 new disk now")

        await admin.at_the_rack("2", "ZC17K2M4")
        await admin.sees("5 attach now", "attach ZC17K2M4 to ZC13A01K")
        await admin.plans("zpool attach")
        await admin.sees("6 resilver now", "ZFS copies the data to ZC17K2M4")
        admin.clock.skip(8 * 3600)
        await admin.sees("mirror-0 is a mirror", "7 after-care now", "scrub tank")
        await admin.plans("zpool scrub")
        await admin.sees("after-care done")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_without_hot_swap_the_host_is_shut_down_and_after_the_boot_it_goes_on(
    size: tuple[int, int],
) -> None:
    clock = Skipping()
    host = open_script(COLD, clock)
    async with console_on(host, clock, size) as admin:
        await admin.sees("tank DEGRADED")
        await admin.press("R")
        await admin.sees("ZC13A0R7 (bay 2) has failed", "identify now")
        await admin.press("B")
        await admin.sees("3 take out now", "shutdown -h now", "ZC13A0R7 (bay 2) for the new disk")

    with_swapped_disk(host)
    async with console_on(host, clock, size) as admin:
        await admin.sees("tank DEGRADED")
        await admin.press("R")
        await admin.sees(
            "3 take out done", "5 replace now", "replace ZC13A0R7 (was in bay 2) with ZC17K2M4 (bay 2)"
        )
        await admin.plans("replace", "ZC13A0R7")
        await admin.sees("6 resilver now")


def with_swapped_disk(host: PracticeHost) -> None:
    """The disk is swapped while the host is off; it boots with no memory of its events."""
    assert host.exercise is not None
    host.exercise.do(Pull(2))
    host.exercise.do(Insert("ZC17K2M4", 2))
    host.exercise.catch_up()
    host.world.events.clear()
    host.world.boot_id = "5f4c1d2e-0000-4000-8000-000000000002"

"""The evidence against a slow disk, and what can be done from there."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states, watched
from tests.ui.frames import frame, make_app
from tests.ui.states import NOW
from zconsole.model.pools.event import Event
from zconsole.ui.screens.repair import RepairScreen

SIZE = (80, 24)


async def test_from_the_evidence_one_key_leads_to_what_can_be_done_to_that_disk() -> None:
    app = make_app(watched.slow())
    asked = []

    async with app.run_test(size=SIZE) as pilot:
        app.act = lambda *words: asked.append(words)  # type: ignore[method-assign]
        await pilot.press("enter", "n", "w", "a")
        assert [(watched.SLOW_DISK,)] == [(target.name, *action) for _, target, *action in asked]
        await pilot.press("R")

        assert isinstance(app.screen, RepairScreen)
        assert "is slow" in frame(app)


async def test_a_disk_is_located_taken_offline_or_replaced_from_its_evidence() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter", "n", "w", "a")
        await pilot.pause()

        offered = frame(app)
        assert all(title in offered for title in ("Take offline", "Replace", "Locate"))


async def test_w_tells_all_that_a_verdict_rests_on() -> None:
    app = make_app(watched.slow(watched.pair()))

    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter", "n", "w")

        shown = frame(app)
        for words in (
            "which     ata-ST8000NM000A-2KE101_ZL2F0C44, in mirror-1, serial ZL2F0C44",
            "11:00:34 UTC, still so", "score     0.81 of 1",
            "peers     ata-ST8000NM000A-2KE101_ZL2F0D02",
            "these two differ, and this one is the slower",
            "reads     mean of 36k: 41 ms, its peers",
            "costs     a read of mirror-1 takes 24 ms, without this disk 7.7; of tank 14 ms,",
            "ZFS       it has counted no slow I/O", "smartctl -x /dev/sdc",
        ):  # fmt: skip
            assert words in shown, words


async def test_what_zfs_did_about_a_slow_disk_is_told_with_it() -> None:
    state = watched.slow()
    path = next(leaf.path for leaf in states.tank().walk() if leaf.name == watched.SLOW_DISK)
    events = (
        Event(NOW, "ereport.fs.zfs.sitout", "tank", 1, (("vdev_path", path or ""),)),
        Event(NOW, "fault.fs.zfs.vdev.slow_io", "tank", 2, (("vdev_guid", "0x1"),)),
    )
    app = make_app(replace(state, events=events))

    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter", "n", "w")

        assert "autosit let it sit out" in frame(app)
        assert "ZED marked it as faulted" not in frame(app)


async def test_w_on_a_healthy_disk_says_that_nothing_is_known_against_it() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "w")

        assert "this disk is not known to be slow" in frame(app)

"""Disks screen: it has the disks read while it is in front, and opens one with everything known of it."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.ui.screens.disks import DiskScreen, DisksScreen


async def test_disks_are_read_while_the_screen_is_in_front_and_no_longer() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(app.screen, DisksScreen)
        await pilot.press("escape")
        await pilot.pause()

        assert [("disks", "storage1", True), ("disks", "storage1", False)] == source_of(app).live


async def test_enter_opens_the_disk_under_the_cursor_and_escape_returns_to_it() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, DiskScreen)
        assert " storage1 · ZL2F0B17 · ST12000NM0127" == frame(app).split("\n", 1)[0]
        await pilot.press("escape")
        await pilot.pause()

        assert isinstance(app.screen, DisksScreen)
        assert "ZL2F0B17" in app.screen.named(app.screen.rows.key or "")


async def test_a_filter_finds_a_disk_by_its_serial() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "slash", *"0D02", "enter")
        await pilot.pause()

        assert isinstance(app.screen, DisksScreen)
        assert 1 == app.screen.rows.count


async def test_the_actions_of_a_disk_are_those_of_its_device_in_the_pool() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("d", "a")
        await pilot.pause()

        assert "ata-ST12000NM0127_ZL2F0A91" in frame(app)
        assert "Replace" in frame(app)


async def test_r_opens_the_repair_of_the_failed_disk_under_the_cursor() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "R")
        await pilot.pause()

        assert (
            " storage1 · repair bulk raidz2-0 (1 of 2) · ZL2F0A91 (bay A09) has failed"
            in frame(app).split("\n", 1)[0]
        )


async def test_r_on_the_screen_of_a_disk_opens_its_repair() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "enter", "R")
        await pilot.pause()

        assert (
            " storage1 · repair bulk raidz2-0 (1 of 2) · ZL2F0A91 (bay A09) has failed"
            in frame(app).split("\n", 1)[0]
        )


async def test_r_on_a_disk_of_no_pool_says_that_there_is_nothing_to_repair() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "end", "R")
        await pilot.pause()

        assert "this disk serves no pool: there is nothing to repair" in frame(app)


async def test_the_titles_of_the_columns_stand_above_their_rows_below_the_map() -> None:
    app = make_app(states.with_disks())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d", "h")
        await pilot.pause()

        shown = frame(app).split("\n")
        titles = next(at for at, each in enumerate(shown) if "SERIAL" in each)
        assert "empty" in shown[titles - 1]
        assert "ZL2F0A91" in shown[titles + 1]

"""The history of a pool: who changed and who destroyed what, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.hostile import NASTY
from tests.ui.states import DAY, NOW
from tests.ui.test_hostile import check_screen
from zconsole.base.errors import HostUnreachable
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.command_records.pool_history import PoolHistoryScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.zfs.listing.history import HistoryRecord

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}


def record(days_ago: float, text: str, user: str = "", txg: int | None = None) -> HistoryRecord:
    return HistoryRecord(int(NOW - days_ago * DAY), text, user=user, host="storage1", txg=txg)


HISTORY = (
    record(812, "zpool create tank mirror sda sdb mirror sdc sdd", "root"),
    record(30, "zfs create -o quota=400G -o compression=zstd tank/containers/wiki", "anna"),
    record(3, "zfs snapshot -r tank/db@before-the-upgrade-of-the-database-to-version-18", "backup"),
    record(2, "snapshot tank/db@autosnap_2026-11-16_11:00:01_hourly (2288)", txg=4_812_001),
    record(1.10001, "destroy tank/containers/wiki (2291) (bptree, mintxg=1)", txg=4_812_553),
    record(1.1, "zfs destroy -r tank/containers/wiki", "chen"),
    record(0.2, "zfs set compression=zstd tank/home", "root"),
)


def app_with(records: Sequence[HistoryRecord] | None) -> ZConsoleApp:
    """The console before a host with tank, whose history is this."""
    app = make_app(states.healthy())
    source_of(app).histories[("storage1", "tank")] = None if records is None else tuple(records)
    return app


@pytest.mark.parametrize("size", SIZES)
async def test_the_history_looks_as_it_should(size: str, golden: Callable[[str, str], None]) -> None:
    app = app_with(HISTORY)

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("H")
        await pilot.pause()

        golden(f"history-{size}.txt", frame(app))


async def test_who_destroyed_it_is_told_above_the_list_and_with_the_record() -> None:
    app = app_with(HISTORY)

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("H")
        await pilot.pause()
        assert "last destroyed 1d2h ago by chen" in frame(app)
        await pilot.press("down")
        await pilot.pause()

        assert "by chen · on storage1" in frame(app)


async def test_a_key_shows_internal_records_and_hides_them_again() -> None:
    app = app_with(HISTORY)

    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press("H")
        await pilot.pause()
        assert "autosnap_2026-11-16_11:00:01_hourly" not in frame(app)
        await pilot.press("h")
        await pilot.pause()
        assert "autosnap_2026-11-16_11:00:01_hourly" in frame(app)
        await pilot.press("h")
        await pilot.pause()

        assert "autosnap_2026-11-16_11:00:01_hourly" not in frame(app)


async def test_the_filter_finds_what_a_user_did() -> None:
    app = app_with(HISTORY)

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("H", "slash", *"backup", "enter")
        await pilot.pause()

        assert "tank/db@before-the-upgrade" in frame(app)
        assert "zfs set compression" not in frame(app)


async def test_the_command_under_the_cursor_is_what_is_copied() -> None:
    app = app_with(HISTORY)

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("H")
        await pilot.pause()

        assert isinstance(app.screen, PoolHistoryScreen)
        assert ["zfs set compression=zstd tank/home"] == [each.text for each in app.screen.copyable()]


async def test_a_user_who_may_not_read_it_is_told_what_to_do() -> None:
    app = app_with(None)

    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press("H")
        await pilot.pause()

        assert "to root only: sudo rules for it are printed by zconsole sudoers" in frame(app)


async def test_it_is_shown_once_it_is_read_and_read_again_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the host answers the screen says so, and can be left; a host that is lost is named."""
    app = app_with(HISTORY)
    reading: list[Future[tuple[HistoryRecord, ...] | None]] = []

    def read(host: str, pool: str) -> Future[tuple[HistoryRecord, ...] | None]:
        assert ("storage1", "tank") == (host, pool)
        reading.append(Future())
        return reading[-1]

    monkeypatch.setattr(source_of(app), "pool_history", read)

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("H")
        await pilot.pause()
        assert "Reading the history ..." in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PoolsScreen)
        await pilot.press("H")
        await pilot.pause()
        reading[-1].set_result(HISTORY)
        await pilot.pause()
        shown = frame(app)
        await pilot.press("r")
        await pilot.pause()
        reading[-1].set_exception(HostUnreachable("storage1 does not answer"))
        await pilot.pause()

        assert "zfs destroy -r tank/containers/wiki" in shown
        assert "storage1 does not answer" in frame(app)


async def test_no_text_of_a_history_steers_the_terminal() -> None:
    app = app_with([record(9, f"zfs destroy tank/{each}", each) for each in NASTY])

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("H")
        for _ in NASTY:
            await pilot.pause()
            check_screen(app)
            await pilot.press("down")

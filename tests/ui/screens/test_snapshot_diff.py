"""What changed between two snapshots."""

from __future__ import annotations

from tests.ui.contents import SNAP, app_with_contents, differences, opened, summary
from tests.ui.frames import frame, source_of
from zconsole.base.errors import CommandFailed
from zconsole.ui.screens.datasets import DatasetsScreen

OLDER = "tank/home@2026-11-01"


async def test_a_snapshot_is_compared_with_now_the_next_and_the_one_before() -> None:
    app = app_with_contents()
    source_of(app).diffs[OLDER, SNAP] = differences(OLDER, SNAP)

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "equals_sign", "s", "s")

        assert [
            ("storage1", SNAP, "tank/home"),
            ("storage1", OLDER, SNAP),
            ("storage1", SNAP, "tank/home"),
        ] == (source_of(app).diffed)


async def test_what_is_known_is_shown_while_it_goes_on_and_it_can_be_stopped() -> None:
    app = app_with_contents()
    source_of(app).diffs[SNAP, "tank/home"] = summary(is_done=False)

    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "equals_sign")
        assert "goes on, x stops" in frame(app)
        assert "2 added" in frame(app)
        await pilot.press("x")
        await pilot.pause()
        assert "stopped, not complete" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, DatasetsScreen)


async def test_why_it_cannot_be_compared_is_said() -> None:
    app = app_with_contents()
    source_of(app).diffs[SNAP, "tank/home"] = CommandFailed(
        "zfs diff failed", said="permission", hint="allow it"
    )

    async with app.run_test(size=(160, 50)) as pilot:
        await opened(app, pilot, "equals_sign")

        assert "zfs diff failed · permission · allow it" in frame(app)

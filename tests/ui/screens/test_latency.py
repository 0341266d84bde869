"""The histograms of a disk beside its siblings."""

from __future__ import annotations

from tests.ui import watched
from tests.ui.frames import frame, make_app, source_of
from zconsole.ui.app import ZConsoleApp

SIZE = (80, 24)


def lines(app: ZConsoleApp) -> list[str]:
    return frame(app).split("\n")


async def test_enter_shows_its_histograms_and_a_sibling_can_be_chosen_there() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n", "enter")
        assert "…ZL2F0C44 · ▲ SLOW 5.4x: reads 41 ms (peers 7.7)" in lines(app)[0]

        await pilot.press("down", "enter")
        assert "…ZL2F0D02 · ONLINE" in lines(app)[0]

        await pilot.press("end", "enter")
        assert "storage1 · tank · ONLINE" in lines(app)[0]


async def test_one_stream_of_one_kind_at_a_time_and_none_behind() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "2", "enter", "2", "escape", "escape")

        assert [
            ("latency", "storage1", "tank"), ("latency", "storage1", None), ("sizes", "storage1", "tank"),
            ("sizes", "storage1", None), ("latency", "storage1", "tank"), ("latency", "storage1", None),
        ] == source_of(app).live  # fmt: skip

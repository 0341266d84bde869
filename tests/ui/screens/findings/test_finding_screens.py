"""Findings of all hosts, and what one means."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of


async def test_the_worst_stands_on_top_and_enter_says_what_it_means() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f")
        listed = frame(app)
        await pilot.press("enter")
        opened = frame(app)

    assert "CRITICAL" in listed.upper()
    assert "One more failure in this vdev loses the whole pool" in opened


async def test_where_all_is_well_there_is_nothing_and_what_comes_is_shown() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f")
        assert "bulk" not in frame(app)

        source_of(app).replace(states.degraded())
        await pilot.pause()
        assert "bulk" in frame(app)


async def test_a_critical_finding_is_not_silenced_and_what_helps_is_named() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f", "z")
        await pilot.pause()

        assert "a critical finding cannot be silenced; acknowledge its alert: !" in frame(app)

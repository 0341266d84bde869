"""What every screen does: it can be paused, refreshed, made slower and made small."""

from __future__ import annotations

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.trees import soon

SIZE = (80, 24)


async def test_a_paused_screen_stays_while_states_go_on() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        source_of(app).replace(states.degraded(), monotonic=states.TICKS + 7)
        await pilot.pause()
        assert "bulk" not in frame(app)
        assert "PAUSED 7s" in frame(app)

        await pilot.press("p")
        assert "bulk" in frame(app)


async def test_what_changes_is_shown() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        source_of(app).replace(states.degraded())
        await pilot.pause()

        assert "bulk" in frame(app)


async def test_the_interval_changes_in_steps_and_reaches_the_collectors() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_parenthesis")
        assert 2.0 == source_of(app).interval_s
        assert "every 2 s" in frame(app)

        await pilot.press(*["right_parenthesis"] * 3)
        assert 0.5 == source_of(app).interval_s


async def test_r_reads_anew_and_on_a_lost_host_tries_that_one() -> None:
    app = make_app(states.degraded(), states.down())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        await pilot.press("down", "down", "down", "r")
        await pilot.press("down", "r")

        assert ["storage1", None, "storage2"] == [source_of(app).refreshed[at] for at in (0, 1, 2)]


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (8, 3), (300, 90)])
async def test_every_size_of_terminal_can_be_lived_with(size: tuple[int, int]) -> None:
    app = make_app(states.degraded(), states.down())

    async with app.run_test(size=size) as pilot:
        for keys in (["enter"], ["escape", "e"], ["escape", "f", "enter"], ["escape", "question_mark"]):
            await pilot.press(*keys, "down", "pagedown", "up")
        await pilot.resize_terminal(100, 30)

        assert await soon(pilot, lambda: all(len(line) <= 100 for line in frame(app).split("\n")))

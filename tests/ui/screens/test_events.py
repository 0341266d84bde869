"""Events of a moment that is over."""

from __future__ import annotations

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app
from tests.ui.past import MINUTE_BACK, lived
from tests.ui.states import NOW
from zconsole.model.pools.event import Event


async def test_an_event_that_came_later_is_not_of_then() -> None:
    path = next(leaf.path for leaf in states.tank().walk() if leaf.name == watched.SLOW_DISK)
    event = Event(NOW - 30, "ereport.fs.zfs.sitout", "tank", 1, (("vdev_path", path or ""),))
    app = lived(events=(event,))

    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter", "n", "w")
        assert "autosit let it sit out" in frame(app)

        await pilot.press("escape", MINUTE_BACK, "w")
        assert "as of 11:05:40 UTC" in frame(app)
        assert "autosit let it sit out" not in frame(app)


async def test_a_filter_that_leaves_nothing_says_so_while_it_is_typed_and_where_else_to_look() -> None:
    """`/destroy` in the events is the first thing that somebody tries who asks who destroyed a dataset."""
    app = make_app(states.degraded())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("e", "slash", *"zzzz")
        await pilot.pause()
        typing = frame(app)
        await pilot.press("enter")
        await pilot.pause()
        closed = frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "no row matches" not in frame(app)

    assert "/zzzz" in typing
    for shown in (typing, closed):
        assert "no row matches zzzz: 0 of " in shown
        assert "Esc shows all" in shown
        assert "H on the pool" in shown


@pytest.mark.parametrize(("row", "height"), [(1, 15), (2, 16)])
async def test_a_low_terminal_has_the_line_of_numbers_for_the_list(row: int, height: int) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(60, height)) as pilot:
        await pilot.press("e")
        await pilot.pause()

        assert "CLASS" in frame(app).split("\n")[row]

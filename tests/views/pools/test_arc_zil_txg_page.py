"""The cache, what holds up writes, and strips on fixed scales."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.ui import states, watched
from tests.ui.frames import frame, make_app, source_of
from zconsole.model.host.host_state import Reading
from zconsole.views.layout.sparklines import CELL_S, RATE, SECONDS, SHARE, draw, over_time
from zconsole.views.layout.styled_text import line_width, plain

SIZE = (80, 24)


async def test_what_holds_up_writes_is_said_first() -> None:
    app = make_app(watched.cached(is_held_up=True))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("A")

        first = frame(app).split("\n")[0]
        assert "▲ write throttle: 35 writes/s delayed · ▲ tank takes 7.2 s" in first


async def test_the_statistics_are_wanted_while_they_are_shown() -> None:
    app = make_app(watched.cached())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("A", "escape")

        assert [("arc", "storage1", True), ("arc", "storage1", False)] == source_of(app).live


async def test_what_cannot_be_read_and_what_is_old_say_so() -> None:
    app = make_app(replace(states.healthy(), arc=Reading(problem="no such file")))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("A")
        assert "The statistics cannot be read: no such file" in frame(app)

        source_of(app).replace(watched.cached(), monotonic=states.TICKS + 40)
        await pilot.pause()
        assert "41s old" in frame(app).split("\n")[0]


def test_a_strip_over_time_moves_by_cells() -> None:
    values = [(100.0, 1.0), (95.0, None), (89.0, 3.0), (81.0, 5.0), (40.0, 9.0)]

    assert [None, None, 5.0, None, 1.0] == over_time(values, 5)
    assert [None, None, 3.0, None, 1.0] == over_time(values, 5, min)
    assert [None, None] == over_time([], 2)


def test_each_scale_is_the_same_everywhere() -> None:
    assert " ▁▂▃█" == plain(draw([0.0, 0.5, 5.0, 50.0, 5e6], RATE))
    assert "▁▅█" == plain(draw([0.0, 0.5, 1.0], SHARE))
    assert ["strip", "warn"] == [span.style for span in draw([1.0, 7.0], SECONDS, 5.0)]


@given(
    st.lists(st.tuples(st.floats(0, 1e6), st.one_of(st.none(), st.floats(0, 1e9))), max_size=50),
    st.integers(0, 60),
)
def test_a_strip_is_as_wide_as_its_column(values: list[tuple[float, float | None]], cells: int) -> None:
    newest_first = sorted(values, key=lambda each: -each[0])

    assert cells == line_width(draw(over_time(newest_first, cells), RATE))
    assert CELL_S > 0

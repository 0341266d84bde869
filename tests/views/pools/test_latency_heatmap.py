"""The strip over time: a fixed scale, and where a disk was found slow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui import watched
from zconsole.model.past_states_and_latency_strips import Strip, Strips
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.pools.latency_heatmap import NO_STRIP, TITLE, Heat, level, title

MS = 1_000_000
CELL_S = 5.0


def heat(*values_ms: float | None, cells: int | None = None, until: float = 1000.0) -> Heat:
    """A pool of one disk, sda."""
    values = tuple(None if each is None else each * MS for each in values_ms)
    shown = Heat()
    shown.take_in(
        lambda until, seconds, _: Strips(until, seconds, (Strip("sda", values),)),
        until,
        CELL_S,
        len(values) if cells is None else cells,
    )
    return shown


@pytest.mark.parametrize(
    ("expected", "wait_ms"),
    [(0, 0.39), (1, 0.4), (2, 1), (3, 5), (4, 7), (5, 16), (6, 41), (7, 100), (7, 1e6)],
)
def test_the_scale_is_the_same_for_every_disk(expected: int, wait_ms: float) -> None:
    assert expected == level(wait_ms * MS)


def test_five_times_slower_is_another_block_wherever_it_is_on_the_scale() -> None:
    for wait_ms in (0.3, 1, 3, 8, 15, 19):
        slow = level(5 * wait_ms * MS)
        assert slow is not None
        assert slow > (level(wait_ms * MS) or 0)


def test_idle_is_blank_and_what_is_not_known_yet_stays_free() -> None:
    assert "  ▃ ▃" == plain(heat(2.0, None, 2.0, cells=5).strip(0, "sda").line)


def test_another_vdev_than_the_strip_is_of_has_none() -> None:
    assert NO_STRIP is heat(2.0).strip(0, "sdb")
    assert NO_STRIP is heat(2.0).strip(3, "sda")
    assert NO_STRIP is Heat().strip(0, "sda")


def test_where_a_disk_grew_slow_is_marked_and_what_follows_stands_out() -> None:
    slow = watched.verdict(first_at=985.0, last_at=1000.0)
    strip = heat(7, 7, 41, 41, 41).strip(0, "sda", (slow,)).line

    assert "▅▅▲▇▇" == plain(strip)
    assert ["strip", "warn"] == [span.style for span in strip]


def test_a_disk_that_was_slow_stands_out_as_long_as_it_was() -> None:
    slow = watched.verdict(first_at=900.0, last_at=985.0, is_ongoing=False)
    strip = heat(41, 41, 41, 7, 7).strip(0, "sda", (slow,)).line

    assert [("▇▇▇", "warn"), ("▅▅", "strip")] == [(span.text, span.style) for span in strip]


def test_what_is_slow_by_any_measure_stands_out_without_a_verdict() -> None:
    strip = heat(7, 150, 7, 800).strip(0, "sda").line

    assert ["strip", "warn", "strip", "bad"] == [span.style for span in strip]


def test_the_past_is_asked_for_once_a_cell() -> None:
    asked: list[tuple[float, float, int]] = []

    def ask(until: float, seconds: float, cells: int) -> Strips:
        asked.append((until, seconds, cells))
        return Strips(until, seconds, (Strip("sda", (1.0 * MS,) * cells),))

    shown = Heat()
    for second in range(11):
        shown.take_in(ask, 1000.0 + second, CELL_S, 24)
        shown.strip(0, "sda")
    shown.take_in(ask, 1010.0, CELL_S, 30)

    assert [(1000.0, 5.0, 24), (1005.0, 5.0, 24), (1010.0, 5.0, 24), (1010.0, 5.0, 30)] == asked


def test_rows_are_sorted_by_how_slow_they_are_on_the_whole() -> None:
    assert (heat(7, 7, 7).strip(0, "sda").level or 0) < (heat(7, 41, 41).strip(0, "sda").level or 0)
    assert heat(None).strip(0, "sda").level is None


@given(st.integers(24, 200), st.sampled_from((5.0, 15.0, 60.0)))
def test_the_header_names_the_scale_and_fits(cells: int, cell_s: float) -> None:
    shown = title(cells, cell_s)

    assert width(shown) <= cells
    assert shown == TITLE or (shown.endswith("now") and len(shown) == cells)
    assert cells < 42 or "100" in shown


@given(
    st.lists(st.one_of(st.none(), st.floats(0.01, 900)), min_size=1, max_size=60),
    st.integers(1, 80),
    st.floats(0, 2000),
)
def test_a_strip_is_as_wide_as_its_column_whatever_happened(
    waits: list[float | None], cells: int, first_at: float
) -> None:
    slow = watched.verdict(first_at=first_at)

    assert cells == line_width(heat(*waits, cells=cells).strip(0, "sda", (slow,)).line)

"""The terminal shows what the widgets drew, although only what differs is sent."""

from __future__ import annotations

import re
import tracemalloc

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from zconsole.ui.terminal.screen_diff import Shadow

WIDTH, HEIGHT = 12, 3
STYLES = [
    None,
    Style.parse("red"),
    Style.parse("bold #112233 on #445566"),
    Style.parse("#112233 on #445566"),
    Style.parse("underline default on default"),
    Style.parse("reverse"),
]
LETTERS = "abc 1│█日"
SEGMENTS = st.lists(
    st.builds(Segment, st.text(LETTERS, min_size=1, max_size=5), st.sampled_from(STYLES)), max_size=5
)
ROWS = st.lists(SEGMENTS, min_size=HEIGHT, max_size=HEIGHT)


def strip(segments: list[Segment]) -> Strip:
    return Strip(segments).adjust_cell_length(WIDTH)


def frame_of(rows: list[list[Segment]]) -> LayoutUpdate:
    return LayoutUpdate([[strip(row)] for row in rows], Region(0, 0, WIDTH, HEIGHT))


def shown(screen: pyte.Screen) -> list[list[object]]:
    return [[screen.buffer[y][x] for x in range(WIDTH)] for y in range(HEIGHT)]


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=5))
def test_after_every_frame_the_terminal_shows_what_a_full_repaint_would(
    frames: list[list[list[Segment]]],
) -> None:
    shadow, screen = Shadow(), pyte.Screen(WIDTH, HEIGHT)
    shadow.resize(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)

    for rows in frames:
        stream.feed(shadow.frame(frame_of(rows)))

    fresh, whole = Shadow(), pyte.Screen(WIDTH, HEIGHT)
    fresh.resize(WIDTH, HEIGHT)
    pyte.Stream(whole).feed(fresh.frame(frame_of(frames[-1])))
    assert shown(whole) == shown(screen)


@settings(deadline=None)
@given(st.lists(SEGMENTS, min_size=1, max_size=20), st.lists(st.integers(0, 19), max_size=60))
def test_a_strip_that_goes_on_to_another_row_looks_the_same_there(
    lines: list[list[Segment]], order: list[int]
) -> None:
    """Scrolled by a line at a time, through more strips than are kept, and then cut by a narrower screen."""
    strips = [strip(segments) for segments in lines]
    shadow, screen = Shadow(), pyte.Screen(WIDTH, HEIGHT)
    shadow.resize(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    sight: list[Strip] = []

    for at in (0, *order):
        sight = [strips[(at + y) % len(strips)] for y in range(HEIGHT)]
        stream.feed(shadow.frame(LayoutUpdate([[each] for each in sight], Region(0, 0, WIDTH, HEIGHT))))

    fresh, whole = Shadow(), pyte.Screen(WIDTH, HEIGHT)
    fresh.resize(WIDTH, HEIGHT)
    pyte.Stream(whole).feed(fresh.frame(frame_of([list(each) for each in sight])))
    assert shown(whole) == shown(screen)
    narrow = LayoutUpdate([[each] for each in sight], Region(0, 0, WIDTH, HEIGHT))
    fresh = Shadow()
    for each in (fresh, shadow):
        each.resize(WIDTH // 2, HEIGHT)
        each.forget()
    assert fresh.frame(narrow) == shadow.frame(narrow)


@given(ROWS)
def test_what_is_shown_already_costs_nothing(rows: list[list[Segment]]) -> None:
    shadow = Shadow()
    shadow.resize(WIDTH, HEIGHT)
    shadow.frame(frame_of(rows))

    assert "" == shadow.frame(frame_of(rows))


def test_after_forgetting_everything_is_sent_again() -> None:
    shadow = Shadow()
    shadow.resize(WIDTH, HEIGHT)
    first = shadow.frame(frame_of([[Segment("abc")]] * HEIGHT))

    shadow.forget()

    assert first == shadow.frame(frame_of([[Segment("abc")]] * HEIGHT))


def test_one_cell_that_changed_costs_a_move_and_a_letter() -> None:
    shadow = Shadow()
    shadow.resize(WIDTH, HEIGHT)
    shadow.frame(frame_of([[Segment("abcdefghijkl")]] * HEIGHT))

    sent = shadow.frame(
        frame_of([[Segment("abcdefghijkl")], [Segment("abXdefghijkl")], [Segment("abcdefghijkl")]])
    )

    assert "\x1b[2;3HX" == sent


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=30))
def test_whatever_a_widget_draws_no_foreign_sequence_leaves(text: str) -> None:
    """The last gate: even uncleaned text cannot steer the terminal."""
    shadow = Shadow()
    shadow.resize(WIDTH, HEIGHT)
    link = Style(link="http://evil", meta={"@click": "app.quit"})

    sent = shadow.frame(LayoutUpdate([[Strip([Segment(text, link)])]], Region(0, 0, WIDTH, HEIGHT)))

    assert re.fullmatch(r"(?:[^\x00-\x1f\x7f-\x9f]|\x1b\[\d+;\d+H|\x1b\[[0-9;]*m)*", sent)
    sent.encode("utf-8")


def test_where_there_is_only_ascii_only_ascii_is_sent() -> None:
    shadow = Shadow(is_ascii=True)
    shadow.resize(WIDTH, HEIGHT)

    sent = shadow.frame(frame_of([[Segment("├ tank ✗日")]] * HEIGHT))

    assert sent.isascii()
    assert "| tank x??" in sent


class CellByCell(Shadow):
    """Compares each row cell by cell."""

    def _is_filled_by(self, strip: Strip) -> bool:
        return False


PLAIN = st.builds(Segment, st.text("ab1│█", min_size=4, max_size=4), st.sampled_from(STYLES))
WILD = st.builds(Segment, st.sampled_from(["\x1b[2J", "日ab", "ab1│", "    "]), st.sampled_from(STYLES))
PLACED = st.tuples(PLAIN, PLAIN, WILD).map(list)  # columns that stay where they are, as in a live table


@settings(deadline=None)
@given(st.lists(st.lists(PLACED, min_size=HEIGHT, max_size=HEIGHT), min_size=2, max_size=4))
def test_rows_compared_by_segments_are_sent_as_those_compared_cell_by_cell(
    frames: list[list[list[Segment]]],
) -> None:
    quick, exact = Shadow(), CellByCell()
    for shadow in (quick, exact):
        shadow.resize(WIDTH, HEIGHT)

    for rows in frames:
        assert exact.frame(frame_of(rows)) == quick.frame(frame_of(rows))
        assert exact._sgr_style == quick._sgr_style


def test_graphs_that_never_are_the_same_again_are_not_kept() -> None:
    """A day draws tens of thousands of them; one of 60 cells as a tuple of characters takes 5 KiB."""
    blocks = "▁▂▃▄▅▆▇█"
    graphs = ["".join(blocks[number >> shift & 7] for shift in range(WIDTH)) for number in range(3000)]
    shadow = Shadow()
    shadow.resize(WIDTH, HEIGHT)

    def draw(graph: str) -> None:
        parts = [graph] if graph[0] < "▄" else [graph[:5], graph[5:]]  # the style of its end changes at times
        rows = [[Strip(list(map(Segment, parts)), WIDTH)]] * HEIGHT
        shadow.frame(LayoutUpdate(rows, Region(0, 0, WIDTH, HEIGHT)))

    draw(graphs[-1])
    tracemalloc.start()
    try:
        for graph in graphs:
            draw(graph)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 100_000

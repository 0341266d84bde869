"""Where in the past a screen stands, where it goes from there, and how that looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.past_states_and_latency_strips import TimelineSpan
from zconsole.model.timeline_mark import TimelineMark
from zconsole.views.layout.shown_past_moment_and_marks import (
    ShownMoment,
    gaps,
    moved,
    nothing_then,
    track,
    words,
)
from zconsole.views.layout.styled_text import plain

TIMES = (100.0, 102.0, 104.0, 200.0, 202.0, 300.0)
LASTS_S = 10.0
SORTED = st.lists(st.integers(0, 500).map(float), min_size=1, max_size=20, unique=True).map(sorted)


@pytest.mark.parametrize(
    ("at", "samples", "seconds", "expected"),
    [
        (104.0, -1, 0, 102.0),
        (109.0, -1, 0, 102.0),  # it is still the third that is shown
        (104.0, 1, 0, 200.0),
        (150.0, -1, 0, 104.0),
        (150.0, 1, 0, 200.0),
        (150.0, 0, -60, 100.0),  # the first, where there is nothing so old
        (150.0, 0, 60, 202.0),
        (150.0, 0, 20, 200.0),
        (150.0, 0, -47, 102.0),
        (204.0, 0, -60, 104.0),
        (50.0, 1, 0, 100.0),
        (50.0, -1, 0, None),
        (400.0, -1, 0, 300.0),
        (400.0, 1, 0, None),
        (400.0, 0, -150, 202.0),
        (100.0, -1, 0, None),
    ],
)
def test_out_of_a_gap_one_comes_to_what_is_beside_it(
    at: float, samples: int, seconds: float, expected: float | None
) -> None:
    assert expected == moved(TIMES, at, samples=samples, seconds=seconds, lasts_s=LASTS_S)


@given(SORTED, st.floats(-100, 700), st.sampled_from([-60.0, -1.0, 1.0, 60.0]), st.booleans())
def test_back_is_before_and_on_is_after(times: list[float], at: float, way: float, by_time: bool) -> None:
    samples, seconds = (0, way) if by_time else (int(way / abs(way)), 0.0)

    there = moved(times, at, samples=samples, seconds=seconds, lasts_s=LASTS_S)

    if there is not None:
        assert there in times
        assert there < at if way < 0 else there > at
    else:  # the first, and all that is before it, has nothing older
        assert at < times[0] + LASTS_S + 1 if way < 0 else at >= times[-1]


def test_of_no_samples_there_is_none() -> None:
    assert moved((), 5.0, samples=-1) is None
    assert moved((), 5.0, seconds=60.0, lasts_s=LASTS_S) is None


def test_gaps_are_where_a_sample_no_longer_holds() -> None:
    assert ((104.0, 200.0), (202.0, 300.0)) == gaps(TIMES, LASTS_S)
    assert () == gaps(TIMES, 100.0)
    assert () == gaps((), LASTS_S)


def test_the_track_is_open_where_nothing_was_read() -> None:
    moment = ShownMoment(
        202.0,
        310.0,
        TimelineSpan(100.0, 300.0, 6),
        (TimelineMark(150.0, "here"),),
        "",
        ((104.0, 200.0), (202.0, 300.0)),
    )

    assert "├     ◆    ●          ┤" == plain(track(moment, 23))
    assert "kept from 00:01:40, with gaps" in plain(words(moment))


def test_a_moment_without_anything_says_why_and_what_is_near() -> None:
    told = [plain(each) for each in nothing_then(150.0, TIMES, "The counters are read")]

    assert [
        "Nothing is kept of 00:02:30 UTC.",
        "The counters are read only while this screen is open.",
        "[ goes to 00:01:44, ] goes to 00:03:20.",
    ] == told
    assert "] goes to 00:01:40." == plain(nothing_then(50.0, TIMES, "")[-1])
    assert "[ goes to 00:05:00." == plain(nothing_then(350.0, TIMES, "")[-1])
    assert 2 == len(nothing_then(50.0, (), ""))

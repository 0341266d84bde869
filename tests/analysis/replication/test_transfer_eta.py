"""How fast a stream goes, and when it is through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.replication.transfer_eta import LEAST_S, Pace
from zconsole.model.run import TransferProgress

MIB = 1 << 20


def told(pace: Pace, rates: list[float], total_s: int) -> TransferProgress:
    """After so many seconds, at each rate in its turn for as long as the others."""
    count = 0.0
    moved = pace.moved(100.0, 0)
    for second in range(total_s):
        count += rates[second * len(rates) // total_s]
        moved = pace.moved(101.0 + second, int(count))
    return moved


def test_a_steady_stream_has_an_end_that_is_no_range() -> None:
    moved = told(Pace(1000 * MIB), [10.0 * MIB], 50)

    assert (500 * MIB, 1000 * MIB, 10.0 * MIB) == (moved.bytes, moved.total_bytes, moved.rate)
    assert (50.0, 50.0) == moved.left_s
    assert 0.0 == moved.quiet_s


def test_one_whose_pace_varies_has_a_range() -> None:
    moved = told(Pace(3000 * MIB), [20.0 * MIB, 5.0 * MIB], 100)

    left = 3000 - 1250
    assert 5.0 * MIB == moved.rate
    assert moved.left_s is not None
    soonest, latest = moved.left_s
    assert abs(left / 20 - soonest) < 1
    assert abs(left / 5 - latest) < 1


def test_at_first_nothing_is_said() -> None:
    moved = told(Pace(1000 * MIB), [10.0 * MIB], int(LEAST_S) - 1)

    assert (None, None) == (moved.rate, moved.left_s)


def test_without_an_estimate_or_beyond_it_no_end_is_told() -> None:
    assert None is told(Pace(None), [10.0 * MIB], 50).left_s
    assert None is told(Pace(100 * MIB), [10.0 * MIB], 50).left_s


def test_a_stream_that_stands_has_no_end_and_says_since_when() -> None:
    moved = told(Pace(1000 * MIB), [10.0 * MIB, 0.0], 60)

    assert (0.0, None) == (moved.rate, moved.left_s)
    assert 30.0 == moved.quiet_s


@given(
    steps=st.lists(st.tuples(st.floats(0, 30), st.integers(0, 1 << 30)), max_size=60),
    total=st.integers(0, 1 << 33),
)
def test_whatever_comes_the_range_is_one(steps: list[tuple[float, int]], total: int) -> None:
    pace, now, count = Pace(total), 0.0, 0
    for took, more in steps:
        now += took
        count += more
        moved = pace.moved(now, count)
        assert moved.rate is None or moved.rate >= 0
        assert moved.quiet_s >= 0
        if moved.left_s is not None:
            assert 0 < moved.left_s[0] <= moved.left_s[1]

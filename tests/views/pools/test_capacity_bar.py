"""Bars of capacity: nothing is drawn as nothing, and the mark stands where it belongs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.views.layout.styled_text import line_width, plain
from zconsole.views.pools.capacity_bar import FREE, IN_SNAPSHOTS, MARK, USED, capacity_bar

SHARES = st.floats(0, 1.2)


def test_used_snapshots_free_and_the_mark() -> None:
    assert "████▓▓░░│░" == plain(capacity_bar(0.6, 0.2, 10))


def test_beyond_the_mark_there_is_none() -> None:
    assert "█████████░" == plain(capacity_bar(0.9, 0.0, 10))


@given(SHARES, SHARES, st.integers(3, 40))
def test_each_part_is_as_long_as_its_share(used: float, held: float, cells: int) -> None:
    bar = plain(capacity_bar(used, held, cells))

    taken = bar.count(USED) + bar.count(IN_SNAPSHOTS)
    assert cells == len(bar) == line_width(capacity_bar(used, held, cells))
    assert (taken > 0) == (used > 0)
    assert (taken < cells) == (used < 1)
    assert abs(taken - min(used, 1) * cells) <= 1
    assert set(bar) <= {USED, IN_SNAPSHOTS, FREE, MARK}
    assert (
        bar == "".join(sorted(bar.replace(MARK, FREE), key=(USED + IN_SNAPSHOTS + FREE).index)) or MARK in bar
    )

"""Places of chosen snapshots as runs."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
from hypothesis import given

from zconsole.analysis.snapshots.freed_space import runs


@given(places=st.sets(st.integers(0, 30)))
def test_runs_are_the_places_again(places: set[int]) -> None:
    found = list(runs(places))

    assert places == {place for first, last in found for place in range(first, last + 1)}
    assert all(one[1] + 1 < other[0] for one, other in pairwise(found))

"""The most that so many snapshots free, over several datasets."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from tests.doubles.plan_worlds import filesystem, snapshot
from zconsole.analysis.snapshots.freed_space import Chain, Freed, Ledger
from zconsole.analysis.snapshots.minimal_snapshot_set import joined, most_by_count


def test_nothing_known_is_no_promise() -> None:
    chain = Chain(
        filesystem("tank/a", used_by_snapshots_bytes=None, used_bytes=100, written_bytes=None),
        tuple(snapshot(f"tank/a@{at}", at, used_bytes=None) for at in (1, 2, 3)),
    )

    assert Freed(0, 100) == Ledger(chain).freed({0, 1})
    assert Freed(0, 0) == Ledger(chain).freed(set())


@given(blocks=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 9))),
       movable=st.sets(st.integers(0, 6), min_size=1))  # fmt: skip
def test_the_most_that_so_many_free_is_the_most_of_all_choices(
    blocks: list[tuple[int, int, int]], movable: set[int]
) -> None:
    """Blocks by the stretch in which they are; against trying every choice."""
    stretches = [(min(one, other), max(one, other), size) for one, other, size in blocks]

    def freed(places: frozenset[int]) -> int:
        return sum(size for first, last, size in stretches if set(range(first, last + 1)) <= places)

    places = sorted(movable)
    best, ways = most_by_count(places, lambda run: freed(frozenset(range(run[0], run[1] + 1))), len(places))

    for count in range(len(places) + 1):
        choices = [
            frozenset(place for at, place in enumerate(places) if mask >> at & 1)
            for mask in range(1 << len(places))
            if mask.bit_count() == count
        ]
        assert max(map(freed, choices)) == best[count]
        assert count == len(ways[count])
        assert freed(ways[count]) >= best[count]


def test_two_datasets_share_a_number() -> None:
    assert ([0, 7, 9, 11, 12], [0, 1, 1, 1, 2]) == joined([0, 2, 4], [0, 7, 8], 9)
    assert ([0, 7], [0, 1]) == joined([0, 2, 4], [0, 7, 8], 1)

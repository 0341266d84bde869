"""What sets of snapshots free together is what counting every block gives, and what real ZFS has listed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from hypothesis.stateful import rule

from tests.conftest import CAPTURES
from tests.doubles.plan_worlds import filesystem, snapshot
from tests.practice.zfs.blocks import BLOCK, Lives
from zconsole.analysis.dependencies.closure import graph
from zconsole.analysis.snapshots.freed_space import Chain, Freed, Ledger, runs
from zconsole.analysis.snapshots.minimal_set import joined, most_by_count
from zconsole.analysis.snapshots.retention_locks import chains
from zconsole.zfs.listing.dataset_get import written_since
from zconsole.zfs.listing.datasets import parse_datasets
from zconsole.zfs.listing.destroy_dry_run import parse_destroy_dry_run, rehearse_destroy_ranges

LISTINGS = sorted(CAPTURES.glob("*/*/zfs_list_all.tsv"))
PLACES = st.sets(st.integers(0, 6), min_size=1)


class Sets(Lives):
    """Judges what random sets of random datasets free."""

    @rule(number=st.integers(0, 50), places=PLACES, learnt=st.lists(PLACES, max_size=3))
    def a_set_frees_what_its_blocks_are(self, number: int, places: set[int], learnt: list[set[int]]) -> None:
        """What is known of other sets narrows the bounds, and never too far."""
        ledger = self.ledger(number)
        if ledger is None:
            return
        count = len(ledger.chain.snapshots)
        for each in learnt:
            known = {place for place in each if place < count}
            ledger.learn(known, self.truth(ledger.chain, known))
        wanted = {place for place in places if place < count}

        found = ledger.freed(wanted)

        assert found.least_bytes <= self.truth(ledger.chain, wanted) <= found.most_bytes
        ledger.learn(wanted, self.truth(ledger.chain, wanted))
        assert ledger.freed(wanted).is_exact

    @rule(number=st.integers(0, 50))
    def every_run_is_known_by_what_came_since(self, number: int) -> None:
        ledger = self.ledger(number)
        if ledger is None:
            return
        chain = ledger.chain
        since: dict[tuple[str, str], int] = {}
        for first in range(len(chain.snapshots)):
            before = chain.before(first)
            for last in range(first, len(chain.snapshots)):
                newer = chain.after(last).name
                if before is not None:
                    since[before, newer] = self.stage.size(newer, written_since(before))
                assert self.truth(chain, set(range(first, last + 1))) == ledger.of_run((first, last), since)

    @rule(number=st.integers(0, 50), places=PLACES)
    def the_dry_run_of_several_ranges_adds_up(self, number: int, places: set[int]) -> None:
        ledger = self.ledger(number)
        if ledger is None:
            return
        chain = ledger.chain
        wanted = {place for place in places if place < len(chain.snapshots)}
        short = [each.name.partition("@")[2] for each in chain.snapshots]
        ranges = [(short[first], short[last]) for first, last in runs(wanted)]
        for argv in rehearse_destroy_ranges(chain.dataset.name, ranges):
            reply = self.stage.run(" ".join(argv))
            if reply.status == 0:
                told = parse_destroy_dry_run(reply.stdout)
                assert self.truth(chain, wanted) == told.reclaims_bytes
                assert len(wanted) == len(told.destroys)

    def ledger(self, number: int) -> Ledger | None:
        found = chains(graph(self.listed()), "tank", below=True)
        return Ledger(found[number % len(found)]) if found else None

    def truth(self, chain: Chain, places: set[int]) -> int:
        """Blocks that nothing else in the life of the dataset refers to."""
        mine = frozenset[int]()
        others = self.blocks(chain.dataset.name)
        if chain.dataset.origin is not None:
            others |= self.blocks(chain.dataset.origin)
        for place, each in enumerate(chain.snapshots):
            if place in places:
                mine |= self.blocks(each.name)
            else:
                others |= self.blocks(each.name)
        return BLOCK * len(mine - others)


TestSets = Sets.TestCase
TestSets.settings = settings(max_examples=12, stateful_step_count=30, deadline=None)


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_real_listings_keep_the_books_to_the_byte(path: Path) -> None:
    """The sums that everything rests on, on what real hosts printed: of the oldest, and of all snapshots."""
    for chain in chains_of(path):
        ledger = Ledger(chain)
        every = (0, len(chain.snapshots) - 1)
        assert chain.snapshots[0].used_bytes == written_sum(chain, 0)
        assert chain.dataset.used_by_snapshots_bytes == written_sum(chain, every[1])
        assert chain.dataset.used_by_snapshots_bytes == ledger.of_run(every, {})


def test_a_real_dry_run_of_all_says_what_the_listing_said() -> None:
    """`zfs destroy -nvp tank/home/ann@daily-1%daily-2` reclaimed 63029248."""
    path = CAPTURES / "2.4" / "healthy-mirrors" / "zfs_list_all.tsv"
    (ann,) = (chain for chain in chains_of(path) if chain.dataset.name == "tank/home/ann")

    assert Freed(63029248, 63029248) == Ledger(ann).freed({0, 1})


def chains_of(path: Path) -> list[Chain]:
    """The datasets of a listing that have snapshots and are no clones."""
    hung = graph(parse_datasets(path.read_text()))
    pools = sorted({name.partition("/")[0].partition("@")[0].partition("#")[0] for name in hung.datasets})
    found = [chain for pool in pools for chain in chains(hung, pool, below=True)]
    return [chain for chain in found if chain.dataset.origin is None]


def written_sum(chain: Chain, last: int) -> int:
    after = chain.after(last)
    line = (*chain.snapshots, chain.dataset)[: last + 2]
    return sum(each.written_bytes or 0 for each in line) - (after.referenced_bytes or 0)


@given(places=st.sets(st.integers(0, 30)))
def test_runs_are_the_places_again(places: set[int]) -> None:
    found = list(runs(places))

    assert places == {place for first, last in found for place in range(first, last + 1)}
    assert all(one[1] + 1 < other[0] for one, other in pairwise(found))


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

"""What sets of snapshots free together is what counting every block gives, and what real ZFS has listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.snapshots.freed_space import Chain, Freed, Ledger
from zconsole.analysis.snapshots.snapshots_to_keep import chains
from zconsole.zfs.listing.datasets import parse_datasets

LISTINGS = sorted(CAPTURES.glob("*/*/zfs_list_all.tsv"))


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
    graph = build_graph(parse_datasets(path.read_text()))
    pools = sorted({name.partition("/")[0].partition("@")[0].partition("#")[0] for name in graph.datasets})
    found = [chain for pool in pools for chain in chains(graph, pool, below=True)]
    return [chain for chain in found if chain.dataset.origin is None]


def written_sum(chain: Chain, last: int) -> int:
    after = chain.after(last)
    line = (*chain.snapshots, chain.dataset)[: last + 2]
    return sum(each.written_bytes or 0 for each in line) - (after.referenced_bytes or 0)

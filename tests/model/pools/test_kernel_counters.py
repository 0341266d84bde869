"""Ratios of the ARC, and when a txg was on disk."""

from __future__ import annotations

import pytest

from zconsole.model.pools.kernel_counters import Hits, Txg


@pytest.mark.parametrize(
    ("expected", "hits"),
    [(0.75, Hits(3.0, 1.0)), (0.75, Hits(2.0, 1.0, 1.0)), (0.0, Hits(0.0, 5.0)), (None, Hits(0.0, 0.0))],
)
def test_a_ratio_counts_reads_in_progress_as_found_and_is_unknown_without_lookups(
    expected: float | None, hits: Hits
) -> None:
    assert expected == hits.ratio


def test_a_txg_ends_after_all_its_phases() -> None:
    txg = Txg(7, 1000, "C", 0, 0, 0, 0, 0, open_ns=1, quiesce_ns=20, wait_ns=300, sync_ns=4000)

    assert 5321 == txg.ended_ns

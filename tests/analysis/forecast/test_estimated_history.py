"""The first guess of a pool's past, and which of its datasets grow."""

from __future__ import annotations

import pytest

from zconsole.analysis.forecast.estimated_history import guess
from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.model.forecast import HistorySource
from zconsole.zfs.listing.history import HistoryRecord
from zconsole.zfs.listing.space_now_and_at_snapshots import DatasetSizeRecord

GIB = 1 << 30
NOW = 1_795_000_000.0


def at(days_ago: float) -> int:
    return int(NOW - days_ago * DAY_S)


def dataset(name: str, days_old: float, live: int, kept: int = 0, shared: int = 0) -> DatasetSizeRecord:
    origin = "tank/gold@a" if shared else None
    return DatasetSizeRecord(name, False, at(days_old), live + shared, 0, live, kept, 0, origin)


def snapshot(name: str, days_old: float, referenced: int, written: int = 0) -> DatasetSizeRecord:
    return DatasetSizeRecord(name, True, at(days_old), referenced, written)


def test_a_dataset_was_as_large_as_its_snapshots_say() -> None:
    traces = [
        dataset("tank", 400, GIB),
        dataset("tank/a", 400, 100 * GIB),
        snapshot("tank/a@1", 200, 20 * GIB),
        snapshot("tank/a@2", 100, 60 * GIB),
    ]
    history = guess(traces, (), now=NOW, used=101.0 * GIB).history

    points = dict(history.points)
    assert HistorySource.GUESS is history.basis
    assert 101 * GIB == points[NOW]
    assert 20.5 * GIB == pytest.approx(points[at(200)])
    assert 60.75 * GIB == pytest.approx(points[at(100)])
    assert 0 == points[at(400)]


def test_what_snapshots_hold_is_there_in_proportion_and_what_is_reserved_all_along() -> None:
    traces = [dataset("tank/a", 100, 100 * GIB, kept=50 * GIB), snapshot("tank/a@1", 50, 40 * GIB)]
    points = dict(guess(traces, (), now=NOW, used=160.0 * GIB).history.points)

    assert 160 * GIB == points[NOW]
    assert 70 * GIB == points[at(50)]  # 40, and half of it in snapshots, and 10 that is neither


def test_a_clone_takes_only_what_it_does_not_share() -> None:
    traces = [
        dataset("tank/c", 100, 10 * GIB, shared=90 * GIB),
        snapshot("tank/c@1", 50, 95 * GIB),
    ]
    uses = guess(traces, (), now=NOW, used=10.0 * GIB).uses["tank/c"]

    assert [0, 5 * GIB, 10 * GIB] == [point.live_bytes for point in uses]


def test_a_replica_came_as_large_as_its_oldest_snapshots_were() -> None:
    """A receive keeps the moments at which the snapshots were taken, elsewhere."""
    traces = [
        dataset("tank/r", 10, 50 * GIB),
        snapshot("tank/r@1", 300, 10 * GIB),
        snapshot("tank/r@2", 20, 40 * GIB),
    ]
    points = guess(traces, (), now=NOW, used=50.0 * GIB).history.points

    assert [(float(at(10)), 40.0 * GIB), (NOW, 50.0 * GIB)] == list(points)


def test_the_evidence_is_told() -> None:
    deeds = (
        HistoryRecord(at(500), "zpool create tank mirror a b"),
        HistoryRecord(at(300), "zpool add tank mirror c d"),
        HistoryRecord(at(200), "zfs destroy -r tank/old"),
        HistoryRecord(at(200), "zfs destroy tank/a@old"),
        HistoryRecord(at(100), "destroy tank/x", txg=5),
    )
    traces = [dataset("tank", 500, GIB), snapshot("tank@1", 3, GIB, written=30 * GIB)]
    told = "\n".join(guess(traces, deeds, now=NOW, used=GIB).history.evidence)

    assert "1 datasets, by when they were created: the first on 2025-07-06" in told
    assert "1 snapshots, by how large" in told
    assert "1.00 GiB a day went into the snapshots of 30d" in told
    assert "1 datasets were destroyed by hand" in told
    assert "made larger 1 times, the last on 2026-01-22" in told
    assert "the pool was created on 2025-07-06" in told
    assert "may not be read" in guess(traces, None, now=NOW, used=GIB).history.evidence[-1]
    assert "no snapshots" in guess(traces[:1], (), now=NOW, used=GIB).history.evidence[1]


def test_an_empty_pool_has_a_history_of_one_moment() -> None:
    assert ((NOW, 5.0),) == guess([], (), now=NOW, used=5.0).history.points

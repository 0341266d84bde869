"""Histories and growth."""

from __future__ import annotations

from zconsole.model.forecast import DatasetGrowth, HistorySource, SpaceHistory


def test_a_history_spans_from_its_first_point_to_its_last() -> None:
    points = ((10.0, 1.0), (25.0, 2.0), (70.0, 3.0))

    assert 60.0 == SpaceHistory(HistorySource.SAMPLES, points).span_s
    assert 0.0 == SpaceHistory(HistorySource.GUESS, ()).span_s


def test_growth_is_of_live_data_and_of_snapshots_as_far_as_known() -> None:
    assert 5.0 == DatasetGrowth("tank/a", 3.0, 2.0).bytes_per_day
    assert 3.0 == DatasetGrowth("tank/a", 3.0).bytes_per_day

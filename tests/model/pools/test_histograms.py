"""Rows of histograms by name."""

from __future__ import annotations

from zconsole.model.pools.histograms import HistogramRow, HistogramSample


def test_of_two_rows_of_a_name_the_first_is_found() -> None:
    first, second = HistogramRow("sda", {}), HistogramRow("sda", {})
    sample = HistogramSample(0.0, 1.0, (HistogramRow("tank", {}), first, second))

    assert first is sample.row("sda")
    assert sample.row("sdb") is None

"""Histograms of the vdevs of one pool, interval by interval: how long I/Os took, how large requests were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zconsole.model.pools.iostat import Histogram


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """One vdev's histograms by class; rows come in the order of `zpool iostat -v`, the pool's own first.

    Classes of latencies are named as the fields of `model.io.Latency`; those of sizes
    `sync_read_individual`, `async_write_aggregated` and so on. A version without a class has no such key.
    """

    name: str
    histograms: Mapping[str, Histogram]


@dataclass(frozen=True, slots=True)
class HistogramSample:
    """One interval of `zpool iostat -w` or `-r`. Counts are operations a second, rounded down."""

    at: float  # epoch seconds, of the host's clock
    interval_s: float
    rows: Sequence[HistogramRow]

    def row(self, name: str) -> HistogramRow | None:
        """The first row of that name."""
        return next((row for row in self.rows if row.name == name), None)

"""Histograms of the vdevs of one pool per interval: latency and request size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import Histogram


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """One vdev's histograms by class; rows are in the order of `zpool iostat -v`, the pool first.

    Latency classes are named as the fields of `model.pools.iostat.Latency`; size classes
    `sync_read_individual`, `async_write_aggregated` and so on. A class that a version lacks has no key.
    """

    name: str
    histograms: Mapping[str, Histogram]


@dataclass(frozen=True, slots=True)
class HistogramSample:
    """One interval of `zpool iostat -w` or `-r`. Counts are operations per second, rounded down."""

    at: float  # epoch seconds, of the host's clock
    interval_s: float
    rows: Sequence[HistogramRow]

    def row(self, name: str) -> HistogramRow | None:
        """The first row with this name."""
        return next((row for row in self.rows if row.name == name), None)

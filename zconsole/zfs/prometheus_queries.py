"""Metric names of zfs_exporter and node_exporter for pool and dataset space, with their PromQL."""

from __future__ import annotations

import re
from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class MetricKind(Enum):
    """Meaning of a pool metric."""

    USED = "used"  # USED of the root dataset
    AVAILABLE = "available"
    ALLOCATED = "allocated"  # raw


@dataclass(frozen=True, slots=True)
class PoolMetric:
    """One source of used space: metric name, meaning, and query."""

    name: str
    measure: MetricKind
    promql: str


def pool_metrics(pool: str, selector: str, window_s: int) -> tuple[PoolMetric, ...]:
    """Queries for the last value per window, most exact first."""
    of_pool = f"pool={quoted(pool)},{selector}"
    below = quoted(f"{re.escape(pool)}(/.*)?")
    return tuple(
        PoolMetric(name, measure, f"max(last_over_time({name}{{{matchers}}}[{window_s}s]))")
        for name, measure, matchers in (
            ("zfs_dataset_used_bytes", MetricKind.USED, f"name={quoted(pool)},{selector}"),
            # AVAIL in df of any file system is the pool's, unless a quota limits it.
            ("node_filesystem_avail_bytes", MetricKind.AVAILABLE, f'fstype="zfs",device=~{below},{selector}'),
            ("zfs_pool_allocated_bytes", MetricKind.ALLOCATED, of_pool),
        )
    )


def live_data(pool: str, selector: str, window_s: int) -> str:
    """Space used by each dataset itself; its name is the label `name`."""
    return _by_name(f'__name__="zfs_dataset_used_by_dataset_bytes",pool={quoted(pool)},{selector}', window_s)


def in_snapshots(pool: str, selector: str, window_s: int) -> str:
    """Space used by the snapshots of each dataset; exporters spell the metric in two ways."""
    return _by_name(
        f'__name__=~"zfs_dataset_used_by_snapshots?_bytes",pool={quoted(pool)},{selector}', window_s
    )


def quoted(text: str) -> str:
    """A PromQL string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _by_name(matchers: str, window_s: int) -> str:
    return f"max by (name) (last_over_time({{{matchers}}}[{window_s}s]))"

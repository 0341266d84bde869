"""What zfs_exporter and node_exporter call the space of pools and datasets, and the PromQL for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class MetricKind(Enum):
    """What a metric of a pool tells."""

    USED = "used"  # of what files can use: the root dataset's
    AVAILABLE = "available"
    ALLOCATED = "allocated"  # raw


@dataclass(frozen=True, slots=True)
class PoolMetric:
    """A way to learn how full a pool was: the metric's name, what it tells, and the query for it."""

    name: str
    measure: MetricKind
    promql: str


def pool_metrics(pool: str, selector: str, window_s: int) -> tuple[PoolMetric, ...]:
    """Queries for the last value of each window, the most exact first."""
    of_pool = f"pool={quoted(pool)},{selector}"
    below = quoted(f"{re.escape(pool)}(/.*)?")
    return tuple(
        PoolMetric(name, measure, f"max(last_over_time({name}{{{matchers}}}[{window_s}s]))")
        for name, measure, matchers in (
            ("zfs_dataset_used_bytes", MetricKind.USED, f"name={quoted(pool)},{selector}"),
            # df of any file system shows what the pool has left, less where a quota is in the way
            ("node_filesystem_avail_bytes", MetricKind.AVAILABLE, f'fstype="zfs",device=~{below},{selector}'),
            ("zfs_pool_allocated_bytes", MetricKind.ALLOCATED, of_pool),
        )
    )


def live_data(pool: str, selector: str, window_s: int) -> str:
    """What each dataset takes by itself; its name is the label `name`."""
    return _by_name(f'__name__="zfs_dataset_used_by_dataset_bytes",pool={quoted(pool)},{selector}', window_s)


def in_snapshots(pool: str, selector: str, window_s: int) -> str:
    """What the snapshots of each dataset take; exporters spell the metric in two ways."""
    return _by_name(
        f'__name__=~"zfs_dataset_used_by_snapshots?_bytes",pool={quoted(pool)},{selector}', window_s
    )


def quoted(text: str) -> str:
    """A PromQL string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _by_name(matchers: str, window_s: int) -> str:
    return f"max by (name) (last_over_time({{{matchers}}}[{window_s}s]))"

"""Rules on the clones of a listing of snapshots: diverged ones that hold much space, and old ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import (
    NOTHING_ASKED,
    OriginCost,
    divergence,
    origin_cost,
)
from zconsole.analysis.findings.datasets.long_lived_clone_rules import MUCH_BYTES, long_lived_clones_of
from zconsole.base.fixed_width_formatting import size
from zconsole.model.finding import Finding, Severity

DIVERGED_PERCENT: Final = 90.0  # own data of a clone above which it counts as diverged
IDS: Final = frozenset({"clone-diverged"})


def clone_findings(
    graph: Graph, now: float, since_origin: Mapping[str, int] = NOTHING_ASKED
) -> tuple[Finding, ...]:
    """Judge every listed clone; `now` is epoch seconds. Largest amount first."""
    costs = [origin_cost(graph, each, since_origin) for each in sorted(graph.clones)]
    costs.sort(key=lambda each: -(each.alone_bytes or 0))
    diverged = (found for cost in costs for found in _diverged(graph, cost, since_origin))
    return (*diverged, *(found for cost in costs for found in _long_lived(graph, cost, now)))


def _diverged(graph: Graph, cost: OriginCost, since_origin: Mapping[str, int]) -> Iterator[Finding]:
    """The clone could be copied for little more than its own space, and its origin destroyed."""
    if cost.idle_least_bytes is None or cost.idle_least_bytes < MUCH_BYTES:
        return
    for name in cost.clones:
        apart = divergence(graph, name, since_origin) if name in graph.datasets else None
        if apart is None or apart.percent < DIVERGED_PERCENT:
            continue
        yield Finding(
            "clone-diverged",
            Severity.WARNING,
            name,
            f"shares only {size(apart.shared_bytes)} with {cost.snapshot}, which keeps at least "
            f"{size(cost.idle_least_bytes)} that nothing uses any more",
            {
                "pool": graph.datasets[name].pool,
                "origin": cost.snapshot,
                "shared_bytes": apart.shared_bytes,
                "own_bytes": apart.own_bytes,
                "diverged_percent": round(apart.percent, 2),
                "origin_alone_bytes": cost.alone_bytes,
                "idle_least_bytes": cost.idle_least_bytes,
                "idle_most_bytes": cost.idle_most_bytes,
                "clones": cost.clones,
            },
        )


def _long_lived(graph: Graph, cost: OriginCost, now: float) -> Iterator[Finding]:
    origin = graph.datasets.get(cost.snapshot)
    if origin is None:
        return
    ages = {
        name: now - made
        for name in cost.clones
        if name in graph.datasets and (made := graph.datasets[name].creation) is not None
    }
    found = long_lived_clones_of(cost.snapshot, origin.creation, cost.alone_bytes, ages, now)
    if found is not None:
        yield found

"""Rules on clones: diverged ones that hold much space, and old ones."""

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
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity

DIVERGED_PERCENT: Final = 90.0  # own data of a clone above which it counts as diverged
MUCH_BYTES: Final = 1 << 30  # minimum worth reporting
DAY_S: Final = 86400
OLD_ORIGIN_S: Final = 365 * DAY_S
LONG_LIVED_S: Final = 180 * DAY_S
MOST_NAMED: Final = 3
IDS: Final = frozenset({"clone-diverged", "clone-long-lived"})


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
    """One finding per origin for any number of clones: an image is made to be cloned."""
    origin = graph.datasets.get(cost.snapshot)
    if origin is None or origin.creation is None or (cost.alone_bytes or 0) < MUCH_BYTES:
        return
    ages = {
        name: now - made
        for name in cost.clones
        if name in graph.datasets and (made := graph.datasets[name].creation) is not None
    }
    old = tuple(sorted(name for name, age in ages.items() if age >= LONG_LIVED_S))
    if now - origin.creation < OLD_ORIGIN_S or not old:
        return
    yield Finding(
        "clone-long-lived",
        Severity.INFO,
        cost.snapshot,
        f"is {duration(now - origin.creation)} old and cannot go because of "
        f"{shortened(old, MOST_NAMED)}; it keeps {size(cost.alone_bytes)} that its own dataset "
        "does not need",
        {
            "pool": origin.pool,
            "created": origin.creation,
            "clones": old,
            "oldest_clone_s": int(max(ages.values())),
            "origin_alone_bytes": cost.alone_bytes,
        },
    )

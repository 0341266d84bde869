"""Snapshots that must be kept: held, cloned, needed for replication, protected, or too recent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.snapshots.freed_space import Chain
from zconsole.base.durations_in_words import lasting
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import Hold, HostPolicy

HELD, CLONED, PROTECTED, REPLICATION, NEWEST, YOUNG = (
    "held", "cloned", "protected", "replication", "newest", "young",
)  # fmt: skip
RECEIVING: Final = "receiving"
_OF_A_RECEIVE: Final = "%"  # character in temporary names made by a receive


@dataclass(frozen=True, slots=True)
class LockedSnapshot:
    """Snapshot that is kept, and why."""

    name: str
    reason: str  # one of the constants above
    detail: str  # description for people


@dataclass(frozen=True, slots=True)
class RetentionRules:
    """Snapshots to keep besides those that ZFS refuses to destroy."""

    newest: int = 1  # number of newest snapshots kept per dataset
    younger_than_s: float = 0.0
    replication: Mapping[str, str] = field(default_factory=dict)  # snapshot names with the reason
    policy: HostPolicy = field(default_factory=HostPolicy)


def chains(graph: Graph, root: str, *, below: bool) -> tuple[Chain, ...]:
    """A dataset, optionally with descendants, with their snapshots; those without snapshots are left out."""
    names = graph.tree(root) if below else (root,)
    return tuple(
        Chain(graph.datasets[name], tuple(graph.datasets[each] for each in graph.snapshots[name]))
        for name in names
        if name in graph.datasets and graph.snapshots.get(name)
    )


def kept(
    chain: Chain, graph: Graph, holds: Iterable[Hold], keeping: RetentionRules, now: float
) -> dict[int, LockedSnapshot]:
    """Indexes of the kept snapshots of a dataset. `now` is epoch seconds."""
    tags: dict[str, list[str]] = {}
    for hold in holds:
        tags.setdefault(hold.snapshot, []).append(hold.tag)
    from_newest = len(chain.snapshots) - keeping.newest
    found: dict[int, LockedSnapshot] = {}
    for place, snapshot in enumerate(chain.snapshots):
        is_newest = place >= from_newest
        why = next(_reasons(snapshot, graph, tags, keeping, now, is_newest=is_newest), None)
        if why is not None:
            found[place] = LockedSnapshot(snapshot.name, *why)
    return found


def _reasons(  # noqa: PLR0913 - all reasons to keep a snapshot
    snapshot: Dataset,
    graph: Graph,
    tags: Mapping[str, Sequence[str]],
    keeping: RetentionRules,
    now: float,
    *,
    is_newest: bool,
) -> Iterator[tuple[str, str]]:
    """Reasons to keep a snapshot, ZFS's own first."""
    name = snapshot.name
    if tags.get(name) or snapshot.holds:
        by = ", ".join(sorted(tags.get(name, ()))) or f"{snapshot.holds} tags"
        yield HELD, f"held by {by}"
    clones = graph.clones.get(name, ())
    if clones:
        yield CLONED, f"origin of {', '.join(clones)}"
    if _OF_A_RECEIVE in name:
        yield RECEIVING, "a receive is using it"
    if name in keeping.replication:
        yield REPLICATION, keeping.replication[name]
    pattern = keeping.policy.protects(name)
    if pattern is not None:
        yield PROTECTED, f"{pattern} stays"
    if is_newest:
        which = "the newest" if keeping.newest == 1 else f"one of the newest {keeping.newest}"
        yield NEWEST, f"{which} of its dataset"
    age = None if snapshot.creation is None else now - snapshot.creation
    if keeping.younger_than_s and (age is None or age < keeping.younger_than_s):
        yield YOUNG, f"younger than {lasting(keeping.younger_than_s)}"

"""Which snapshots may not go: they are held, cloned, needed for replication, protected, or too young."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zconsole.analysis.dependencies.closure import Graph
from zconsole.analysis.snapshots.freed_space import Chain
from zconsole.base.formatting import duration
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import Hold, HostPolicy

HELD, CLONED, PROTECTED, REPLICATION, NEWEST, YOUNG = (
    "held", "cloned", "protected", "replication", "newest", "young",
)  # fmt: skip
RECEIVING: Final = "receiving"
_OF_A_RECEIVE: Final = "%"  # in the names that a receive makes for itself


@dataclass(frozen=True, slots=True)
class LockedSnapshot:
    """A snapshot that stays, and why."""

    name: str
    reason: str  # one of the words above
    detail: str  # for a person


@dataclass(frozen=True, slots=True)
class Keeping:
    """What is asked to stay, besides what ZFS does not let go."""

    newest: int = 1  # so many snapshots of each dataset
    younger_than_s: float = 0.0
    replication: Mapping[str, str] = field(default_factory=dict)  # snapshots by name, with what needs them
    policy: HostPolicy = field(default_factory=HostPolicy)


def chains(hung: Graph, root: str, *, below: bool) -> tuple[Chain, ...]:
    """A dataset, and all below it if asked for, with their snapshots; those without any are left out."""
    names = hung.tree(root) if below else (root,)
    return tuple(
        Chain(hung.datasets[name], tuple(hung.datasets[each] for each in hung.snapshots[name]))
        for name in names
        if name in hung.datasets and hung.snapshots.get(name)
    )


def kept(
    chain: Chain, hung: Graph, holds: Iterable[Hold], keeping: Keeping, now: float
) -> dict[int, LockedSnapshot]:
    """The places of the snapshots of a dataset that stay. `now` is epoch seconds."""
    tags: dict[str, list[str]] = {}
    for hold in holds:
        tags.setdefault(hold.snapshot, []).append(hold.tag)
    from_newest = len(chain.snapshots) - keeping.newest
    found: dict[int, LockedSnapshot] = {}
    for place, snapshot in enumerate(chain.snapshots):
        is_newest = place >= from_newest
        why = next(_reasons(snapshot, hung, tags, keeping, now, is_newest=is_newest), None)
        if why is not None:
            found[place] = LockedSnapshot(snapshot.name, *why)
    return found


def _reasons(  # noqa: PLR0913 - all that speaks for a snapshot
    snapshot: Dataset,
    hung: Graph,
    tags: Mapping[str, Sequence[str]],
    keeping: Keeping,
    now: float,
    *,
    is_newest: bool,
) -> Iterator[tuple[str, str]]:
    """What keeps a snapshot, what ZFS itself insists on first."""
    name = snapshot.name
    if tags.get(name) or snapshot.holds:
        by = ", ".join(sorted(tags.get(name, ()))) or f"{snapshot.holds} tags"
        yield HELD, f"held by {by}"
    clones = hung.clones.get(name, ())
    if clones:
        yield CLONED, f"origin of {', '.join(clones)}"
    if _OF_A_RECEIVE in name:
        yield RECEIVING, "a receive works on it"
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
        yield YOUNG, f"younger than {duration(keeping.younger_than_s)}"

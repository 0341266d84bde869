"""Clones: space shared with their origins, snapshots they pin, effect of a promotion or a copy.

ZFS accounts for every block by its birth time: a clone shares whatever it refers to that was born before its
origin. `written@ORIGIN` is the rest, and so is `usedbydataset`: the blocks of the live clone born in it. What
a clone no longer shares it never shares again, so its first snapshot, which shares the most, bounds what the
clone and its dependents may still need of the origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import Promotion, promotion
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import Dataset

NOTHING_ASKED: Final[Mapping[str, int]] = MappingProxyType({})
PERCENT: Final = 100


def pins(graph: Graph, name: str) -> tuple[str, ...]:
    """The snapshots pinned by a dataset's existence: its origin, the origin's origin, and so on. Sorted."""
    found: set[str] = set()
    dataset = graph.datasets.get(name)
    while dataset is not None and dataset.origin is not None and dataset.origin not in found:
        found.add(dataset.origin)
        dataset = graph.datasets.get(dataset_of(dataset.origin))
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergence of a clone from its origin; bytes."""

    clone: str
    origin: str
    own_bytes: int  # referenced by the clone and not by its origin
    shared_bytes: int  # referenced by both
    left_bytes: int | None  # referenced by the origin and no longer by the clone

    @property
    def percent(self) -> float:
        """Percentage of a clone's referenced data that is its own; 0 to 100."""
        referenced = self.own_bytes + self.shared_bytes
        return PERCENT * self.own_bytes / referenced if referenced else 0.0


def divergence(graph: Graph, name: str, since_origin: Mapping[str, int] = NOTHING_ASKED) -> Divergence | None:
    """Divergence of a clone; None for other datasets, and when unknown.

    `since_origin` has `written@ORIGIN` where it was read; otherwise `usedbydataset` says the same.
    """
    dataset = graph.datasets[name]
    own = since_origin.get(name, dataset.used_by_dataset_bytes)
    referenced = dataset.referenced_bytes
    if dataset.origin is None or own is None or referenced is None:
        return None
    shared = max(0, referenced - own)
    origin = graph.datasets.get(dataset.origin)
    whole = None if origin is None else origin.referenced_bytes
    return Divergence(
        name, dataset.origin, referenced - shared, shared, None if whole is None else max(0, whole - shared)
    )


@dataclass(frozen=True, slots=True)
class OriginCost:
    """Space held by an origin snapshot of clones; bytes."""

    snapshot: str
    clones: tuple[str, ...]
    holds: int | None
    alone_bytes: int | None  # its USED: what its destruction would free without clones
    idle_least_bytes: int | None  # of that, data no clone refers to: lower and upper bound
    idle_most_bytes: int | None


def origin_cost(graph: Graph, snapshot: str, since_origin: Mapping[str, int] = NOTHING_ASKED) -> OriginCost:
    """Space that a snapshot keeps only because of its clones, if nothing else holds it.

    ZFS computes USED between the snapshot's neighbours in its own dataset; clones do not count.
    """
    dataset = graph.datasets.get(snapshot)
    clones = graph.clones.get(snapshot, ())
    alone = None if dataset is None else dataset.used_bytes
    whole = None if dataset is None else dataset.referenced_bytes
    known = [_needed(graph, each, since_origin) for each in clones]
    needed = [each for each in known if each is not None]
    least: int | None = None
    most: int | None = None
    if alone is not None and whole is not None and len(needed) == len(known):
        least = max(0, alone - sum(needed))
        most = max(least, min(alone, whole - max(needed, default=0)))
    return OriginCost(snapshot, clones, None if dataset is None else dataset.holds, alone, least, most)


def _needed(graph: Graph, clone: str, since_origin: Mapping[str, int]) -> int | None:
    """Bytes of the origin that a clone or one of its snapshots still refers to."""
    snapshots = graph.snapshots.get(clone, ())
    if not snapshots:
        apart = divergence(graph, clone, since_origin) if clone in graph.datasets else None
        return None if apart is None else apart.shared_bytes
    first = graph.datasets[snapshots[0]]
    if first.referenced_bytes is None or first.written_bytes is None:
        return None
    return max(0, first.referenced_bytes - first.written_bytes)


@dataclass(frozen=True, slots=True)
class PromotionEffect:
    """Effect of `zfs promote` on pins and space accounting. The pool's space stays the same."""

    change: Promotion
    former: str  # the dataset that becomes a clone
    moved_bytes: int | None  # accounted to the clone afterwards instead of the former origin
    pins_before: Mapping[str, tuple[str, ...]]  # of each dataset whose pins change
    pins_after: Mapping[str, tuple[str, ...]]
    clone_bytes: tuple[int | None, int | None]  # before and after, without descendants
    former_bytes: tuple[int | None, int | None]


def promotion_effect(graph: Graph, name: str) -> PromotionEffect | None:
    """Effect of promoting a clone; None for other datasets.

    Each moving snapshot brings what it has `written`: dsl_dataset_promote_check counts all that the origin
    refers to and the deadlists up to it, less what its own origin refers to.
    """
    change = promotion(graph, name)
    if change is None:
        return None
    former = change.origin_dataset
    written = [graph.datasets[each].written_bytes for each, _ in change.moves]
    known = [each for each in written if each is not None]
    moved = sum(known) if len(known) == len(written) else None
    systems = [each for each in graph.datasets if "@" not in each and "#" not in each]
    before = {each: pins(graph, each) for each in systems}
    after = {each: pins(change.after, each) for each in systems}
    differ = [each for each in systems if before[each] != after[each]]
    mine, theirs = _own(graph.datasets[name]), _own(graph.datasets[former])
    return PromotionEffect(
        change,
        former,
        moved,
        {each: before[each] for each in differ},
        {each: after[each] for each in differ},
        (mine, None if mine is None or moved is None else mine + moved),
        (theirs, None if theirs is None or moved is None else max(0, theirs - moved)),
    )


def _own(dataset: Dataset) -> int | None:
    """Space of a dataset with its snapshots and reservation, without descendants."""
    if dataset.used_bytes is None or dataset.used_by_children_bytes is None:
        return None
    return dataset.used_bytes - dataset.used_by_children_bytes


@dataclass(frozen=True, slots=True)
class Independence:
    """Cost of an independent copy of a clone by a full `zfs send | zfs receive`; bytes, approximate."""

    clone: str
    needs_bytes: int | None  # live data only, without its snapshots
    needs_with_history_bytes: int | None  # upper bound with all of its snapshots
    returns_bytes: int | None  # freed when the clone is destroyed
    unpins: tuple[str, ...]  # snapshots that nothing else pins afterwards


def independence(graph: Graph, name: str) -> Independence | None:
    """Cost of copying a clone; None for other datasets.

    The copy is written with the properties of its target: compression and recordsize may change its size.
    """
    dataset = graph.datasets[name]
    if dataset.origin is None:
        return None
    own = _own(dataset)
    needed = _needed(graph, name, NOTHING_ASKED)
    parts = (dataset.used_by_dataset_bytes, dataset.used_by_snapshots_bytes, needed)
    known = [each for each in parts if each is not None]
    others = {
        each
        for one in graph.datasets
        if "@" not in one and "#" not in one and one != name
        for each in pins(graph, one)
    }
    return Independence(
        name,
        dataset.referenced_bytes,
        sum(known) if len(known) == len(parts) else None,
        own,
        tuple(each for each in pins(graph, name) if each not in others),
    )

"""Copies of datasets, how far behind they are, and their send bases.

A snapshot keeps its guid wherever it is sent. Two datasets with a common guid are copies of each other; the
one created later than a snapshot that it has was received.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import combinations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost, SendPoint


class ReplicaState(Enum):
    """State of a copy relative to its source."""

    CURRENT = "current"  # it has the source's newest snapshot
    BEHIND = "behind"
    DIVERGED = "diverged"  # it has own snapshots since, which prevent a receive
    ALONE = "alone"  # and the source has none: the copy continues alone


@dataclass(frozen=True, slots=True)
class DatasetOnHost:
    """A dataset on a host."""

    host: str
    lineage: ReplicatedDataset

    @property
    def name(self) -> str:
        """`host:dataset`."""
        return f"{self.host}:{self.lineage.name}"


@dataclass(frozen=True, slots=True)
class Replica:
    """A dataset and a copy of it."""

    source: DatasetOnHost
    copy: DatasetOnHost
    common: SendPoint  # the last common one, as named on the source: a snapshot, or its bookmark
    common_there: SendPoint  # as named on the copy
    older_common: SendPoint | None = None  # the previous one, as named on the source
    newest: SendPoint | None = None  # of the source's snapshots
    behind: int = 0  # newer snapshots that the copy lacks
    own: int = 0  # newer snapshots that only the copy has

    @property
    def standing(self) -> ReplicaState:
        """The state of the copy."""
        if self.own:
            return ReplicaState.DIVERGED if self.behind else ReplicaState.ALONE
        return ReplicaState.BEHIND if self.behind else ReplicaState.CURRENT

    @property
    def behind_s(self) -> int:
        """Seconds from the last common snapshot to the source's newest."""
        return max(0, self.newest.creation - self.common.creation) if self.newest and self.behind else 0

    @property
    def is_base_a_bookmark(self) -> bool:
        """Whether the source has only a bookmark of it."""
        return "#" in self.common.name

    @property
    def is_on_one_pool(self) -> bool:
        """Whether both are on the same pool."""
        return self.source.host == self.copy.host and self.source.lineage.pool == self.copy.lineage.pool


@dataclass(frozen=True, slots=True)
class Base:
    """Snapshot or bookmark that the next increment of a copy builds on."""

    host: str
    name: str
    guid: int
    peer: str  # the dataset at the other end, `host:dataset`
    reason: str
    is_at_source: bool = True


def replicas(hosts: Sequence[ReplicatedHost]) -> tuple[Replica, ...]:
    """All pairs of copies, ordered by source and copy."""
    holders: defaultdict[int, set[int]] = defaultdict(set)  # datasets with the snapshot itself
    marked: defaultdict[int, set[int]] = defaultdict(set)  # datasets with a bookmark of it
    places = [DatasetOnHost(each.host, lineage) for each in hosts for lineage in each.lineages]
    for at, place in enumerate(places):
        for point in place.lineage.snapshots:
            holders[point.guid].add(at)
        for point in place.lineage.bookmarks:
            marked[point.guid].add(at)
    pairs: set[tuple[int, int]] = set()
    for guid, found in holders.items():
        pairs.update(combinations(sorted(found), 2))
        pairs.update((min(at, by), max(at, by)) for at in marked[guid] - found for by in found)
    made = (_replica(places[one], places[other]) for one, other in pairs if _are_two(places, one, other))
    return tuple(sorted(made, key=lambda each: (each.source.name, each.copy.name)))


def bases(found: Iterable[Replica]) -> tuple[Base, ...]:
    """Objects on both sides that must be kept for the next increments, with the reason."""
    return tuple(dict.fromkeys(base for one in found for base in _bases_of(one)))


def without_copy(
    hosts: Sequence[ReplicatedHost], found: Sequence[Replica], *, at_least_bytes: int
) -> Iterator[DatasetOnHost]:
    """Datasets with data that have no copy in another pool; a copy counts its source."""
    copied = {place.name for one in found if not one.is_on_one_pool for place in (one.source, one.copy)}
    for each in hosts:
        for lineage in each.lineages:
            place = DatasetOnHost(each.host, lineage)
            if place.name not in copied and (lineage.referenced_bytes or 0) >= at_least_bytes:
                yield place


def _are_two(places: Sequence[DatasetOnHost], one: int, other: int) -> bool:
    """Whether these are two datasets, and not one on a host that was given twice."""
    return places[one].lineage.guid != places[other].lineage.guid


def _replica(one: DatasetOnHost, other: DatasetOnHost) -> Replica:
    source, copy = _directed(one, other)
    there = {point.guid: point for point in copy.lineage.snapshots}
    common = _common(source, copy)
    last = common[-1]
    here = {point.guid for point in source.lineage.snapshots}
    since = [point for point in source.lineage.snapshots if point.createtxg > last.createtxg]
    own = [
        point
        for point in copy.lineage.snapshots
        if point.createtxg > there[last.guid].createtxg and point.guid not in here
    ]
    return Replica(
        source,
        copy,
        last,
        there[last.guid],
        common[-2] if len(common) > 1 else None,
        source.lineage.snapshots[-1] if source.lineage.snapshots else None,
        len(since),
        len(own),
    )


def _common(source: DatasetOnHost, copy: DatasetOnHost) -> list[SendPoint]:
    """Possible send bases as named on the source, oldest first; snapshots before bookmarks."""
    there = {point.guid for point in copy.lineage.snapshots}
    marks = (*source.lineage.bookmarks, *source.lineage.snapshots)
    found = {point.guid: point for point in marks if point.guid in there}
    return sorted(found.values(), key=lambda point: point.createtxg)


def _directed(one: DatasetOnHost, other: DatasetOnHost) -> tuple[DatasetOnHost, DatasetOnHost]:
    """The source first: older than the common snapshots, else ahead, else created earlier."""
    forth, back = _common(one, other), _common(other, one)
    if not forth or not back:  # one has only bookmarks of them: it is the sender
        return (one, other) if forth else (other, one)
    first = min(point.creation for point in (*forth, *back))
    received = [place.lineage.creation > first for place in (one, other)]
    if received[0] != received[1]:
        return (other, one) if received[0] else (one, other)
    ahead = [_is_ahead(one, other), _is_ahead(other, one)]
    if ahead[0] != ahead[1]:
        return (one, other) if ahead[0] else (other, one)
    before = (one.lineage.creation, one.name) <= (other.lineage.creation, other.name)
    return (one, other) if before else (other, one)


def _is_ahead(one: DatasetOnHost, other: DatasetOnHost) -> bool:
    there = {point.guid for point in other.lineage.snapshots}
    return bool(one.lineage.snapshots) and one.lineage.snapshots[-1].guid not in there


def _bases_of(one: Replica) -> Iterator[Base]:
    if one.standing is ReplicaState.ALONE:
        return
    older = f"; the one before is {one.older_common.name}" if one.older_common else "; there is no older one"
    yield Base(
        one.source.host,
        one.common.name,
        one.common.guid,
        one.copy.name,
        f"the next increment to {one.copy.name} starts from it{older}",
    )
    yield Base(
        one.copy.host,
        one.common_there.name,
        one.common.guid,
        one.source.name,
        f"the next increment from {one.source.name} builds on it{older}",
        is_at_source=False,
    )

"""Which datasets are copies of which, how far behind they are, and what their next increment builds on.

A snapshot keeps its guid wherever it is sent. Two datasets that have one in common are copies of each other;
the one that was created later than a snapshot that it has was received.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from zconsole.model.datasets.replication import HostLineages, Lineage, Point


class Standing(Enum):
    """How a copy stands to its source."""

    CURRENT = "current"  # it has the source's newest snapshot
    BEHIND = "behind"
    DIVERGED = "diverged"  # it has snapshots of its own since, which a receive does not go over
    ALONE = "alone"  # and the source has none: the copy goes on by itself


@dataclass(frozen=True, slots=True)
class DatasetOnHost:
    """A dataset on a host."""

    host: str
    lineage: Lineage

    @property
    def name(self) -> str:
        """`host:dataset`."""
        return f"{self.host}:{self.lineage.name}"


@dataclass(frozen=True, slots=True)
class Replica:
    """A dataset and a copy of it."""

    source: DatasetOnHost
    copy: DatasetOnHost
    common: Point  # the last that both have, as the source calls it: a snapshot, or a bookmark of it
    common_there: Point  # as the copy calls it
    older_common: Point | None = None  # the one before, as the source calls it
    newest: Point | None = None  # of the source's snapshots
    behind: int = 0  # snapshots that the copy lacks since
    own: int = 0  # snapshots that only the copy has since

    @property
    def standing(self) -> Standing:
        """How the copy stands."""
        if self.own:
            return Standing.DIVERGED if self.behind else Standing.ALONE
        return Standing.BEHIND if self.behind else Standing.CURRENT

    @property
    def behind_s(self) -> int:
        """Seconds from the last common snapshot to the source's newest."""
        return max(0, self.newest.creation - self.common.creation) if self.newest and self.behind else 0

    @property
    def is_base_a_bookmark(self) -> bool:
        """Whether the source has only a bookmark of it left."""
        return "#" in self.common.name

    @property
    def is_on_one_pool(self) -> bool:
        """Whether both stand on the same disks."""
        return self.source.host == self.copy.host and self.source.lineage.pool == self.copy.lineage.pool


@dataclass(frozen=True, slots=True)
class Base:
    """A snapshot or bookmark that the next increment of a copy builds on."""

    host: str
    name: str
    guid: int
    peer: str  # the dataset at the other end, `host:dataset`
    reason: str
    is_at_source: bool = True


def replicas(hosts: Sequence[HostLineages]) -> tuple[Replica, ...]:
    """All pairs of copies, in the order of their sources and then of the copies."""
    holders: defaultdict[int, set[int]] = defaultdict(set)  # of the snapshot itself
    marked: defaultdict[int, set[int]] = defaultdict(set)  # of a bookmark of it
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
    """What must stay for the copies to be carried on, on both sides, with the reason."""
    return tuple(dict.fromkeys(base for one in found for base in _bases_of(one)))


def without_copy(
    hosts: Sequence[HostLineages], found: Sequence[Replica], *, at_least_bytes: int
) -> Iterator[DatasetOnHost]:
    """The datasets with data of which no other pool has a copy; a copy has one in its source."""
    copied = {place.name for one in found if not one.is_on_one_pool for place in (one.source, one.copy)}
    for each in hosts:
        for lineage in each.lineages:
            place = DatasetOnHost(each.host, lineage)
            if place.name not in copied and (lineage.referenced_bytes or 0) >= at_least_bytes:
                yield place


def _are_two(places: Sequence[DatasetOnHost], one: int, other: int) -> bool:
    """Whether these are not one dataset, seen on a host that was named twice."""
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


def _common(source: DatasetOnHost, copy: DatasetOnHost) -> list[Point]:
    """What an increment can start from, as the source calls it, oldest first; snapshots before bookmarks."""
    there = {point.guid for point in copy.lineage.snapshots}
    marks = (*source.lineage.bookmarks, *source.lineage.snapshots)
    found = {point.guid: point for point in marks if point.guid in there}
    return sorted(found.values(), key=lambda point: point.createtxg)


def _directed(one: DatasetOnHost, other: DatasetOnHost) -> tuple[DatasetOnHost, DatasetOnHost]:
    """The source first: it was there before the snapshots that both have; else it is ahead, else older."""
    forth, back = _common(one, other), _common(other, one)
    if not forth or not back:  # one has nothing of them but bookmarks: it sent
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
    if one.standing is Standing.ALONE:
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

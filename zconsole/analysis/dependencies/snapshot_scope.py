"""Snapshots that an operation may concern, determined from names and origins of file systems and volumes.

A million snapshots take minutes to list, a thousand file systems a moment; and each clone's origin names the
dataset it depends on. So whatever a destroy, promotion or rollback affects is in datasets known before any
snapshot is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope, SnapshotSelector

_OF_SEVERAL: Final = frozenset(",%")  # characters in names of several snapshots
Origins = Mapping[str, str | None]  # file systems and volumes with their origin snapshots


def scope_of(concerns: Iterable[SnapshotSelector], origins: Origins) -> SnapshotScope:
    """The scope that covers everything that the selectors mean."""
    graph = _OriginGraph(origins)
    whole: set[str] = set()
    bare: set[str] = set()
    named: set[str] = set()
    starts: list[str] = []
    for each in concerns:
        base, mark, short = each.name.partition("@")
        bases = [one for one in (graph.tree(base) if each.below else (base,)) if one in origins]
        if mark and not set(short) & _OF_SEVERAL:
            mine = [f"{one}@{short}" for one in bases]
            named.update(mine)
            if each.clones:  # neighbours show what they hold together, and how they could be kept
                bare.update(bases)
                starts += (clone for one in mine for clone in graph.of_snapshot.get(one, ()))
            continue
        if each.origin:
            stood_on = [origin for one in bases if (origin := origins[one]) is not None]
            named.update(stood_on)
            bases += (above for one in stood_on if (above := dataset_of(one)) in origins)
        (bare if each.is_bare else whole).update(bases)
        if each.kin:
            whole.update(one for base in bases for one in graph.kin(base))
        if each.clones:
            starts += (clone for one in bases for clone in graph.of_dataset.get(one, ()))
    whole |= graph.reach(starts)
    return SnapshotScope(frozenset(whole), frozenset(bare - whole), frozenset(named))


class _OriginGraph:
    """File systems and volumes by parent and origin."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self._below: defaultdict[str, list[str]] = defaultdict(list)
        self.of_snapshot: defaultdict[str, list[str]] = defaultdict(list)
        self.of_dataset: defaultdict[str, list[str]] = defaultdict(list)
        for name, origin in origins.items():
            self._below[parent_of(name)].append(name)
            if origin is not None:
                self.of_snapshot[origin].append(name)
                self.of_dataset[dataset_of(origin)].append(name)

    def tree(self, name: str) -> Iterator[str]:
        """A dataset and its descendants."""
        waiting = [name]
        while waiting:
            each = waiting.pop()
            yield each
            waiting.extend(self._below.get(each, ()))

    def kin(self, name: str) -> Iterator[str]:
        """Its origin's dataset, the other clones of that snapshot, and its own clones."""
        origin = self.origins[name]
        if origin is not None:
            yield from (each for each in (dataset_of(origin),) if each in self.origins)
            yield from self.of_snapshot[origin]
        yield from self.of_dataset.get(name, ())

    def reach(self, starts: Iterable[str]) -> set[str]:
        """These with all descendants and clones, transitively."""
        found: set[str] = set()
        waiting = list(starts)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            waiting.extend(self._below.get(name, ()))
            waiting.extend(self.of_dataset.get(name, ()))
        return found

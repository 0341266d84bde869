"""Whose snapshots something can concern, from the file systems and volumes alone: their names and origins.

A million snapshots take minutes to list, a thousand file systems a moment; and the origin of each clone
tells which dataset it hangs on. So what a destruction takes along, what a promotion moves and what a rollback
loses lies in datasets that are known before any snapshot is read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zconsole.model.datasets.snapshot_scope import Concern, Scope
from zconsole.model.names import dataset_of, parent_of

_OF_SEVERAL: Final = frozenset(",%")  # marks in the name of more than one snapshot
Origins = Mapping[str, str | None]  # file systems and volumes with the snapshots that they were cloned from


def scope_of(concerns: Iterable[Concern], origins: Origins) -> Scope:
    """What must be read so that nothing is missing which any of the concerns means."""
    hung = _Hung(origins)
    whole: set[str] = set()
    bare: set[str] = set()
    named: set[str] = set()
    starts: list[str] = []
    for each in concerns:
        base, mark, short = each.name.partition("@")
        bases = [one for one in (hung.tree(base) if each.below else (base,)) if one in origins]
        if mark and not set(short) & _OF_SEVERAL:
            mine = [f"{one}@{short}" for one in bases]
            named.update(mine)
            if each.clones:  # what is beside them tells what they keep together, and how they could stay
                bare.update(bases)
                starts += (clone for one in mine for clone in hung.of_snapshot.get(one, ()))
            continue
        if each.origin:
            stood_on = [origin for one in bases if (origin := origins[one]) is not None]
            named.update(stood_on)
            bases += (above for one in stood_on if (above := dataset_of(one)) in origins)
        (bare if each.is_bare else whole).update(bases)
        if each.kin:
            whole.update(one for base in bases for one in hung.kin(base))
        if each.clones:
            starts += (clone for one in bases for clone in hung.of_dataset.get(one, ()))
    whole |= hung.reach(starts)
    return Scope(frozenset(whole), frozenset(bare - whole), frozenset(named))


class _Hung:
    """File systems and volumes, by what they are below and what they stand on."""

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
        """A dataset and all below it."""
        waiting = [name]
        while waiting:
            each = waiting.pop()
            yield each
            waiting.extend(self._below.get(each, ()))

    def kin(self, name: str) -> Iterator[str]:
        """What one was cloned from, the other clones of that snapshot, and its own clones."""
        origin = self.origins[name]
        if origin is not None:
            yield from (each for each in (dataset_of(origin),) if each in self.origins)
            yield from self.of_snapshot[origin]
        yield from self.of_dataset.get(name, ())

    def reach(self, starts: Iterable[str]) -> set[str]:
        """These with all that is below them and all that stands on any of that, in turn."""
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

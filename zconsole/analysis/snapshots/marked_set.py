"""What a set of snapshots that somebody marked frees together, and which of them cannot go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zconsole.analysis.dependencies.closure import Graph
from zconsole.analysis.snapshots.free_space import Destroying
from zconsole.analysis.snapshots.freed_space import NOTHING, Chain, Freed, Ledger, runs
from zconsole.model.names import dataset_of, short_of


@dataclass(frozen=True, slots=True)
class Marked:
    """Marked snapshots by their datasets; `places` are those of them that can go."""

    count: int
    chains: tuple[Chain, ...]
    places: tuple[frozenset[int], ...]
    held: tuple[str, ...]
    cloned: tuple[str, ...]

    @property
    def able(self) -> int:
        """How many of them can go."""
        return sum(map(len, self.places))

    @property
    def questions(self) -> tuple[Destroying, ...]:
        """What to ask ZFS for, so that the sum is known to the byte; nothing where it is already."""
        return tuple(
            Destroying(
                chain.dataset.name,
                tuple(
                    (short_of(chain.snapshots[first].name), short_of(chain.snapshots[last].name))
                    for first, last in runs(places)
                ),
            )
            for chain, places in zip(self.chains, self.places, strict=True)
            if places and not Ledger(chain).freed(places).is_exact
        )

    def freed(self, answers: Mapping[str, int]) -> Freed:
        """What those that can go free together; `answers` are ZFS's to the questions, by dataset."""
        total = NOTHING
        for chain, places in zip(self.chains, self.places, strict=True):
            ledger = Ledger(chain)
            if chain.dataset.name in answers:
                ledger.learn(places, answers[chain.dataset.name])
            total += ledger.freed(places)
        return total


def marked(hung: Graph, names: Iterable[str]) -> Marked:
    """Sort what is marked: by dataset, and by what stands in the way."""
    by_dataset: dict[str, set[str]] = {}
    for name in names:
        if name in hung.datasets:
            by_dataset.setdefault(dataset_of(name), set()).add(name)
    every = [name for several in by_dataset.values() for name in several]
    held = {name for name in every if hung.datasets[name].holds}
    cloned = {name for name in every if name in hung.clones}
    stay = held | cloned
    chains: list[Chain] = []
    places: list[frozenset[int]] = []
    for name in sorted(by_dataset):
        wanted, snapshots = by_dataset[name] - stay, hung.snapshots.get(name, ())
        if name in hung.datasets:
            chains.append(Chain(hung.datasets[name], tuple(hung.datasets[each] for each in snapshots)))
            places.append(frozenset(at for at, each in enumerate(snapshots) if each in wanted))
    return Marked(len(every), tuple(chains), tuple(places), tuple(sorted(held)), tuple(sorted(cloned - held)))

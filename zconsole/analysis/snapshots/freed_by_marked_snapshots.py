"""Space freed by a set of marked snapshots, and which of them cannot be destroyed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.snapshots.freed_space import NOTHING, Chain, Freed, Ledger, runs
from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, short_of


@dataclass(frozen=True, slots=True)
class MarkedSnapshots:
    """Marked snapshots by dataset; `places` are the destroyable ones."""

    count: int
    chains: tuple[Chain, ...]
    places: tuple[frozenset[int], ...]
    held: tuple[str, ...]
    cloned: tuple[str, ...]

    @property
    def able(self) -> int:
        """Number of destroyable ones."""
        return sum(map(len, self.places))

    @property
    def questions(self) -> tuple[Destroying, ...]:
        """Questions to ZFS for an exact sum; empty when it is known."""
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
        """Space freed by the destroyable ones; `answers` are ZFS's, by dataset."""
        total = NOTHING
        for chain, places in zip(self.chains, self.places, strict=True):
            ledger = Ledger(chain)
            if chain.dataset.name in answers:
                ledger.learn(places, answers[chain.dataset.name])
            total += ledger.freed(places)
        return total


def marked(graph: Graph, names: Iterable[str]) -> MarkedSnapshots:
    """Group marked snapshots by dataset, with obstacles."""
    by_dataset: dict[str, set[str]] = {}
    for name in names:
        if name in graph.datasets:
            by_dataset.setdefault(dataset_of(name), set()).add(name)
    every = [name for several in by_dataset.values() for name in several]
    held = {name for name in every if graph.datasets[name].holds}
    cloned = {name for name in every if name in graph.clones}
    stay = held | cloned
    chains: list[Chain] = []
    places: list[frozenset[int]] = []
    for name in sorted(by_dataset):
        wanted, snapshots = by_dataset[name] - stay, graph.snapshots.get(name, ())
        if name in graph.datasets:
            chains.append(Chain(graph.datasets[name], tuple(graph.datasets[each] for each in snapshots)))
            places.append(frozenset(at for at, each in enumerate(snapshots) if each in wanted))
    return MarkedSnapshots(
        len(every), tuple(chains), tuple(places), tuple(sorted(held)), tuple(sorted(cloned - held))
    )

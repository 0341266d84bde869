"""Effect of `zfs promote`, and clones whose promotion would save them from a destroy."""

from __future__ import annotations

from dataclasses import replace

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph, with_dataset
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Promotion:
    """Promotion: a clone and its origin's dataset trade places."""

    clone: str
    origin: str  # the origin snapshot
    moves: tuple[tuple[str, str], ...]  # snapshots with their new names, oldest first
    bookmarks: tuple[tuple[str, str], ...]  # bookmarks older than the origin, which move as well
    rebased: tuple[str, ...]  # other datasets whose origin is among these snapshots
    conflicts: tuple[str, ...]  # snapshot names that both have: ZFS refuses
    # the same for bookmarks: ZFS does not check, and its kernel module panics
    bookmark_conflicts: tuple[str, ...]
    after: Graph

    @property
    def is_possible(self) -> bool:
        """Whether no name conflicts."""
        return not self.conflicts and not self.bookmark_conflicts

    @property
    def moved_bytes(self) -> int | None:
        """Space that the snapshots which move hold; None where that of one was not read.

        Each block counts for the first of them that has it (`written`), as in dsl_dataset_promote_check().
        """
        total = 0
        for _, new in self.moves:
            written = self.after.datasets[new].written_bytes
            if written is None:
                return None
            total += written
        return total

    @property
    def origin_dataset(self) -> str:
        """The dataset that becomes a clone of the promoted clone."""
        return dataset_of(self.origin)


def promotion(graph: Graph, name: str) -> Promotion | None:
    """The promotion of a clone, or None when it is no clone (or its origin is not listed)."""
    clone = graph.datasets[name]
    if clone.origin is None or clone.origin not in graph.datasets:
        return None
    parent = dataset_of(clone.origin)
    ages = {each: place for place, each in enumerate(graph.snapshots[parent])}
    moved = [each for each in graph.snapshots[parent] if ages[each] <= ages[clone.origin]]
    moves = {each: f"{name}@{short_of(each)}" for each in moved}
    own = set(graph.snapshots.get(name, ()))
    then = graph.datasets[clone.origin].createtxg
    marks = {
        each: f"{name}#{short_of(each)}"
        for each in graph.bookmarks.get(parent, ())
        if not _is_surely_newer(graph.datasets[each], then)
    }
    own_marks = {short_of(each).casefold() for each in graph.bookmarks.get(name, ())}
    rebased = {
        each for snapshot in moved for each in graph.clones.get(snapshot, ()) if each not in {name, parent}
    }
    return Promotion(
        name,
        clone.origin,
        tuple(moves.items()),
        tuple(marks.items()),
        tuple(sorted(rebased)),
        tuple(sorted(short_of(new) for new in moves.values() if new in own)),
        tuple(sorted(mark for each in marks if (mark := short_of(each)).casefold() in own_marks)),
        build_graph(
            _promoted(dataset, name, parent, moves | marks, graph) for dataset in graph.datasets.values()
        ),
    )


def rescue(graph: Graph, name: str) -> tuple[str, ...]:
    """Clones to promote, in order, so that a dataset with its descendants can be destroyed alone.

    Empty when no outside clone depends on it, or when promotions do not help.
    """
    found: list[str] = []
    while (closure := with_dataset(graph, name)).elsewhere:
        inside = set(graph.tree(name))
        candidates = [
            each
            for each in closure.clones
            if each not in inside and dataset_of(graph.datasets[each].origin or "") in inside
        ]
        step = _best(graph, candidates) if len(found) < len(graph.datasets) else None
        if step is None:
            return ()
        found.append(step.clone)
        graph = step.after
    return tuple(found)


def _best(graph: Graph, candidates: list[str]) -> Promotion | None:
    """The promotion that moves the most snapshots, among those without conflict."""
    possible = [promotion(graph, each) for each in candidates]
    fine = [each for each in possible if each is not None and each.is_possible]
    return max(fine, key=lambda each: (len(each.moves), each.clone), default=None)


def _is_surely_newer(dataset: Dataset, then: int | None) -> bool:
    return dataset.createtxg is not None and then is not None and dataset.createtxg > then


def _promoted(dataset: Dataset, clone: str, parent: str, moves: dict[str, str], graph: Graph) -> Dataset:
    origin = graph.datasets[clone].origin or ""
    name = moves.get(dataset.name, dataset.name)
    clones = dataset.clones
    if dataset.name == clone:
        new_origin = graph.datasets[parent].origin
    elif dataset.name == parent:
        new_origin = moves[origin]
    else:
        new_origin = moves.get(dataset.origin or "", dataset.origin)
    if dataset.name == origin:
        clones = tuple(sorted({*clones, parent} - {clone}))
    elif dataset.name == graph.datasets[parent].origin:
        clones = tuple(sorted({*clones, clone} - {parent}))
    return replace(dataset, name=name, origin=new_origin, clones=clones)

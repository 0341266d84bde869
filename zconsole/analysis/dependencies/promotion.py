"""What `zfs promote` changes, and which clones it would save from a destruction."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zconsole.analysis.dependencies.closure import Graph, graph, with_dataset
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.names import dataset_of, short_of


@dataclass(frozen=True, slots=True)
class Promotion:
    """A clone trades places with the dataset that it was made from."""

    clone: str
    origin: str  # the snapshot that it stands on
    moves: tuple[tuple[str, str], ...]  # snapshots with their new names, oldest first
    bookmarks: tuple[tuple[str, str], ...]  # bookmarks of before the origin, which move as well
    rebased: tuple[str, ...]  # other datasets whose origin is one of these snapshots
    conflicts: tuple[str, ...]  # names of snapshots that both have: ZFS refuses
    bookmark_conflicts: tuple[str, ...]  # of bookmarks: ZFS does not see it, and its kernel module panics
    after: Graph

    @property
    def is_possible(self) -> bool:
        """Whether no name is in its way."""
        return not self.conflicts and not self.bookmark_conflicts

    @property
    def origin_dataset(self) -> str:
        """What becomes a clone of the clone."""
        return dataset_of(self.origin)


def promotion(hung: Graph, name: str) -> Promotion | None:
    """What the promotion of a clone would do, or None when it is no clone (or of something not listed)."""
    clone = hung.datasets[name]
    if clone.origin is None or clone.origin not in hung.datasets:
        return None
    parent = dataset_of(clone.origin)
    ages = {each: place for place, each in enumerate(hung.snapshots[parent])}
    moved = [each for each in hung.snapshots[parent] if ages[each] <= ages[clone.origin]]
    moves = {each: f"{name}@{short_of(each)}" for each in moved}
    own = set(hung.snapshots.get(name, ()))
    then = hung.datasets[clone.origin].createtxg
    marks = {
        each: f"{name}#{short_of(each)}"
        for each in hung.bookmarks.get(parent, ())
        if not _is_surely_newer(hung.datasets[each], then)
    }
    own_marks = {short_of(each).casefold() for each in hung.bookmarks.get(name, ())}
    rebased = {
        each for snapshot in moved for each in hung.clones.get(snapshot, ()) if each not in {name, parent}
    }
    return Promotion(
        name,
        clone.origin,
        tuple(moves.items()),
        tuple(marks.items()),
        tuple(sorted(rebased)),
        tuple(sorted(short_of(new) for new in moves.values() if new in own)),
        tuple(sorted(mark for each in marks if (mark := short_of(each)).casefold() in own_marks)),
        graph(_promoted(dataset, name, parent, moves | marks, hung) for dataset in hung.datasets.values()),
    )


def rescue(hung: Graph, name: str) -> tuple[str, ...]:
    """Clones to promote, in this order, so that a dataset and all below it can go without anything else.

    Empty when no clone elsewhere is in the way, or when promotions cannot help.
    """
    found: list[str] = []
    while (closure := with_dataset(hung, name)).elsewhere:
        inside = set(hung.tree(name))
        candidates = [
            each
            for each in closure.clones
            if each not in inside and dataset_of(hung.datasets[each].origin or "") in inside
        ]
        step = _best(hung, candidates) if len(found) < len(hung.datasets) else None
        if step is None:
            return ()
        found.append(step.clone)
        hung = step.after
    return tuple(found)


def _best(hung: Graph, candidates: list[str]) -> Promotion | None:
    """The promotion that takes the most snapshots along, of those without a conflict."""
    possible = [promotion(hung, each) for each in candidates]
    fine = [each for each in possible if each is not None and each.is_possible]
    return max(fine, key=lambda each: (len(each.moves), each.clone), default=None)


def _is_surely_newer(dataset: Dataset, then: int | None) -> bool:
    return dataset.createtxg is not None and then is not None and dataset.createtxg > then


def _promoted(dataset: Dataset, clone: str, parent: str, moves: dict[str, str], hung: Graph) -> Dataset:
    origin = hung.datasets[clone].origin or ""
    name = moves.get(dataset.name, dataset.name)
    clones = dataset.clones
    if dataset.name == clone:
        new_origin = hung.datasets[parent].origin
    elif dataset.name == parent:
        new_origin = moves[origin]
    else:
        new_origin = moves.get(dataset.origin or "", dataset.origin)
    if dataset.name == origin:
        clones = tuple(sorted({*clones, parent} - {clone}))
    elif dataset.name == hung.datasets[parent].origin:
        clones = tuple(sorted({*clones, clone} - {parent}))
    return replace(dataset, name=name, origin=new_origin, clones=clones)

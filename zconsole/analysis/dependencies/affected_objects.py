"""Closure of a dataset: all that its destruction, a rollback, an unmount or a rename affects.

Computed from names and origins, because ZFS's dry run of `destroy -R` omits the clones that it will destroy
(`zfs_do_destroy` collects them only when it acts).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset

EMPTY_BYTES: Final = 1 << 20  # larger than an empty file system or volume on any vdev


@dataclass(frozen=True, slots=True)
class Graph:
    """Datasets and their dependencies, by name."""

    datasets: Mapping[str, Dataset]  # including snapshots and bookmarks
    children: Mapping[str, tuple[str, ...]]  # child file systems and volumes
    snapshots: Mapping[str, Sequence[str]]  # of a dataset, oldest first
    bookmarks: Mapping[str, tuple[str, ...]]
    clones: Mapping[str, tuple[str, ...]]  # of a snapshot

    def tree(self, name: str) -> Iterator[str]:
        """A dataset and all its descendant file systems and volumes."""
        waiting = [name]
        while waiting:
            each = waiting.pop()
            yield each
            waiting.extend(reversed(self.children.get(each, ())))

    def contents(self, name: str) -> Iterator[str]:
        """A dataset with its snapshots and bookmarks, without descendants."""
        yield name
        yield from self.snapshots.get(name, ())
        yield from self.bookmarks.get(name, ())

    def same_named(self, snapshot: str) -> tuple[str, ...]:
        """Snapshots with this name of the dataset and its descendants: the meaning of `-r` for a snapshot."""
        base, _, name = snapshot.partition("@")
        return tuple(
            found for each in self.tree(base) if (found := f"{each}@{name}") in self.datasets
        )  # fmt: skip

    def is_live(self, name: str) -> bool:
        """Whether this is a mounted or nonempty file system or volume."""
        dataset = self.datasets.get(name)
        if dataset is None:
            return "@" not in name and "#" not in name
        if dataset.type not in FILESYSTEMS_AND_VOLUMES:
            return False
        referenced = dataset.referenced_bytes
        return dataset.is_mounted is True or referenced is None or referenced > EMPTY_BYTES


@dataclass(frozen=True, slots=True)
class Closure:
    """Objects that must be destroyed together with the targets. All names sorted."""

    targets: tuple[str, ...]
    below: tuple[str, ...] = ()  # children, snapshots and bookmarks of a target
    elsewhere: tuple[str, ...] = ()  # clones outside the target, with their contents and descendants
    clones: tuple[str, ...] = ()  # datasets in it, other than targets, whose origin is in it
    unlisted: tuple[str, ...] = ()  # clones that ZFS names but does not list, because they are being received
    cycle: str = ""  # a dataset whose origin is below itself: ZFS cannot destroy it

    @property
    def objects(self) -> tuple[str, ...]:
        """All objects."""
        return tuple(sorted({*self.targets, *self.below, *self.elsewhere}))


def build_graph(datasets: Iterable[Dataset]) -> Graph:
    """Build the graph of complete pools."""
    known = {dataset.name: dataset for dataset in datasets}
    children: dict[str, list[str]] = defaultdict(list)
    snapshots: dict[str, list[str]] = defaultdict(list)
    bookmarks: dict[str, list[str]] = defaultdict(list)
    clones: dict[str, set[str]] = defaultdict(set)
    for name, dataset in known.items():
        if "@" in name:
            snapshots[dataset_of(name)].append(name)
            clones[name].update(dataset.clones)
        elif "#" in name:
            bookmarks[dataset_of(name)].append(name)
        else:
            children[parent_of(name)].append(name)
            if dataset.origin is not None:
                clones[dataset.origin].add(name)
    return Graph(
        known,
        {name: tuple(sorted(each)) for name, each in children.items() if name},
        {name: tuple(sorted(each, key=lambda one: _age(known[one]))) for name, each in snapshots.items()},
        {name: tuple(sorted(each)) for name, each in bookmarks.items()},
        {name: tuple(sorted(each)) for name, each in clones.items() if each},
    )


def with_dataset(graph: Graph, name: str) -> Closure:
    """Closure of a file system or volume: its contents and descendants, and clones of any of these."""
    inside = {each for dataset in graph.tree(name) for each in graph.contents(dataset)}
    every = _reach(graph, [name], ())
    return _closure(graph, (name,), every & inside, every - inside, (name,))


def with_snapshots(graph: Graph, names: Sequence[str]) -> Closure:
    """Closure of snapshots: their clones, with contents, descendants and clones of these."""
    every = _reach(graph, (), names)
    first = [clone for name in names for clone in graph.clones.get(name, ())]
    return _closure(graph, tuple(sorted(set(names))), set(), every, first)


def with_rollback(graph: Graph, snapshot: str) -> Closure:
    """Closure of a rollback: newer snapshots and bookmarks, and clones of those.

    A snapshot of unknown age counts as newer.
    """
    base = dataset_of(snapshot)
    then = graph.datasets[snapshot].createtxg
    newer = [
        each for each in graph.snapshots.get(base, ()) if each != snapshot and _is_newer(graph, each, then)
    ]
    marks = [each for each in graph.bookmarks.get(base, ()) if _is_newer(graph, each, then)]
    every = _reach(graph, (), newer)
    first = [clone for name in newer for clone in graph.clones.get(name, ())]
    return _closure(graph, (), {*newer, *marks}, every - set(newer), first)


@dataclass(frozen=True, slots=True)
class UnmountClosure:
    """Effect of an unmount, and what prevents it."""

    goes: tuple[str, ...]  # the file system, and its descendants mounted at inherited mountpoints
    blocks: tuple[str, ...]  # mounted below its mountpoint, with a mountpoint of their own


def with_unmount(graph: Graph, name: str) -> UnmountClosure:
    """`zfs unmount` unmounts children with inherited mountpoints, and fails if others are mounted below."""
    top = graph.datasets[name]
    goes, blocks = [name], []
    if top.mountpoint is None or not top.mountpoint.startswith("/"):
        return UnmountClosure((name,), ())
    for each in graph.datasets.values():
        if each.name == name or not each.is_mounted or each.mountpoint is None:
            continue
        inherits = each.name.startswith(f"{name}/") and each.mountpoint == _below(
            top.mountpoint, each.name.removeprefix(f"{name}/")
        )
        if inherits:
            goes.append(each.name)
        elif each.mountpoint.startswith(_below(top.mountpoint, "")):
            blocks.append(each.name)
    return UnmountClosure(tuple(sorted(goes)), tuple(sorted(blocks)))


def with_rename(graph: Graph, name: str, new: str) -> tuple[tuple[str, str], ...]:
    """Every name before and after a rename: the dataset, its descendants, their snapshots and bookmarks."""
    return tuple(
        sorted(
            (each, new + each.removeprefix(name))
            for dataset in graph.tree(name)
            for each in graph.contents(dataset)
        )
    )


def freed_bytes(graph: Graph, names: Iterable[str]) -> int | None:
    """Space freed by destroying all of these, or None when ZFS does not show it beforehand.

    Each block counts in exactly one dataset's `used`, so whole datasets add up. For snapshots of a dataset
    that stays, `used` is exact for a single one, and `usedbysnapshots` for all of them.
    """
    gone = set(names)
    total = 0
    parted: dict[str, list[str]] = defaultdict(list)
    for name in gone:
        base = dataset_of(name)
        if name == base and parent_of(name) not in gone:
            used = graph.datasets[name].used_bytes if name in graph.datasets else None
            if used is None:
                return None
            total += used
        elif "@" in name and base not in gone:
            parted[base].append(name)
    for base, snapshots in parted.items():
        freed = _freed_of_snapshots(graph, base, snapshots)
        if freed is None:
            return None
        total += freed
    return total


def _freed_of_snapshots(graph: Graph, base: str, snapshots: Sequence[str]) -> int | None:
    if len(snapshots) == 1:
        snapshot = graph.datasets.get(snapshots[0])
        return None if snapshot is None else snapshot.used_bytes
    if set(snapshots) == set(graph.snapshots.get(base, ())) and base in graph.datasets:
        return graph.datasets[base].used_by_snapshots_bytes
    return None


def _closure(
    graph: Graph, targets: tuple[str, ...], below: set[str], elsewhere: set[str], starts: Sequence[str]
) -> Closure:
    every = {*targets, *below, *elsewhere}
    known = every & graph.datasets.keys()
    clones = {
        name
        for name in known - set(targets)
        if "@" not in name and "#" not in name and graph.datasets[name].origin in every
    }
    return Closure(
        targets,
        tuple(sorted(below - set(targets))),
        tuple(sorted((elsewhere - set(targets)) & known)),
        tuple(sorted(clones)),
        tuple(sorted(every - known)),
        _cycle(graph, starts),
    )


def _reach(graph: Graph, datasets: Sequence[str], snapshots: Sequence[str]) -> set[str]:
    """The datasets and snapshots with all contents, descendants and clones, transitively."""
    found = set(snapshots)
    waiting = [*datasets, *(clone for name in snapshots for clone in graph.clones.get(name, ()))]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.update(graph.contents(name))
        waiting.extend(graph.children.get(name, ()))
        for snapshot in graph.snapshots.get(name, ()):
            waiting.extend(graph.clones.get(snapshot, ()))
    return found


def _cycle(graph: Graph, starts: Sequence[str]) -> str:
    """The first dataset met twice on a path of dependencies, as in `zfs destroy`; empty without a cycle."""
    done: set[str] = set()
    for start in starts:
        path = [start]
        on_path = {start}
        ways = [iter(_next(graph, start))]
        while ways:
            name = next(ways[-1], None)
            if name is None:
                ways.pop()
                last = path.pop()
                on_path.discard(last)
                done.add(last)
            elif name in on_path:
                return name
            elif name not in done:
                path.append(name)
                on_path.add(name)
                ways.append(iter(_next(graph, name)))
    return ""


def _next(graph: Graph, name: str) -> tuple[str, ...]:
    clones = (clone for each in graph.snapshots.get(name, ()) for clone in graph.clones.get(each, ()))
    return (*graph.children.get(name, ()), *clones)


def _age(dataset: Dataset) -> tuple[int, str]:
    return (dataset.createtxg or 0, dataset.name)


def _is_newer(graph: Graph, name: str, then: int | None) -> bool:
    createtxg = graph.datasets[name].createtxg
    return createtxg is None or then is None or createtxg > then


def _below(mountpoint: str, relative: str) -> str:
    return f"{mountpoint.rstrip('/')}/{relative}"

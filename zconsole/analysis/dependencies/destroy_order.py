"""The order in which ZFS can destroy objects: children before parents, clones before their origins."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from zconsole.analysis.dependencies.affected_objects import Graph


def destruction_order(graph: Graph, names: Collection[str]) -> tuple[str, ...]:
    """The file systems, volumes and snapshots among the names in order; bookmarks go with their dataset.

    A circular dependency, such as a clone of a snapshot below itself, gets an arbitrary order: ZFS refuses
    it.
    """
    wanted = set(names)
    order: dict[str, None] = {}
    for start in sorted(wanted):
        if "#" in start or start in order:
            continue
        path = [(start, _before(graph, start))]
        on_path = {start}
        while path:
            name, waiting = path[-1]
            each = next(waiting, None)
            if each is None:
                path.pop()
                on_path.discard(name)
                order[name] = None
            elif each in wanted and each not in order and each not in on_path:
                path.append((each, _before(graph, each)))
                on_path.add(each)
    return tuple(order)


def _before(graph: Graph, name: str) -> Iterator[str]:
    """Objects that must be destroyed first."""
    if "@" in name:
        yield from graph.clones.get(name, ())
        return
    yield from graph.children.get(name, ())
    yield from graph.snapshots.get(name, ())

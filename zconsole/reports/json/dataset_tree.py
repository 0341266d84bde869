"""The tree of datasets as JSON: for `zconsole tree --json`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import divergence, pins
from zconsole.analysis.guests.guests_by_dataset import GuestOnDataset, GuestsByDataset
from zconsole.model.datasets.dataset_tree import Tree, frozen_guests, systems
from zconsole.model.guests.guest import Guest
from zconsole.reports.json.json_line import SCHEMA, Document, guid


def tree_document(tree: Tree, root: str | None = None, guests: Sequence[Guest] | None = None) -> Document:
    """Return every dataset, or those in and below `root`, with snapshots, bookmarks, clones and pins.

    `guests` are all of the host; None where they are not known.
    """
    graph = build_graph(tree.datasets)
    names = systems(tree, root)
    known = None if guests is None else GuestsByDataset(guests)
    return {"schema": SCHEMA, "datasets": [_dataset(name, graph, tree, known) for name in names]}


def _dataset(name: str, graph: Graph, tree: Tree, guests: GuestsByDataset | None) -> Document:
    dataset = graph.datasets[name]
    apart = divergence(graph, name, tree.since_origin)
    return {
        "name": name,
        "type": dataset.type,
        "guid": guid(dataset.guid),
        "origin": dataset.origin,
        "used_bytes": dataset.used_bytes,
        "referenced_bytes": dataset.referenced_bytes,
        "used_by": {
            "snapshots": dataset.used_by_snapshots_bytes,
            "dataset": dataset.used_by_dataset_bytes,
            "children": dataset.used_by_children_bytes,
            "refreservation": dataset.used_by_refreservation_bytes,
        },
        "snapshots": [_snapshot(each, graph, tree) for each in graph.snapshots.get(name, ())],
        "bookmarks": [_bookmark(each, graph) for each in graph.bookmarks.get(name, ())],
        "pins": list(pins(graph, name)),
        "shared_with_origin_bytes": None if apart is None else apart.shared_bytes,
        "guests": None if guests is None else [_guest(each) for each in guests.on(name)],
        "guests_with_children": None if guests is None else guests.count(name),
    }


def _guest(on: GuestOnDataset) -> Document:
    return {
        "name": on.guest.name,
        "uuid": on.guest.definition.uuid if on.guest.is_of_libvirt else None,
        "engine": None if on.guest.is_of_libvirt else on.guest.definition.connection,
        "state": on.guest.status.state.name.lower(),
        "disks": list(on.disks),
        "disks_below": list(on.disks_below),
        "other_storage": list(on.others),
    }


def _snapshot(name: str, graph: Graph, tree: Tree) -> Document:
    snapshot = graph.datasets[name]
    frozen = frozen_guests(tree, snapshot, graph.datasets)
    return {
        "name": name,
        "guid": guid(snapshot.guid),
        "createtxg": snapshot.createtxg,
        "creation": snapshot.creation,
        "used_bytes": snapshot.used_bytes,
        "referenced_bytes": snapshot.referenced_bytes,
        "holds": snapshot.holds,
        "clones": list(graph.clones.get(name, ())),
        "frozen_guests": None if frozen is None else list(frozen),
    }


def _bookmark(name: str, graph: Graph) -> Document:
    bookmark = graph.datasets[name]
    return {"name": name, "guid": guid(bookmark.guid), "createtxg": bookmark.createtxg}

"""What clones share, pin and cost is what counting every block on the practice host gives."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.dependencies.machines import machines
from tests.doubles.plan_worlds import GIB, filesystem, snapshot
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import (
    divergence,
    independence,
    origin_cost,
    pins,
    promotion_effect,
)


def test_a_clone_of_a_clone_pins_both_origins() -> None:
    assert ("tank/images@gold", "tank/vm@now") == pins(machines(), "tank/test")
    assert ("tank/images@gold",) == pins(machines(), "tank/vm")
    assert () == pins(machines(), "tank/images")
    assert () == pins(machines(), "tank/vm@now")


def test_origins_that_go_in_a_circle_end() -> None:
    """No ZFS says so; an answer that does must not hang."""
    graph = build_graph((
        filesystem("tank/a", origin="tank/b@s"), snapshot("tank/b@s"),
        filesystem("tank/b", origin="tank/a@s"),
    ))  # fmt: skip

    assert ("tank/a@s", "tank/b@s") == pins(graph, "tank/a")


def test_the_property_that_was_asked_for_counts() -> None:
    found = divergence(machines(), "tank/vm", {"tank/vm": 20 * GIB})

    assert found is not None
    assert (30 * GIB, 20 * GIB, 11 * GIB, 40.0) == (
        found.shared_bytes,
        found.own_bytes,
        found.left_bytes,
        found.percent,
    )


def test_a_snapshot_of_the_clone_still_needs_what_the_clone_has_left() -> None:
    """The clone shares 1 GiB, its snapshot 2 GiB: that much of the origin may be in use."""
    cost = origin_cost(machines(), "tank/images@gold")

    assert (40 * GIB, 38 * GIB, 39 * GIB) == (cost.alone_bytes, cost.idle_least_bytes, cost.idle_most_bytes)


def test_the_first_snapshot_of_the_clone_needs_the_most() -> None:
    older = snapshot("tank/vm@older", 35, referenced_bytes=50 * GIB, written_bytes=30 * GIB)
    graph = build_graph((*machines().datasets.values(), older))

    assert 20 * GIB == origin_cost(graph, "tank/images@gold").idle_least_bytes


def test_what_is_unknown_stays_unknown() -> None:
    graph = machines(used_bytes=None)
    graph = build_graph(
        replace(each, written_bytes=None, used_by_dataset_bytes=None) for each in graph.datasets.values()
    )

    assert divergence(graph, "tank/vm") is None
    assert origin_cost(graph, "tank/images@gold").idle_least_bytes is None
    effect = promotion_effect(graph, "tank/vm")
    assert effect is not None
    assert effect.moved_bytes is None
    assert (None, None) == effect.clone_bytes
    assert promotion_effect(graph, "tank/images") is None
    assert independence(graph, "tank/images") is None


def test_a_copy_needs_what_the_clone_refers_to() -> None:
    found = independence(machines(), "tank/test")

    assert found is not None
    assert (50 * GIB, ("tank/vm@now",)) == (found.needs_bytes, found.unpins)

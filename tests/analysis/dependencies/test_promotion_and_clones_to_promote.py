"""What a promotion changes is what ZFS changes; what it saves stays."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.plan_worlds import Forest, bookmark, filesystem, forests, images, linked, snapshot
from zconsole.analysis.dependencies.affected_objects import build_graph, with_dataset
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import promotion, rescue


def test_the_clone_takes_the_snapshots_up_to_its_origin() -> None:
    datasets = linked((
        filesystem("tank/a"), snapshot("tank/a@1", 1), snapshot("tank/a@2", 2), snapshot("tank/a@3", 3),
        filesystem("tank/b", origin="tank/a@2"), filesystem("tank/c", origin="tank/a@1"),
        filesystem("tank/d", origin="tank/a@3"),
    ))  # fmt: skip

    found = promotion(build_graph(datasets), "tank/b")

    assert found is not None
    assert (("tank/a@1", "tank/b@1"), ("tank/a@2", "tank/b@2")) == found.moves
    assert ("tank/c",) == found.rebased
    origins = {name: each.origin for name, each in found.after.datasets.items() if "@" not in name}
    assert {"tank/a": "tank/b@2", "tank/b": None, "tank/c": "tank/b@1", "tank/d": "tank/a@3"} == origins
    assert ("tank/a",) == found.after.datasets["tank/b@2"].clones


def test_a_name_that_both_have_is_a_conflict() -> None:
    datasets = linked((
        filesystem("tank/a"), snapshot("tank/a@1", 1), filesystem("tank/b", origin="tank/a@1"),
        snapshot("tank/b@1", 2),
    ))  # fmt: skip

    found = promotion(build_graph(datasets), "tank/b")

    assert found is not None
    assert ("1",) == found.conflicts
    assert () == rescue(build_graph(datasets), "tank/a")


def test_bookmarks_up_to_the_origin_move_too() -> None:
    """One whose age is not known may move."""
    datasets = linked((
        filesystem("tank/a"), bookmark("tank/a#gone", 1), snapshot("tank/a@2", 2), bookmark("tank/a#2", 2),
        bookmark("tank/a#3", 3), bookmark("tank/a#x", 0), filesystem("tank/b", origin="tank/a@2"),
        bookmark("tank/b#GONE", 4), bookmark("tank/b#3", 4),
    ))  # fmt: skip
    datasets = tuple(replace(each, createtxg=each.createtxg or None) for each in datasets)

    found = promotion(build_graph(datasets), "tank/b")

    assert found is not None
    assert (("tank/a#2", "tank/b#2"), ("tank/a#gone", "tank/b#gone"), ("tank/a#x", "tank/b#x")) == (
        found.bookmarks
    )
    assert ("gone",) == found.bookmark_conflicts
    assert not found.is_possible
    assert () == rescue(build_graph(datasets), "tank/a")


def test_what_is_no_clone_cannot_be_promoted() -> None:
    assert promotion(build_graph(images()), "tank/home") is None


@given(forest=forests(), choice=st.integers(0, 1000))
def test_promoting_the_other_one_brings_everything_back(forest: Forest, choice: int) -> None:
    graph = build_graph(forest.datasets())
    clones = sorted(name for name, origin in forest.origins.items() if origin is not None)
    if not clones:
        return
    name = clones[choice % len(clones)]
    there = promotion(graph, name)
    assert there is not None
    if not there.is_possible:
        return

    back = promotion(there.after, there.origin_dataset)

    assert back is not None
    assert graph.datasets == back.after.datasets


@given(forest=forests(), choice=st.integers(0, 1000))
def test_a_rescue_leaves_nothing_elsewhere_in_the_way(forest: Forest, choice: int) -> None:
    """After the promotions that it names, what stands elsewhere stays; without clones there it names none."""
    graph = build_graph(forest.datasets())
    name = sorted(forest.origins)[choice % len(forest.origins)]
    elsewhere = with_dataset(graph, name).elsewhere

    steps = rescue(graph, name)

    for step in steps:
        found = promotion(graph, step)
        assert found is not None
        assert found.is_possible
        graph = found.after
    closure = with_dataset(graph, name)
    if steps:
        assert () == closure.elsewhere
        assert {each for each in elsewhere if "@" not in each and "#" not in each} <= set(graph.datasets)
    elif not elsewhere:
        assert () == steps


def test_one_promotion_saves_all_clones_of_an_image() -> None:
    steps = rescue(build_graph(images()), "tank/images")

    assert 1 == len(steps)
    assert steps[0] in {"tank/vm1", "tank/vm2"}

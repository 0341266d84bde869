"""The closure is exactly what has to go: held against a model that knows only what ZFS never leaves over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.plan_worlds import (
    GIB,
    MIB,
    Forest,
    bookmark,
    filesystem,
    forests,
    images,
    linked,
    snapshot,
    volume,
)
from zconsole.analysis.dependencies.affected_objects import (
    build_graph,
    freed_bytes,
    with_dataset,
    with_rename,
    with_rollback,
    with_snapshots,
    with_unmount,
)
from zconsole.model.datasets.dataset import Dataset


def what_cannot_stay(datasets: Iterable[Dataset], targets: Iterable[str]) -> set[str]:
    """Again and again: nothing stays whose parent, dataset or origin goes."""
    gone = set(targets)
    listed = list(datasets)
    while True:
        more = {
            each.name
            for each in listed
            if each.name not in gone
            and (
                each.name.partition("@")[0].partition("#")[0] in gone
                or each.name.rpartition("/")[0] in gone
                or each.origin in gone
            )
        }
        if not more:
            return gone
        gone |= more


@given(forest=forests(), choice=st.integers(0, 1000))
def test_a_dataset_takes_along_what_cannot_stay_without_it(forest: Forest, choice: int) -> None:
    datasets = forest.datasets()
    name = sorted(forest.origins)[choice % len(forest.origins)]

    closure = with_dataset(build_graph(datasets), name)

    assert sorted(what_cannot_stay(datasets, [name])) == list(closure.objects)
    assert all(each.startswith((f"{name}/", f"{name}@", f"{name}#")) for each in closure.below)
    assert not any(each.startswith((f"{name}/", f"{name}@", f"{name}#")) for each in closure.elsewhere)


@given(forest=forests(), choices=st.lists(st.integers(0, 1000), min_size=1, max_size=3))
def test_snapshots_take_along_what_cannot_stay_without_them(forest: Forest, choices: list[int]) -> None:
    datasets = forest.datasets()
    there = sorted(forest.snapshots) or ["tank@none"]
    names = [there[choice % len(there)] for choice in choices]

    closure = with_snapshots(build_graph(datasets), names)

    assert sorted(what_cannot_stay(datasets, names)) == list(closure.objects)


@given(forest=forests(), choice=st.integers(0, 1000))
def test_a_rollback_takes_what_is_newer_and_what_stands_on_that(forest: Forest, choice: int) -> None:
    datasets = forest.datasets()
    if not forest.snapshots:
        return
    name = sorted(forest.snapshots)[choice % len(forest.snapshots)]
    base = name.partition("@")[0]
    ages = {**forest.snapshots, **forest.bookmarks}
    newer = {
        each for each, txg in ages.items() if each.startswith((f"{base}@", f"{base}#")) and txg > ages[name]
    }

    assert sorted(what_cannot_stay(datasets, newer)) == list(
        with_rollback(build_graph(datasets), name).objects
    )


@given(forest=forests(), choice=st.integers(0, 1000))
def test_a_rename_changes_every_name_below_and_no_other(forest: Forest, choice: int) -> None:
    graph = build_graph(forest.datasets())
    name = sorted(forest.origins)[choice % len(forest.origins)]

    changed = dict(with_rename(graph, name, "tank/new"))

    expected = {
        each for each in graph.datasets if each == name or each.startswith(tuple(f"{name}{c}" for c in "/@#"))
    }
    assert expected == set(changed)
    assert all(new == "tank/new" + old.removeprefix(name) for old, new in changed.items())


def test_clones_elsewhere_and_their_clones_are_named() -> None:
    closure = with_snapshots(build_graph(images()), ["tank/images@gold"])

    assert ("tank/vm1", "tank/vm1-test", "tank/vm1@patched", "tank/vm2") == closure.elsewhere
    assert ("tank/vm1", "tank/vm1-test", "tank/vm2") == closure.clones
    assert "" == closure.cycle


def test_clones_inside_of_the_tree_are_named_too() -> None:
    """`-r` on a parent takes them without a word."""
    datasets = linked((
        filesystem("tank"), filesystem("tank/jails"), filesystem("tank/jails/base"),
        snapshot("tank/jails/base@p1"), filesystem("tank/jails/web", origin="tank/jails/base@p1"),
    ))  # fmt: skip

    closure = with_dataset(build_graph(datasets), "tank/jails")

    assert () == closure.elsewhere
    assert ("tank/jails/web",) == closure.clones


def test_a_clone_above_its_own_origin_is_a_cycle() -> None:
    """A renamed tree can stand on a snapshot below itself; `zfs destroy` fails there."""
    datasets = linked((
        filesystem("tank"), filesystem("tank/c", origin="tank/c/x@s"), filesystem("tank/c/x"),
        snapshot("tank/c/x@s"),
    ))  # fmt: skip

    assert "tank/c" == with_dataset(build_graph(datasets), "tank/c").cycle
    assert "tank/c" == with_snapshots(build_graph(datasets), ["tank/c/x@s"]).cycle


def test_a_clone_that_is_not_listed_is_told() -> None:
    """A receive under way works in a hidden clone."""
    datasets = (filesystem("tank"), replace(snapshot("tank@a"), clones=("tank/new/%recv",)))

    assert ("tank/new/%recv",) == with_snapshots(build_graph(datasets), ["tank@a"]).unlisted


def test_snapshots_of_the_same_name_below() -> None:
    assert ("tank/home@daily-2", "tank/home/ann@daily-2") == build_graph(images()).same_named(
        "tank/home@daily-2"
    )


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        (64 * MIB, ["tank/home@daily-1"]),
        (GIB, ["tank/home@daily-1", "tank/home@daily-2"]),
        (3 * GIB, ["tank/home", "tank/home/ann", "tank/home@daily-1", "tank/home#daily-1"]),
        (6 * GIB, ["tank/vm1", "tank/vm2"]),
        (64 * MIB, ["tank/home@daily-2", "tank/home#daily-1"]),
        (0, ["tank/home#daily-1"]),
    ],
)
def test_what_comes_free_is_told_where_zfs_counts_it(expected: int, names: list[str]) -> None:
    assert expected == freed_bytes(build_graph(images()), names)


def test_what_several_snapshots_keep_together_is_not_guessed() -> None:
    datasets = (*images(), snapshot("tank/home@daily-3", 40))

    assert freed_bytes(build_graph(datasets), ["tank/home@daily-1", "tank/home@daily-2"]) is None


def test_an_unmount_takes_children_that_inherit_and_is_blocked_by_others_below() -> None:
    datasets = (
        filesystem("tank"),
        filesystem("tank/home"),
        filesystem("tank/home/ann"),
        filesystem("tank/home/away", mountpoint="/srv/away"),
        filesystem("tank/odd", mountpoint="/tank/home/odd"),
        filesystem("tank/home/off", is_mounted=False),
        volume("tank/home/vol"),
    )

    unmount = with_unmount(build_graph(datasets), "tank/home")

    assert ("tank/home", "tank/home/ann") == unmount.goes
    assert ("tank/odd",) == unmount.blocks


def test_an_empty_file_system_is_not_live_and_one_with_data_is() -> None:
    graph = build_graph((
        filesystem("tank/empty", referenced_bytes=98304, is_mounted=False),
        filesystem("tank/mounted", referenced_bytes=98304),
        filesystem("tank/unknown", referenced_bytes=None, is_mounted=False),
        volume("tank/vol"), snapshot("tank/vol@a"), bookmark("tank/vol#a"),
    ))  # fmt: skip

    assert ["tank/mounted", "tank/unknown", "tank/vol"] == [
        each for each in graph.datasets if graph.is_live(each)
    ]

"""What is worked out from the snapshots of a scope is what all snapshots of the pool tell."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import NOW
from tests.doubles.plan_worlds import Forest, excerpt, filesystem, forests, images, linked, snapshot
from zconsole.analysis.dependencies.affected_objects import (
    Graph,
    build_graph,
    freed_bytes,
    with_dataset,
    with_rename,
    with_rollback,
    with_snapshots,
)
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import promotion, rescue
from zconsole.analysis.dependencies.snapshot_scope import scope_of
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_tree import Tree, systems
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope, SnapshotSelector
from zconsole.model.finding import Finding
from zconsole.reports.json.dataset_tree import tree_document
from zconsole.views.datasets.dataset_tree_document import tree_lines

NUMBERS = st.integers(0, 1000)


def both(forest: Forest, *concerns: SnapshotSelector) -> tuple[Graph, Graph]:
    """All of a pool, and what is read for these."""
    every = forest.datasets()
    return build_graph(every), build_graph(excerpt(every, concerns)[0])


@given(forests(least=25), NUMBERS)
def test_what_goes_with_a_dataset_is_in_its_scope(forest: Forest, choice: int) -> None:
    name = sorted(forest.origins)[choice % len(forest.origins)]
    whole, read = both(forest, SnapshotSelector(name, below=True, clones=True))

    closure = with_dataset(read, name)

    assert with_dataset(whole, name) == closure
    assert rescue(whole, name) == rescue(read, name)
    assert freed_bytes(whole, closure.objects) == freed_bytes(read, closure.objects)
    assert [whole.datasets[each] for each in closure.objects] == [
        read.datasets[each] for each in closure.objects
    ]


@given(forests(least=25), st.lists(NUMBERS, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_what_goes_with_snapshots_is_in_their_scope(
    forest: Forest, choices: list[int], below: bool, as_ranges: bool
) -> None:
    known = sorted(forest.snapshots)
    if not known:
        return
    names = [known[each % len(known)] for each in choices]
    words = [f"{name.partition('@')[0]}@%" for name in names] if as_ranges else names
    whole, read = both(forest, *(SnapshotSelector(word, below=below, clones=True) for word in words))

    meant = [each for name in names for each in (whole.same_named(name) if below else (name,))]
    closure = with_snapshots(read, meant)

    assert meant == [each for name in names for each in (read.same_named(name) if below else (name,))]
    assert with_snapshots(whole, meant) == closure
    assert freed_bytes(whole, closure.objects) == freed_bytes(read, closure.objects)
    assert [whole.datasets[each] for each in closure.objects] == [
        read.datasets[each] for each in closure.objects
    ]
    for base in {name.partition("@")[0] for name in meant}:
        assert tuple(whole.snapshots[base]) == tuple(read.snapshots[base])
    for clone in {clone for name in meant for clone in whole.clones.get(name, ())}:
        assert _words(whole, clone) == _words(read, clone)


@given(forests(least=25), NUMBERS)
def test_what_goes_with_a_rollback_is_in_its_scope(forest: Forest, choice: int) -> None:
    known = sorted(forest.snapshots)
    if not known:
        return
    name = known[choice % len(known)]
    whole, read = both(forest, SnapshotSelector(name.partition("@")[0], clones=True))

    assert with_rollback(whole, name) == with_rollback(read, name)


@given(forests(least=25), NUMBERS)
def test_what_moves_with_a_promotion_is_in_its_scope(forest: Forest, choice: int) -> None:
    name = sorted(forest.origins)[choice % len(forest.origins)]
    whole, read = both(forest, SnapshotSelector(name, origin=True, is_bare=True))

    assert _words(whole, name) == _words(read, name)
    origin = forest.origins[name]
    assert origin is None or whole.datasets[origin] == read.datasets[origin]


@given(forests(least=25), NUMBERS)
def test_what_a_rename_changes_is_in_its_scope(forest: Forest, choice: int) -> None:
    name = sorted(forest.origins)[choice % len(forest.origins)]
    whole, read = both(forest, SnapshotSelector(name, below=True, is_bare=True))

    assert with_rename(whole, name, "tank/new") == with_rename(read, name, "tank/new")


@given(forests(least=25), NUMBERS)
def test_nothing_is_read_of_what_no_clone_connects(forest: Forest, choice: int) -> None:
    """Of every dataset in a scope, one in the tree of the target is what it stands on or below."""
    name = sorted(forest.origins)[choice % len(forest.origins)]

    scope = scope_of([SnapshotSelector(name, below=True, clones=True)], forest.origins)

    for each in scope.whole:
        above = each.rpartition("/")[0]
        base = (forest.origins[each] or "").partition("@")[0]
        assert each == name or above in scope.whole or base in scope.whole
    assert not scope.bare
    assert not scope.named


def test_a_snapshot_alone_takes_its_neighbours_by_name_and_the_clones_of_it_whole() -> None:
    origins = {each.name: each.origin for each in images() if each.type in {"filesystem", "volume"}}

    gold = scope_of([SnapshotSelector("tank/images@gold", clones=True)], origins)
    daily = scope_of([SnapshotSelector("tank/home@daily-2", below=True, clones=True)], origins)
    by_name = scope_of([SnapshotSelector("tank/home@daily-2"), SnapshotSelector("tank/nowhere@x")], origins)

    assert (
        SnapshotScope(
            whole=frozenset({"tank/vm1", "tank/vm1-test", "tank/vm2"}),
            bare=frozenset({"tank/images"}),
            named=frozenset({"tank/images@gold"}),
        )
        == gold
    )
    assert frozenset({"tank/home", "tank/home/ann"}) == daily.bare
    assert frozenset({"tank/home@daily-2", "tank/home/ann@daily-2"}) == daily.named
    assert SnapshotScope(named=frozenset({"tank/home@daily-2"})) == by_name


def test_thousands_of_clones_of_other_snapshots_are_not_read() -> None:
    """An old image that nobody uses any more goes without a look at the machines of the newer one."""
    machines = [filesystem(f"tank/vm{number}", origin="tank/images@new") for number in range(1000)]
    every = linked((
        filesystem("tank"), filesystem("tank/images"), snapshot("tank/images@old", 5),
        snapshot("tank/images@new", 6), *machines,
        *(snapshot(f"{each.name}@s", 9) for each in machines),
    ))  # fmt: skip

    read, _ = excerpt(every, [SnapshotSelector("tank/images@old", clones=True)])

    assert ["tank/images@old", "tank/images@new"] == [each.name for each in read if each.type == "snapshot"]


def _words(graph: Graph, name: str) -> tuple[object, ...] | None:
    """A promotion without the whole of what is there then."""
    found = promotion(graph, name)
    if found is None:
        return None
    after: Dataset | None = found.after.datasets.get(name)
    return (
        found.origin, found.moves, found.bookmarks, found.rebased, found.conflicts,
        found.bookmark_conflicts, after and (after.origin, found.after.snapshots.get(name)),
    )  # fmt: skip


@given(forests(least=25), NUMBERS)
def test_what_a_part_of_a_tree_tells_is_in_its_scope(forest: Forest, choice: int) -> None:
    """As text, with what it has in common with others; as JSON without."""
    name = sorted(forest.origins)[choice % len(forest.origins)]
    every = forest.datasets()
    tree = Tree(("tank",), every)

    kin = replace(tree, datasets=excerpt(every, [SnapshotSelector(name, below=True, kin=True)])[0])
    alone = replace(tree, datasets=excerpt(every, [SnapshotSelector(name, below=True)])[0])

    assert _text(tree, name) == _text(kin, name)
    assert tree_document(tree, name) == tree_document(alone, name)


def _text(tree: Tree, root: str) -> tuple[list[str], list[Finding]]:
    found = [
        finding
        for finding in clone_findings(build_graph(tree.datasets), NOW + 1e9, tree.since_origin)
        if finding.subject.partition("@")[0] in systems(tree, root)
    ]
    return list(tree_lines(tree, found, host="nas", now=NOW, root=root, with_snapshots=True)), found

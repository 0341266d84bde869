"""The rows of the tree of datasets: found by halving, and the same as if each were there."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.snapshot_filter_in_time_slices import IncrementalFilter
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.datasets.dataset_columns import SETS, CellContext, sort_key
from zconsole.views.datasets.tree_row_order_and_folding import BEHIND, Outline, TreeArrangement, link_to

NOW = 1_800_000_000.0
WORDS = ("a", "b", "old")


def tree() -> Graph:
    """A gold image, two clones of it, and a clone of a clone in another place of the pool."""
    return build_graph(
        (
            Dataset("tank", "filesystem", 900),
            Dataset("tank/gold", "filesystem", 100),
            Dataset("tank/gold@1", "snapshot", 5, createtxg=1, clones=("tank/vm/a", "tank/vm/b")),
            Dataset("tank/gold@2", "snapshot", 9, createtxg=2),
            Dataset("tank/gold#1", "bookmark"),
            Dataset("tank/test", "filesystem", 1, origin="tank/vm/a@x"),
            Dataset("tank/vm", "filesystem", 300),
            Dataset("tank/vm/a", "filesystem", 30, origin="tank/gold@1"),
            Dataset("tank/vm/a@x", "snapshot", 3, createtxg=7, clones=("tank/test",)),
            Dataset("tank/vm/b", "filesystem", 40, origin="tank/gold@1"),
        )
    )


def keys(outline: Outline) -> list[str]:
    """The rows as `depth key`."""
    return [f"{outline[at].depth} {outline[at].key.replace(BEHIND, ' > ')}" for at in range(len(outline))]


def test_clones_hang_below_the_snapshot_that_they_stand_on() -> None:
    """And clones of those below them; each is on its own place too."""
    layout = TreeArrangement(tree(), {"tank/gold"})

    assert [
        "0 tank",
        "1 tank/gold",
        "2 tank/gold#1",
        "2 tank/gold@1",
        "3 tank/gold@1 > tank/vm/a",
        "4 tank/gold@1 > tank/vm/a > tank/test",
        "3 tank/gold@1 > tank/vm/b",
        "2 tank/gold@2",
        "1 tank/test",
        "1 tank/vm",
        "2 tank/vm/a",
        "2 tank/vm/b",
    ] == keys(layout.outline())


def test_what_is_folded_hides_all_below_it() -> None:
    layout = TreeArrangement(tree(), folded={"tank/vm"})

    assert ["0 tank", "1 tank/gold", "1 tank/test", "1 tank/vm"] == keys(layout.outline())


def test_siblings_are_sorted_and_the_tree_stays_a_tree() -> None:
    layout = TreeArrangement(tree(), {"tank/gold"})
    layout.key = sort_key("used", SETS["space"], CellContext(layout.graph, NOW), is_reverse=False)

    assert [
        "tank", "tank/vm", "tank/vm/b", "tank/vm/a", "tank/gold", "tank/gold@2", "tank/gold@1",
        "tank/gold#1", "tank/test",
    ] == [key.partition(" ")[2] for key in keys(layout.outline()) if ">" not in key]  # fmt: skip


def sifted(words: str, layout: TreeArrangement) -> Outline:
    """The rows that a filter leaves."""
    query = parse_filter(words)
    assert query is not None
    layout.sieve = IncrementalFilter(layout.graph, query, NOW, layout.every())
    layout.sieve.advance(float("inf"))
    layout.forget()
    return layout.outline()


def test_a_filter_shows_what_it_found_and_what_that_is_in() -> None:
    """Folded or not, opened or not."""
    assert ["0 tank", "1 tank/gold", "2 tank/gold@2"] == keys(
        sifted("@2", TreeArrangement(tree(), folded={"tank"}))
    )


def test_a_dataset_that_is_found_shows_its_snapshots_only_when_opened() -> None:
    assert ["0 tank", "1 tank/gold"] == keys(sifted("gold", TreeArrangement(tree())))
    assert 8 == len(sifted("gold", TreeArrangement(tree(), {"tank/gold"})))


def test_a_clone_has_a_way_to_its_origin() -> None:
    layout = TreeArrangement(tree(), {"tank/gold"})
    link = link_to(layout.graph, "tank/vm/b")

    assert link is not None
    assert 6 == layout.outline().place(link)
    assert link_to(layout.graph, "tank/vm") is None


@dataclass
class Steps:
    """A clock that moves on by one each time it is read."""

    at: float = 0.0
    read: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        self.at += 1.0
        return self.at


def test_a_sieve_stops_when_its_time_is_up_and_goes_on() -> None:
    """However short its turns are, it finds the same."""
    layout, query = TreeArrangement(tree()), parse_filter("*")
    assert query is not None
    whole = IncrementalFilter(layout.graph, query, NOW, layout.every())
    whole.advance(float("inf"))
    sieve, turns = IncrementalFilter(layout.graph, query, NOW, layout.every()), 0
    while not sieve.is_done:
        sieve.advance(0.0, Steps())
        turns += 1

    assert whole.found == sieve.found
    assert turns == len(layout.every())
    assert 4 == whole.count


@st.composite
def forests(draw: st.DrawFn) -> Graph:
    """Random datasets with snapshots and bookmarks."""
    names = {"p"} | {
        "/".join(("p", *path)) for path in draw(st.lists(st.lists(st.sampled_from(WORDS), max_size=3)))
    }
    for name in tuple(names):
        while (name := name.rpartition("/")[0]) and name not in names:
            names.add(name)
    listed = [Dataset(name, "filesystem", draw(st.integers(0, 9))) for name in sorted(names)]
    snapshots = []
    for name in sorted(names):
        sizes = draw(st.lists(st.integers(0, 9), max_size=4))
        snapshots += [
            Dataset(f"{name}@{at}", "snapshot", each, createtxg=at) for at, each in enumerate(sizes)
        ]
        if draw(st.booleans()):
            snapshots.append(Dataset(f"{name}#0", "bookmark"))
    return build_graph((*listed, *snapshots))


@given(forests(), st.data())
def test_every_row_is_found_at_its_place(graph: Graph, data: st.DataObject) -> None:
    """Opened, folded, sorted and filtered in any way: all keys differ, and each leads to its row."""
    systems = sorted(name for name in graph.datasets if "@" not in name and "#" not in name)
    some = st.sets(st.sampled_from(systems))
    layout = TreeArrangement(graph, data.draw(some), data.draw(some))
    column = data.draw(st.sampled_from([None, "used", "age", "name"]))
    if column is not None:
        is_reverse = data.draw(st.booleans())
        layout.key = sort_key(column, SETS["space"], CellContext(graph, NOW), is_reverse=is_reverse)
    words = data.draw(st.sampled_from(["", "a", "@1", "no:clones", "b old"]))
    outline = sifted(words, layout) if words else layout.outline()
    rows = [outline[at] for at in range(len(outline))]

    assert list(range(len(rows))) == [outline.place(row.key) for row in rows]
    assert len(rows) == len({row.key for row in rows})
    assert outline.place("p/nothing@like") is None
    shown = {row.name for row in rows}
    assert all(row.name.rpartition("/")[0] in shown for row in rows if "/" in row.name.partition("@")[0])


@given(forests(), st.data())
def test_opening_one_dataset_is_the_same_as_laying_out_anew(graph: Graph, data: st.DataObject) -> None:
    systems = sorted(name for name in graph.datasets if "@" not in name and "#" not in name)
    layout = TreeArrangement(graph)
    layout.outline()
    for name in data.draw(st.lists(st.sampled_from(systems), max_size=4)):
        layout.opened ^= {name}
        layout.forget(name)

    assert keys(layout.outline()) == keys(TreeArrangement(graph, layout.opened).outline())

"""A filter on columns, letter by letter and in portions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.dependencies.columns import SHORT, in_columns, pools
from tests.analysis.listings import listing_of
from tests.analysis.search.filters import WORDS, one_with, sifted
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.snapshot_graph import Names, graph_of
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.name_matcher import NameMatcher
from zconsole.analysis.search.query_terms import FilterError
from zconsole.analysis.search.snapshot_filter_in_time_slices import AT_ONCE, IncrementalFilter
from zconsole.model.datasets.dataset import Dataset


def told(sieve: IncrementalFilter | None) -> tuple[object, ...] | None:
    if sieve is None:
        return None
    return {name: list(each) for name, each in sieve.found.items()}, sieve.itself, sieve.count


@given(pools(), WORDS)
def test_a_filter_on_columns_finds_what_it_finds_of_objects(
    datasets: tuple[Dataset, ...], words: str
) -> None:
    assert told(sifted(build_graph(datasets), words)) == told(sifted(in_columns(datasets), words))


@given(pools(), WORDS, st.one_of(WORDS, st.text("ab1@-/", max_size=3)))
def test_typing_on_finds_what_asking_anew_finds(datasets: tuple[Dataset, ...], words: str, more: str) -> None:
    """Whatever of the answer before is made use of."""
    graph = in_columns(datasets)
    before = sifted(graph, words)

    for longer in (words + more, f"{words} {more}", words):
        assert told(sifted(graph, longer)) == told(sifted(graph, longer, sifted(graph, words)))
    assert told(before) == told(sifted(graph, words, before))


@given(pools(), WORDS, st.integers(1, 5))
def test_what_was_not_read_waits_and_is_found_then(
    datasets: tuple[Dataset, ...], words: str, most: int
) -> None:
    """In whatever portions it is read."""
    values: dict[int, Dataset] = {}
    graph = graph_of(listing_of(datasets), values)
    sieve = sifted(graph, words)

    while sieve is not None and sieve.lacking:
        name, places = next(iter(sieve.lacking.items()))
        names = graph.snapshots[name]
        assert isinstance(names, Names)
        lacked = {names.columns.guids[place] for place in places[:most]}
        values |= {each.guid: each for each in datasets if each.guid is not None and each.guid in lacked}
        sieve.learn(name, most)

    assert told(sifted(build_graph(datasets), words)) == told(sieve)
    assert sieve is None or not sieve.waits_for


def test_what_is_gone_when_it_is_read_is_not_found() -> None:
    gone = Dataset("tank@a", "snapshot", guid=5, createtxg=1)
    sieve = sifted(graph_of(listing_of((Dataset("tank", "filesystem"), gone)), {}), "no:holds")
    assert sieve is not None
    assert 1 == sieve.waits_for

    sieve.learn("tank", 10)

    assert (0, 0) == (sieve.count, sieve.waits_for)


@given(st.lists(SHORT, min_size=1, max_size=60, unique=True), WORDS, st.data())
def test_portions_of_names_are_sifted_as_all_of_them(
    short: list[str], words: str, data: st.DataObject
) -> None:
    """And few of them one by one."""
    names = graph_of(listing_of(one_with(short)), {}).snapshots["tank"]
    assert isinstance(names, Names)
    try:
        query = parse_filter(words)
    except FilterError:
        return
    if query is None:
        return
    cut = data.draw(st.integers(0, len(short)))
    sieve = NameMatcher(query, "tank")
    whole = list(sieve.sift(names.columns, 0, len(short)))

    in_two = [*sieve.sift(names.columns, 0, cut), *sieve.sift(names.columns, cut, len(short))]

    assert whole == in_two == list(sieve.narrow(names.columns, range(len(short))))


@pytest.mark.slow
def test_a_long_dataset_is_sifted_in_portions_and_few_hits_narrowed() -> None:
    """As somebody types: many, few, one."""
    graph = graph_of(listing_of(one_with(f"auto-{at}" for at in range(3 * AT_ONCE))), {})
    typed = "auto-10"
    sieve = None
    for end in range(1, len(typed) + 1):
        before, sieve = sieve, sifted(graph, f"@{typed[:end]}")
        again = sifted(graph, f"@{typed[:end]}", before)
        assert told(sieve) == told(again)
        sieve = again

    assert sieve is not None
    expected = [f"tank@auto-{at}" for at in range(3 * AT_ONCE) if str(at).startswith("10")]
    assert expected == list(sieve.found["tank"])

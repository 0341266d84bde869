"""A user's expression cannot take the console's time, whatever it is and whatever it is put to."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.listings import listing_of
from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.dependencies.snapshot_graph import graph_of
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.query_terms import FilterError
from zconsole.analysis.search.snapshot_filter_in_time_slices import LIMIT_S, IncrementalFilter
from zconsole.analysis.search.timed_regex import (
    LONGEST_PATTERN,
    STEP_S,
    BadPatternError,
    TimedPattern,
    TimeLimit,
)
from zconsole.model.datasets.dataset import Dataset

pytestmark = pytest.mark.usefixtures("only_own_time")

NOW = 1_800_000_000.0
LATE_S = 10 * STEP_S  # what a batch may take with all around it, on a machine that swaps caches
EXPLODING = ("(a|aa)+$", "(x+x+)+y", "(.*a){12}x", "(a+)+$", "(a|aa)+?x", r"((a|aa)+)\1+$")
HARMLESS = "auto-0.*7$"


def names(many: int) -> tuple[Dataset, ...]:
    """A file system with snapshots whose names are the worst for what explodes, the last of them too."""
    made = (
        Dataset(f"tank@{'a' * 40}{'x' * 40}{at:05}", "snapshot", guid=at + 2, createtxg=at + 1)
        for at in range(many)
    )
    return (Dataset("tank", "filesystem", guid=1), *made)


def pool(many: int, *, is_listed: bool) -> Graph:
    return graph_of(listing_of(names(many)), {}) if is_listed else build_graph(names(many))


def sieve_of(words: str, graph: Graph, before: IncrementalFilter | None = None) -> IncrementalFilter:
    query = parse_filter(words)
    assert query is not None
    return IncrementalFilter(graph, query, NOW, ("tank",), {}, before)


@pytest.mark.parametrize("is_listed", [True, False])
@pytest.mark.parametrize("pattern", EXPLODING)
def test_every_slice_ends_in_time_and_what_explodes_is_given_up(pattern: str, is_listed: bool) -> None:
    sieve = sieve_of(f"/{pattern}/", pool(10_000, is_listed=is_listed))
    longest = 0.0

    for _ in range(100):
        began = process_time()
        sieve.advance(0.0)  # one step
        longest = max(longest, process_time() - began)
        if sieve.is_done:
            break

    assert LATE_S > longest
    assert sieve.is_given_up == (sieve.is_done and not sieve.count)
    assert sieve.is_given_up or pattern != "(a|aa)+$"


def test_what_is_slow_over_many_names_and_not_over_one_is_given_up_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = count(0, LIMIT_S / 3)
    monkeypatch.setattr(
        "zconsole.analysis.search.snapshot_filter_in_time_slices.process_time", lambda: next(spent)
    )
    sieve = sieve_of(f"/{HARMLESS}/", pool(20_000, is_listed=True))

    sieve.advance(float("inf"))

    assert sieve.is_given_up
    assert not sieve.count


def test_what_is_in_time_is_found_though_batches_had_to_shrink() -> None:
    graph = pool(3_000, is_listed=True)
    quick, shrunk = (sieve_of(r"/a+x+\d+7$/", graph) for _ in range(2))
    shrunk._at_once = 7

    quick.advance(float("inf"))
    shrunk.advance(float("inf"))

    assert 300 == quick.count == shrunk.count
    assert not quick.is_given_up


def test_what_was_given_up_is_no_ground_for_a_narrower_filter() -> None:
    graph = pool(3_000, is_listed=True)
    given_up = sieve_of("/x/", graph)
    given_up._at_once = 100
    given_up.advance(0.0)
    given_up.is_given_up = True

    narrower = sieve_of("/x/ 00", graph, given_up)
    narrower.advance(float("inf"))

    assert sorted(name for name in graph.datasets if "00" in name and "@" in name) == sorted(
        narrower.found["tank"]
    )


def test_many_bookmarks_are_looked_at_in_parts() -> None:
    marks = (Dataset(f"tank#{at}", "bookmark", guid=at + 9, createtxg=1) for at in range(20_000))
    graph = graph_of(listing_of((Dataset("tank", "filesystem", guid=1), *names(1)[1:], *marks)), {})
    sieve = sieve_of(r"/\d/", graph)

    sieve.advance(float("inf"))

    assert not sieve.is_given_up


@given(st.text(max_size=40) | st.from_regex(r"[(|)a-z.*+?{}0-9\[\]\\^$]{1,30}", fullmatch=True))
def test_any_text_is_an_expression_or_no_expression_and_ends_in_time(pattern: str) -> None:
    limit = TimeLimit()
    began = process_time()
    with suppress(BadPatternError, TimeoutError):
        TimedPattern(pattern, limit).search("a" * 100 + "b" * 100)
    assert LATE_S > process_time() - began


def test_a_pattern_too_long_to_compile_in_time_is_refused() -> None:
    with pytest.raises(FilterError, match=f"longer than {LONGEST_PATTERN} characters"):
        parse_filter("/" + "a{1,9}" * 20_000 + "/")


def test_a_limit_that_has_passed_is_an_error_before_anything_is_searched() -> None:
    limit = TimeLimit()
    limit.begin(-1.0)

    with pytest.raises(TimeoutError):
        TimedPattern("a", limit).search("a")


@pytest.mark.parametrize(
    "pattern",
    [
        ".{99999999}", "x{9999999,}", "(ab){99999999}", "[^]a]{ 9999999 }", "((a{200}){200}){200}",
        "(?:.{999}){999}", r"\d{1000000,2000000}", "(a{9999}b{9999}c{9999})", "a" + "{9}" * 300,
    ],
)  # fmt: skip
def test_what_would_be_written_out_many_times_is_refused_before_it_is(pattern: str) -> None:
    """The engine takes seconds and gigabytes for it, and nothing interrupts that."""
    with pytest.raises(BadPatternError, match="too many times"):
        TimedPattern(pattern, TimeLimit())


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{4}-\d{2}-\d{2}_\d{2}:\d{2}", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ".{0,99999999}",
        "(a{1,200}){1,200}", r"\{9999999\}", "[{9999999}]", r"\p{L}{3}", "((x{9}){9}){9}",
    ],
)  # fmt: skip
def test_repetitions_that_people_write_are_taken(pattern: str) -> None:
    assert TimedPattern(pattern, TimeLimit()).pattern == pattern

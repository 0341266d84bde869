"""Filters of random words, and what they find."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from tests.analysis.dependencies.columns import NOW
from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.query_terms import FilterError
from zconsole.analysis.search.snapshot_filter_in_time_slices import IncrementalFilter, cloned_in
from zconsole.model.datasets.dataset import Dataset

TEXTS = st.sampled_from(
    ["a", "AB", "tank", "k", "@", "@a", "b@A", "ank/a@", "-1", "zz", "K", "a@b@c", "\u017f", " "]
)
PATTERNS = st.one_of(
    st.sampled_from([
        "a$", "^tank@", "@a|b-", "[ab]{2}@", "[^a]$", "\\s", "\\Sk", "a.b", "(a|b)+_", "(?i:A)b", "(?=.*1)a",
        "(?!.*1)a", "[!-_]b", "[A-C]", "[a-c]", "\\d\\d", "\\bA", "\\Ba", "\\Aa", "9\\Z", "(.)\\1", "(?<!a)b",
        "x*", "(?P<n>a)", "a{1,2}", "[k-]", "\\.", "\\x61", "[\\d-]", "$", "(?s:.)$", "[a-]", "[]a]", "[^]a]",
        "(?!\\s)a", "(?!\\D)", "a(?!\\W)", "(?![^a])b", "\\w$", "a?b??", "(?:a|)b", "^.{6}$", "a\\Z",
        "[0-9]-", "[[a]", "a--b", "[0-2]_", "[b-k]9", "a[^b]*$", "b\\W", "a.*9", "b\\Dk", "^", "a{0}b",
        "ab?$", "tank@a|b", "a(?<=@a)", "k@a*$", "[^@]$", "(a|)1", "a|", "\\-[01]",
    ]),
    st.text("aAk1@.*+?|()[]^$\\\\-{}, dswbB", max_size=8),
)  # fmt: skip
GLOBS = st.sampled_from(["a*", "*b", "?a*", "tank*@*1*", "*", "[ab]*", "*A*", "*@a*"])
OTHERS = st.sampled_from(
    ["held", "no:holds", "has:clones", "no:clones", "older:30d", "newer:2d", "larger:1G"]
)
WORDS = st.lists(st.one_of(TEXTS, PATTERNS.map(lambda each: f"/{each}/"), GLOBS, OTHERS), max_size=3).map(
    " ".join
)


def sifted(graph: Graph, words: str, before: IncrementalFilter | None = None) -> IncrementalFilter | None:
    """All that a filter finds, reading what it lacks; None where it asks for nothing that makes sense."""
    try:
        query = parse_filter(words)
    except FilterError:
        return None
    if query is None:
        return None
    order = [name for name, each in graph.datasets.items() if each.type in {"filesystem", "volume"}]
    sieve = IncrementalFilter(graph, query, NOW, sorted(order), cloned_in(graph), before)
    sieve.advance(float("inf"))
    return sieve


def one_with(short: Iterable[str]) -> tuple[Dataset, ...]:
    """A dataset with snapshots of these names."""
    made = (Dataset(f"tank@{each}", "snapshot", guid=at, createtxg=at) for at, each in enumerate(short))
    return (Dataset("tank", "filesystem"), *made)

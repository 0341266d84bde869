"""A narrower filter finds no other names."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given

from tests.analysis.listings import listing_of
from tests.analysis.search.filters import WORDS, one_with, sifted
from zconsole.analysis.dependencies.snapshot_graph import graph_of
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.analysis.search.query_terms import FilterError
from zconsole.analysis.search.snapshot_filter_in_time_slices import AT_ONCE, is_narrower
from zconsole.analysis.search.timed_regex import TimedPattern, TimeLimit

NOW = 1_800_000_000.0


def test_many_hits_and_few_are_put_together_in_the_order_of_the_names() -> None:
    """All in one portion, few in the next, none, and one of many."""
    count = 4 * AT_ONCE
    hourly = {*range(AT_ONCE), *range(AT_ONCE, 2 * AT_ONCE, 97), count - 1}
    short = [f"{'hourly' if at in hourly else 'daily'}-{at}" for at in range(count)]
    graph = graph_of(listing_of(one_with(short)), {})

    for words in ("hourly", "h", "/hour.*-\\d+$/", "/[g-i]our/", "hourly -", "/^tank@h/", "hourly /[^x]$/"):
        found = sifted(graph, words)

        assert found is not None
        assert [f"tank@{each}" for each in short if each[0] == "h"] == list(found.found["tank"])
        some = sifted(graph, f"{words} 63", found)
        assert some is not None
        wanted = [f"tank@{each}" for each in short if each[0] == "h" and "63" in each]
        assert wanted == list(some.found["tank"])


@given(WORDS, WORDS)
def test_what_is_narrower_finds_no_other_names(words: str, before: str) -> None:
    try:
        one, other = parse_filter(words), parse_filter(before)
    except FilterError:
        return
    if one is None or other is None or not is_narrower(one, other):
        return

    for name in ("tank/ab@a1", "tank@B k", "tank/a/B@_-19", "tank/k@aab"):
        if _is_meant(one.texts, one.regexes, name):
            assert _is_meant(other.texts, other.regexes, name)


def _is_meant(texts: Sequence[str], regexes: Sequence[str], name: str) -> bool:
    fits = all(TimedPattern(each, TimeLimit()).search(name) for each in regexes)
    return fits and all(each in name.lower() for each in texts)

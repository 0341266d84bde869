"""Snapshots in columns say what the same ones say as objects: what hangs on what, what a filter means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.listings import listing_of
from zconsole.analysis.dependencies.closure import Graph, graph
from zconsole.analysis.dependencies.snapshot_graph import Chained, Names, Picked, graph_of
from zconsole.analysis.search.incremental_filter import AT_ONCE, Sieve, cloned_in, is_narrower, parts
from zconsole.analysis.search.name_matcher import NameSieve
from zconsole.analysis.search.query import FilterError, parse_filter
from zconsole.analysis.search.timed_regex import TimedPattern, TimeLimit
from zconsole.model.datasets.dataset import Dataset

NOW = 1_800_000_000.0
DAY = 86400
GIB = 1 << 30
SHORT = st.text("abAB019_-:. k", min_size=1, max_size=6)


@st.composite
def pools(draw: st.DrawFn) -> tuple[Dataset, ...]:
    """Some datasets with snapshots and bookmarks, of which some were cloned."""
    names = [
        "tank",
        *draw(st.lists(st.sampled_from(["tank/ab", "tank/a", "tank/a/B", "tank/k"]), unique=True)),
    ]
    found, txg = [], 0
    for name in names:
        short = draw(st.lists(SHORT, max_size=12, unique=True))
        found += [
            Dataset(f"{name}#{each}", "bookmark", createtxg=1, guid=9, creation=5) for each in short[:1]
        ]
        for each in short:
            txg += 1
            found.append(
                Dataset(
                    f"{name}@{each}", "snapshot", guid=1000 + txg, createtxg=txg,
                    used_bytes=draw(st.sampled_from([None, 0, 3 * GIB])),
                    creation=draw(st.sampled_from([None, int(NOW) - DAY, int(NOW) - 90 * DAY])),
                    holds=draw(st.sampled_from([None, 0, 2])),
                )
            )  # fmt: skip
    origins = [each.name for each in found if each.type == "snapshot"]
    cloned = draw(st.lists(st.sampled_from(origins), max_size=3)) if origins else []
    clones = {f"tank/clone{at}": origin for at, origin in enumerate(cloned)}
    systems = [Dataset(name, "filesystem", guid=at + 1) for at, name in enumerate(names)]
    systems += [Dataset(name, "volume", origin=origin, guid=77) for name, origin in clones.items()]
    by_origin = {origin: tuple(sorted(c for c, o in clones.items() if o == origin)) for origin in cloned}
    return (*systems, *(replace(each, clones=by_origin.get(each.name, ())) for each in found))


def in_columns(datasets: Sequence[Dataset], *, is_read: bool = True) -> Graph:
    """The graph of a listing of them, with all values read, or none."""
    values = {each.guid: each for each in datasets if each.type == "snapshot" and each.guid is not None}
    return graph_of(listing_of(datasets), values if is_read else {})


@given(pools())
def test_columns_hang_together_as_objects_do(datasets: tuple[Dataset, ...]) -> None:
    objects, columns = graph(datasets), in_columns(datasets)

    assert dict(objects.datasets) == dict(columns.datasets)
    assert len(objects.datasets) == len(columns.datasets)
    assert {name: tuple(each) for name, each in objects.snapshots.items()} == {
        name: tuple(each) for name, each in columns.snapshots.items()
    }
    assert objects.children == columns.children
    assert objects.bookmarks == columns.bookmarks
    assert objects.clones == columns.clones
    assert cloned_in(objects) == cloned_in(columns)
    for name in objects.children:
        assert list(parts(objects, name)) == list(parts(columns, name))


@given(pools())
def test_of_what_was_not_read_only_the_name_and_its_numbers_are_known(datasets: tuple[Dataset, ...]) -> None:
    columns = in_columns(datasets, is_read=False)

    for each in datasets:
        if each.type == "snapshot":
            assert columns.datasets[each.name] == Dataset(
                each.name, "snapshot", clones=each.clones, createtxg=each.createtxg, guid=each.guid
            )
    assert "tank@nothing" not in columns.datasets
    assert "tank/nothing@x" not in columns.datasets
    assert 5 not in columns.datasets


@given(pools(), st.data())
def test_names_are_found_where_they_stand(datasets: tuple[Dataset, ...], data: st.DataObject) -> None:
    for names in in_columns(datasets).snapshots.values():
        assert isinstance(names, Names)
        every = list(names)
        some = data.draw(st.lists(st.sampled_from(range(len(every))), unique=True).map(sorted))
        picked = Picked(names, some)
        chained = Chained(["tank#x"], picked)

        assert [names[at] for at in range(len(names))] == every
        assert [names.find(each) for each in reversed(every)] == list(reversed(range(len(every))))
        assert [every[at] for at in some] == list(picked)
        assert ["tank#x", *picked] == list(chained)
        assert [picked.find(each) for each in every] == [
            some.index(at) if at in some else None for at in range(len(every))
        ]
        assert all(at == chained.index(each) for at, each in enumerate(chained))
        assert tuple(every[1:3]) == names[1:3]
        assert every[-1] == names[-1]
        with pytest.raises(IndexError):
            names[len(every)]
        with pytest.raises(ValueError, match="tank"):
            names.index(every[0], 1)


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


def sifted(hung: Graph, words: str, before: Sieve | None = None) -> Sieve | None:
    """All that a filter finds, reading what it lacks; None where it asks for nothing that makes sense."""
    try:
        query = parse_filter(words)
    except FilterError:
        return None
    if query is None:
        return None
    order = [name for name, each in hung.datasets.items() if each.type in {"filesystem", "volume"}]
    sieve = Sieve(hung, query, NOW, sorted(order), cloned_in(hung), before)
    sieve.advance(float("inf"))
    return sieve


def told(sieve: Sieve | None) -> tuple[object, ...] | None:
    if sieve is None:
        return None
    return {name: list(each) for name, each in sieve.found.items()}, sieve.itself, sieve.count


@given(pools(), WORDS)
def test_a_filter_on_columns_finds_what_it_finds_of_objects(
    datasets: tuple[Dataset, ...], words: str
) -> None:
    assert told(sifted(graph(datasets), words)) == told(sifted(in_columns(datasets), words))


@given(pools(), WORDS, st.one_of(WORDS, st.text("ab1@-/", max_size=3)))
def test_typing_on_finds_what_asking_anew_finds(datasets: tuple[Dataset, ...], words: str, more: str) -> None:
    """Whatever of the answer before is made use of."""
    hung = in_columns(datasets)
    before = sifted(hung, words)

    for longer in (words + more, f"{words} {more}", words):
        assert told(sifted(hung, longer)) == told(sifted(hung, longer, sifted(hung, words)))
    assert told(before) == told(sifted(hung, words, before))


@given(pools(), WORDS, st.integers(1, 5))
def test_what_was_not_read_waits_and_is_found_then(
    datasets: tuple[Dataset, ...], words: str, most: int
) -> None:
    """In whatever portions it is read."""
    values: dict[int, Dataset] = {}
    hung = graph_of(listing_of(datasets), values)
    sieve = sifted(hung, words)

    while sieve is not None and sieve.lacking:
        name, places = next(iter(sieve.lacking.items()))
        names = hung.snapshots[name]
        assert isinstance(names, Names)
        lacked = {names.columns.guids[place] for place in places[:most]}
        values |= {each.guid: each for each in datasets if each.guid is not None and each.guid in lacked}
        sieve.learn(name, most)

    assert told(sifted(graph(datasets), words)) == told(sieve)
    assert sieve is None or not sieve.waits_for


def test_what_is_gone_when_it_is_read_is_not_found() -> None:
    gone = Dataset("tank@a", "snapshot", guid=5, createtxg=1)
    sieve = sifted(graph_of(listing_of((Dataset("tank", "filesystem"), gone)), {}), "no:holds")
    assert sieve is not None
    assert 1 == sieve.waits_for

    sieve.learn("tank", 10)

    assert (0, 0) == (sieve.count, sieve.waits_for)


def one_with(short: Iterable[str]) -> tuple[Dataset, ...]:
    """A dataset with snapshots of these names."""
    made = (Dataset(f"tank@{each}", "snapshot", guid=at, createtxg=at) for at, each in enumerate(short))
    return (Dataset("tank", "filesystem"), *made)


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
    sieve = NameSieve(query, "tank")
    whole = list(sieve.sift(names.columns, 0, len(short)))

    in_two = [*sieve.sift(names.columns, 0, cut), *sieve.sift(names.columns, cut, len(short))]

    assert whole == in_two == list(sieve.narrow(names.columns, range(len(short))))


def test_a_long_dataset_is_sifted_in_portions_and_few_hits_narrowed() -> None:
    """As somebody types: many, few, one."""
    hung = graph_of(listing_of(one_with(f"auto-{at}" for at in range(3 * AT_ONCE))), {})
    typed = "auto-10"
    sieve = None
    for end in range(1, len(typed) + 1):
        before, sieve = sieve, sifted(hung, f"@{typed[:end]}")
        again = sifted(hung, f"@{typed[:end]}", before)
        assert told(sieve) == told(again)
        sieve = again

    assert sieve is not None
    expected = [f"tank@auto-{at}" for at in range(3 * AT_ONCE) if str(at).startswith("10")]
    assert expected == list(sieve.found["tank"])


def test_many_hits_and_few_are_put_together_in_the_order_of_the_names() -> None:
    """All in one portion, few in the next, none, and one of many."""
    count = 4 * AT_ONCE
    hourly = {*range(AT_ONCE), *range(AT_ONCE, 2 * AT_ONCE, 97), count - 1}
    short = [f"{'hourly' if at in hourly else 'daily'}-{at}" for at in range(count)]
    hung = graph_of(listing_of(one_with(short)), {})

    for words in ("hourly", "h", "/hour.*-\\d+$/", "/[g-i]our/", "hourly -", "/^tank@h/", "hourly /[^x]$/"):
        found = sifted(hung, words)

        assert found is not None
        assert [f"tank@{each}" for each in short if each[0] == "h"] == list(found.found["tank"])
        some = sifted(hung, f"{words} 63", found)
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

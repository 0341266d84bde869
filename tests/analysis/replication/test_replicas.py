"""Copies are known by guids; which way they were sent, how far behind they are, what they still need."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.replication.coverage import coverage
from zconsole.analysis.replication.replicas import Replica, Standing, bases, replicas
from zconsole.model.datasets.replication import HostLineages, Lineage, Point
from zconsole.model.finding import Severity

MIB = 1 << 20


def lineage(
    name: str, guids: str, *, created: int = 0, marks: str = "", size: int = 5 * MIB, token: str = ""
) -> Lineage:
    """A dataset; each letter is a snapshot, taken at its place in the alphabet."""

    def points(letters: str, sign: str) -> tuple[Point, ...]:
        return tuple(
            Point(f"{name}{sign}{letter}", ord(letter), 1000 * created + at, 100 * (ord(letter) - 96))
            for at, letter in enumerate(letters)
        )

    guid = hash(name) & 0xFFFFFFFF
    snapshots = points(guids, "@")
    known = {point.guid: point.createtxg for point in snapshots}
    bookmarks = tuple(
        Point(mark.name, mark.guid, known.get(mark.guid, at - 50), mark.creation)
        for at, mark in enumerate(points(marks, "#"))
    )
    return Lineage(name, "filesystem", guid, created, size, token, snapshots, bookmarks)


def one(source: Lineage, copy: Lineage, other: str = "vault") -> Replica:
    """The one pair, whichever way the hosts are named."""
    hosts = [HostLineages("nas", (source,)), HostLineages(other, (copy,))]
    (found,) = replicas(hosts)
    assert (found,) == replicas(hosts[::-1])
    return found


def test_a_copy_that_has_all_is_current() -> None:
    found = one(lineage("tank/home", "abc"), lineage("backup/home", "abc", created=350))

    assert ("nas:tank/home", "vault:backup/home") == (found.source.name, found.copy.name)
    assert (Standing.CURRENT, 0, 0, 0) == (found.standing, found.behind, found.behind_s, found.own)
    assert ("tank/home@c", "backup/home@c", "tank/home@b") == (
        found.common.name,
        found.common_there.name,
        found.older_common.name if found.older_common else None,
    )


def test_a_copy_that_is_behind_says_by_how_much() -> None:
    found = one(lineage("tank/home", "abcde"), lineage("backup/home", "bc", created=350))

    assert (Standing.BEHIND, 2, 200) == (found.standing, found.behind, found.behind_s)
    assert "tank/home@e" == (found.newest and found.newest.name)


def test_a_copy_with_snapshots_of_its_own_has_diverged() -> None:
    found = one(lineage("tank/home", "abcd"), lineage("backup/home", "abxy", created=350))

    assert (Standing.DIVERGED, 2, 2) == (found.standing, found.behind, found.own)


def test_a_copy_that_is_used_on_while_its_source_rests_goes_on_alone() -> None:
    found = one(lineage("tank/home", "ab"), lineage("backup/home", "abxy", created=350))

    assert ("nas:tank/home", Standing.ALONE, 2) == (found.source.name, found.standing, found.own)
    assert () == bases([found])


def test_of_two_that_were_both_received_who_is_ahead_is_the_source() -> None:
    found = one(lineage("b/x", "abc", created=400), lineage("a/x", "ab", created=350))

    assert "nas:b/x" == found.source.name
    found = one(lineage("b/x", "ab", created=400), lineage("a/x", "ab", created=350))
    assert "vault:a/x" == found.source.name


def test_a_bookmark_is_enough_to_go_on_from() -> None:
    found = one(lineage("tank/home", "cd", marks="ab"), lineage("backup/home", "ab", created=350))

    assert ("tank/home#b", True, 2) == (found.common.name, found.is_base_a_bookmark, found.behind)
    found = one(lineage("tank/home", "abcd", marks="ab"), lineage("backup/home", "ab", created=350))
    assert "tank/home@b" == found.common.name


def test_bookmarks_alone_make_no_copy() -> None:
    hosts = [HostLineages("nas", (lineage("a", "", marks="ab"), lineage("b", "", marks="ab")))]
    assert () == replicas(hosts)


def test_three_copies_make_three_pairs() -> None:
    hosts = [
        HostLineages("one", (lineage("t/x", "abc"),)),
        HostLineages("two", (lineage("u/x", "ab", created=250),)),
        HostLineages("three", (lineage("v/x", "a", created=270),)),
    ]
    expected = [("one:t/x", "three:v/x"), ("one:t/x", "two:u/x"), ("two:u/x", "three:v/x")]

    for order in permutations(hosts):
        assert expected == [(each.source.name, each.copy.name) for each in replicas(order)]


def test_one_dataset_that_is_seen_twice_is_no_copy_of_itself() -> None:
    same = lineage("tank/home", "abc")
    assert () == replicas([HostLineages("nas", (same,)), HostLineages("nas.example.net", (same,))])


def test_what_the_next_increment_builds_on_must_stay_on_both_sides() -> None:
    found = one(lineage("tank/home", "abcde"), lineage("backup/home", "bc", created=350))

    assert [
        (
            "nas",
            "tank/home@c",
            "the next increment to vault:backup/home starts from it; the one before is tank/home@b",
        ),
        (
            "vault",
            "backup/home@c",
            "the next increment from nas:tank/home builds on it; the one before is tank/home@b",
        ),
    ] == [(base.host, base.name, base.reason) for base in bases([found])]
    last = one(lineage("tank/home", "c"), lineage("backup/home", "c", created=350))
    assert bases([last])[0].reason.endswith("; there is no older one")


LETTERS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8).map(
    lambda each: "".join(sorted(each))
)


@given(LETTERS, LETTERS, LETTERS, st.sampled_from([0, 350]), st.sampled_from([0, 350]))
def test_a_pair_is_told_alike_whichever_way_it_is_asked(
    first: str, second: str, marks: str, created: int, also: int
) -> None:
    a, b = lineage("t/x", first, created=created, marks=marks), lineage("u/x", second, created=also)
    hosts = [HostLineages("one", (a,)), HostLineages("two", (b,))]
    found = replicas(hosts)

    assert found == replicas(hosts[::-1])
    assert bool(found) == bool((set(first) | set(marks)) & set(second))
    for each in found:
        assert each.common.guid == each.common_there.guid
        assert each.common_there in each.copy.lineage.snapshots
        assert each.behind <= len(each.source.lineage.snapshots)


def test_what_is_not_covered_is_said_once_a_pool_and_is_no_alarm() -> None:
    bare = [lineage(f"tank/{number}", "") for number in range(7)]
    empty, cut = lineage("tank", "", size=98304), lineage("tank/cut", "", token="1-2-3-4")
    source, copy = lineage("tank/home", "ab"), lineage("backup/home", "ab", created=350)
    hosts = [HostLineages("nas", (empty, *bare, cut, source)), HostLineages("vault", (copy,))]
    found = list(coverage(hosts, replicas(hosts)))

    assert {Severity.INFO} == {each.severity for each in found}
    assert ["dataset-no-snapshots", "dataset-no-copy", "receive-cut"] == [each.id for each in found]
    assert (
        "7 datasets without a snapshot: tank/0, tank/1, tank/2, tank/3, tank/4 and 2 more" == found[0].summary
    )
    assert tuple(each.name for each in bare) == found[0].evidence["datasets"]
    assert found[1].summary.startswith("8 datasets without a copy in the other pool: tank/0")


def test_of_a_single_pool_nothing_is_said_of_copies() -> None:
    hosts = [HostLineages("nas", (lineage("tank/home", "ab"),))]
    assert [] == list(coverage(hosts, ()))


def test_a_copy_on_the_same_pool_is_none_elsewhere() -> None:
    pair = (lineage("tank/home", "ab"), lineage("tank/copy", "ab", created=350))
    hosts = [HostLineages("nas", (*pair, lineage("bulk", "", size=0)))]
    (found,) = replicas(hosts)

    assert found.is_on_one_pool
    assert ["dataset-no-copy"] == [each.id for each in coverage(hosts, (found,))]


@pytest.mark.parametrize(("own", "words"), [("x", "1 snapshot of"), ("xy", "2 snapshots of")])
def test_a_copy_that_cannot_go_on_is_named(own: str, words: str) -> None:
    hosts = [
        HostLineages("nas", (lineage("tank/home", "abcd"),)),
        HostLineages("vault", (lineage("backup/home", f"ab{own}", created=350),)),
    ]
    (found,) = coverage(hosts, replicas(hosts))

    assert ("replica-diverged", "vault:backup/home", len(own)) == (
        found.id,
        found.subject,
        found.evidence["own"],
    )
    assert words in found.summary

"""Copies are known by guids; which way they were sent, how far behind they are, what they still need."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.replication.lineages import lineage
from zconsole.analysis.replication.replicas_and_send_bases import Replica, ReplicaState, bases, replicas
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost


def one(source: ReplicatedDataset, copy: ReplicatedDataset, other: str = "vault") -> Replica:
    """The one pair, whichever way the hosts are named."""
    hosts = [ReplicatedHost("nas", (source,)), ReplicatedHost(other, (copy,))]
    (found,) = replicas(hosts)
    assert (found,) == replicas(hosts[::-1])
    return found


def test_a_copy_that_has_all_is_current() -> None:
    found = one(lineage("tank/home", "abc"), lineage("backup/home", "abc", created=350))

    assert ("nas:tank/home", "vault:backup/home") == (found.source.name, found.copy.name)
    assert (ReplicaState.CURRENT, 0, 0, 0) == (found.standing, found.behind, found.behind_s, found.own)
    assert ("tank/home@c", "backup/home@c", "tank/home@b") == (
        found.common.name,
        found.common_there.name,
        found.older_common.name if found.older_common else None,
    )


def test_a_copy_that_is_behind_says_by_how_much() -> None:
    found = one(lineage("tank/home", "abcde"), lineage("backup/home", "bc", created=350))

    assert (ReplicaState.BEHIND, 2, 200) == (found.standing, found.behind, found.behind_s)
    assert "tank/home@e" == (found.newest and found.newest.name)


def test_a_copy_with_snapshots_of_its_own_has_diverged() -> None:
    found = one(lineage("tank/home", "abcd"), lineage("backup/home", "abxy", created=350))

    assert (ReplicaState.DIVERGED, 2, 2) == (found.standing, found.behind, found.own)


def test_a_copy_that_is_used_on_while_its_source_rests_goes_on_alone() -> None:
    found = one(lineage("tank/home", "ab"), lineage("backup/home", "abxy", created=350))

    assert ("nas:tank/home", ReplicaState.ALONE, 2) == (found.source.name, found.standing, found.own)
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
    hosts = [ReplicatedHost("nas", (lineage("a", "", marks="ab"), lineage("b", "", marks="ab")))]
    assert () == replicas(hosts)


def test_three_copies_make_three_pairs() -> None:
    hosts = [
        ReplicatedHost("one", (lineage("t/x", "abc"),)),
        ReplicatedHost("two", (lineage("u/x", "ab", created=250),)),
        ReplicatedHost("three", (lineage("v/x", "a", created=270),)),
    ]
    expected = [("one:t/x", "three:v/x"), ("one:t/x", "two:u/x"), ("two:u/x", "three:v/x")]

    for order in permutations(hosts):
        assert expected == [(each.source.name, each.copy.name) for each in replicas(order)]


def test_one_dataset_that_is_seen_twice_is_no_copy_of_itself() -> None:
    same = lineage("tank/home", "abc")
    assert () == replicas([ReplicatedHost("nas", (same,)), ReplicatedHost("nas.example.net", (same,))])


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
    hosts = [ReplicatedHost("one", (a,)), ReplicatedHost("two", (b,))]
    found = replicas(hosts)

    assert found == replicas(hosts[::-1])
    assert bool(found) == bool((set(first) | set(marks)) & set(second))
    for each in found:
        assert each.common.guid == each.common_there.guid
        assert each.common_there in each.copy.lineage.snapshots
        assert each.behind <= len(each.source.lineage.snapshots)

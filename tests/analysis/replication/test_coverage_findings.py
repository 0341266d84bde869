"""Datasets without a copy elsewhere, and copies that cannot go on."""

from __future__ import annotations

import pytest

from tests.analysis.replication.lineages import lineage
from zconsole.analysis.replication.coverage_findings import coverage
from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.model.datasets.replication import ReplicatedHost
from zconsole.model.finding import Severity


def test_what_is_not_covered_is_said_once_a_pool_and_is_no_alarm() -> None:
    bare = [lineage(f"tank/{number}", "") for number in range(7)]
    empty, cut = lineage("tank", "", size=98304), lineage("tank/cut", "", token="1-2-3-4")
    source, copy = lineage("tank/home", "ab"), lineage("backup/home", "ab", created=350)
    hosts = [ReplicatedHost("nas", (empty, *bare, cut, source)), ReplicatedHost("vault", (copy,))]
    found = list(coverage(hosts, replicas(hosts)))

    assert {Severity.INFO} == {each.severity for each in found}
    assert ["dataset-no-snapshots", "dataset-no-copy", "receive-cut"] == [each.id for each in found]
    assert (
        "7 datasets without a snapshot: tank/0, tank/1, tank/2, tank/3, tank/4 and 2 more" == found[0].summary
    )
    assert tuple(each.name for each in bare) == found[0].evidence["datasets"]
    assert found[1].summary.startswith("8 datasets without a copy in the other pool: tank/0")


def test_of_a_single_pool_nothing_is_said_of_copies() -> None:
    hosts = [ReplicatedHost("nas", (lineage("tank/home", "ab"),))]
    assert [] == list(coverage(hosts, ()))


def test_a_copy_on_the_same_pool_is_none_elsewhere() -> None:
    pair = (lineage("tank/home", "ab"), lineage("tank/copy", "ab", created=350))
    hosts = [ReplicatedHost("nas", (*pair, lineage("bulk", "", size=0)))]
    (found,) = replicas(hosts)

    assert found.is_on_one_pool
    assert ["dataset-no-copy"] == [each.id for each in coverage(hosts, (found,))]


@pytest.mark.parametrize(("own", "words"), [("x", "1 snapshot of"), ("xy", "2 snapshots of")])
def test_a_copy_that_cannot_go_on_is_named(own: str, words: str) -> None:
    hosts = [
        ReplicatedHost("nas", (lineage("tank/home", "abcd"),)),
        ReplicatedHost("vault", (lineage("backup/home", f"ab{own}", created=350),)),
    ]
    (found,) = coverage(hosts, replicas(hosts))

    assert ("replica-diverged", "vault:backup/home", len(own)) == (
        found.id,
        found.subject,
        found.evidence["own"],
    )
    assert words in found.summary

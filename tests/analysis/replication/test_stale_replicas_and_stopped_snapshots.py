"""Copies that have fallen behind, and snapshots that are not taken any more, by their own rhythm."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.analysis.replication.stale_replicas_and_stopped_snapshots import stale
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost, SendPoint
from zconsole.model.finding import Finding

HOUR, DAY = 3600, 86400
NOW = 1_800_000_000
HOURLY = [at * HOUR for at in range(200, 0, -1)]  # ages in seconds
MONTHLY = [at * 30 * DAY for at in range(6, 0, -1)]


def dataset(name: str, ages: Sequence[int], guid: int, created: int = 400 * DAY) -> ReplicatedDataset:
    """A dataset with snapshots of these ages; equal ages are the same snapshot on every copy."""
    points = tuple(
        SendPoint(f"{name}@{NOW - age}", NOW - age, at + 10, NOW - age) for at, age in enumerate(ages)
    )
    return ReplicatedDataset(name, "filesystem", guid, NOW - created, 1 << 30, snapshots=points)


def judged(source: Sequence[int], copy: Sequence[int] = (), copy_pool: str = "backup") -> list[Finding]:
    hosts = [ReplicatedHost("nas", (dataset("tank/home", source, 1),))]
    if copy:
        hosts.append(ReplicatedHost("vault", (dataset(f"{copy_pool}/home", copy, 2, created=DAY),)))
    return list(stale(hosts, replicas(hosts), NOW))


@pytest.mark.parametrize(
    ("expected", "source", "copy"),
    [
        ([], HOURLY, HOURLY),
        ([], HOURLY, [age for age in HOURLY if age > 2 * DAY]),
        (["replica-stale"], HOURLY, [age for age in HOURLY if age > 4 * DAY]),
        ([], MONTHLY, MONTHLY[:-2]),
        (["replica-stale"], MONTHLY, MONTHLY[:-4]),
        ([], [], []),
    ],
)
def test_a_copy_is_stale_by_the_rhythm_of_its_source(
    expected: list[str], source: list[int], copy: list[int]
) -> None:
    assert expected == [each.id for each in judged(source, copy)]


@pytest.mark.parametrize(
    ("expected", "ages"),
    [
        ([], HOURLY),
        ([], [age + 20 * HOUR for age in HOURLY]),
        (["snapshots-stopped"], [age + 25 * HOUR for age in HOURLY]),
        ([], [age + 50 * DAY for age in MONTHLY]),
        (["snapshots-stopped"], [age + 70 * DAY for age in MONTHLY]),
        ([], [300 * DAY, 200 * DAY, 100 * DAY]),
        ([], [100 * DAY] * 5),
    ],
)
def test_snapshots_have_stopped_by_their_own_rhythm(expected: list[str], ages: list[int]) -> None:
    assert expected == [each.id for each in judged(ages)]


def test_a_copy_that_only_receives_takes_no_snapshots_and_is_not_told_so() -> None:
    old = [age + 30 * DAY for age in HOURLY]

    found = judged(old, old)

    assert [("snapshots-stopped", "nas:tank/home")] == [(each.id, each.subject) for each in found]


def test_the_sentence_has_the_numbers() -> None:
    (stale_copy,) = judged(HOURLY, [age for age in HOURLY if age > 4 * DAY])
    (stopped,) = judged([age + 2 * DAY for age in HOURLY])

    assert (
        "it lacks 96 snapshots of nas:tank/home: what was written in 4d has no copy there"
        == stale_copy.summary
    )
    assert "its newest snapshot is 2d1h old, and one was taken every 1h00m before" == stopped.summary

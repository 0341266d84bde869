"""Copies that have fallen behind, and snapshots that are not taken any more, by their own rhythm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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


def beside(behind_s: int, others_behind_s: Sequence[int], ages: Sequence[int] = HOURLY) -> list[Finding]:
    """A copy that is so far behind, and others in the same dataset."""
    lags = dict(enumerate((behind_s, *others_behind_s)))
    sources = [dataset(f"tank/{at}", ages, at) for at in lags]
    copies = [
        dataset(f"backup/{at}", [age for age in ages if age > lag], 100 + at, created=DAY)
        for at, lag in lags.items()
    ]
    for at in lags:  # snapshots of one dataset are those of its copy alone
        sources[at], copies[at] = (_own_guids(each, at) for each in (sources[at], copies[at]))
    hosts = [ReplicatedHost("nas", tuple(sources)), ReplicatedHost("vault", tuple(copies))]
    return list(stale(hosts, replicas(hosts), NOW))


def _own_guids(each: ReplicatedDataset, at: int) -> ReplicatedDataset:
    points = tuple(
        replace(point, guid=int(f"{at + 1}{point.creation}"), name=point.name) for point in each.snapshots
    )
    return replace(each, snapshots=points)


@pytest.mark.parametrize(
    ("expected", "behind_s", "others_behind_s"),
    [
        (["replica-stale"], 29 * HOUR, [2 * HOUR] * 3),
        ([], 29 * HOUR, [2 * HOUR] * 2),  # too few to compare with
        ([], 25 * HOUR, [2 * HOUR] * 3),
        ([], 29 * HOUR, [28 * HOUR] * 3),  # the job of all is late
        (["replica-stale"], 29 * HOUR, [0, HOUR, 2 * HOUR, 40 * HOUR, 0]),
    ],
)
def test_a_copy_is_stale_a_day_behind_those_that_are_renewed_with_it(
    expected: list[str], behind_s: int, others_behind_s: list[int]
) -> None:
    found = beside(behind_s, others_behind_s)

    assert expected == [each.id for each in found if each.subject == "vault:backup/0"]


def test_a_daily_copy_that_missed_one_run_is_not_stale_beside_the_others() -> None:
    daily = [at * DAY for at in range(40, 0, -1)]

    assert [] == beside(2 * DAY, [0, 0, 0], daily)


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
    assert "its newest snapshot is 2d1h old, and one was taken every 1h before" == stopped.summary

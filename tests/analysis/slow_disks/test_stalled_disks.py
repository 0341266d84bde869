"""A pause now and then, or one that does not end: when it is said, and when it is not."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import (
    HEALTHY,
    IDLE,
    LONE,
    MIRRORS,
    RAIDZ,
    Act,
    Did,
    judge,
    named,
    slow,
)
from zconsole.model.pools.slow_disk import SLOW, STALLING, Stalls

STUCK = Did(active=3)


def paused(disk: str, *pauses: tuple[int, int]) -> Act:
    """A disk that answers nothing from a second to another, and stops the pool meanwhile."""

    def act(number: int, name: str) -> Did:
        for first, last in pauses:
            if first <= number < last:
                return STUCK if name == disk else IDLE
            if number == last and name == disk:
                return Did(33, 300, 10, 900)
        return HEALTHY

    return act


@pytest.mark.parametrize("names", [MIRRORS, RAIDZ, LONE], ids=["mirrors", "raidz", "lone"])
@pytest.mark.parametrize("seconds", [1, 2, 3, 4])
def test_one_short_stall_is_no_verdict(names: tuple[str, ...], seconds: int) -> None:
    disk = [name for name in names if "-" not in name][2]

    assert set() == named(judge(names, paused(disk, (20, 20 + seconds))))


def test_two_stalls_can_happen_to_any_disk() -> None:
    assert set() == named(judge(MIRRORS, paused("c", (15, 19), (28, 32))))


@pytest.mark.parametrize("names", [MIRRORS, RAIDZ, LONE], ids=["mirrors", "raidz", "lone"])
def test_three_stalls_in_a_minute_are_a_verdict(names: tuple[str, ...]) -> None:
    disk = [name for name in names if "-" not in name][2]

    (verdict,) = judge(names, paused(disk, (15, 19), (28, 32), (41, 45))).verdicts

    assert (disk, STALLING) == (verdict.disk, verdict.kind)
    assert 15 == verdict.first_sample
    assert 41 <= verdict.decided_sample <= 45
    assert verdict.stalls is not None
    assert 3 == verdict.stalls.count
    assert verdict.stalls.longest_ns == pytest.approx(3e9)


def test_three_stalls_far_apart_are_no_verdict() -> None:
    assert set() == named(judge(MIRRORS, paused("c", (15, 19), (60, 64), (105, 109)), 150))


def test_a_stall_is_known_by_its_latency_too() -> None:
    """Other threads go on, so that the disk is never quite silent."""

    def act(number: int, name: str) -> Did:
        return Did(4, 2500) if name == "d3" and number in {15, 30, 45} else HEALTHY

    (verdict,) = judge(RAIDZ, act).verdicts

    assert ("d3", STALLING, 15, 45) == (
        verdict.disk, verdict.kind, verdict.first_sample, verdict.decided_sample,
    )  # fmt: skip


def test_a_pool_that_pauses_as_a_whole_names_none() -> None:
    def act(number: int, _: str) -> Did:
        return STUCK if number % 15 in {0, 1, 2} else HEALTHY

    assert set() == named(judge(MIRRORS, act))


def test_slow_moments_of_all_disks_at_once_are_not_a_disk_s() -> None:
    def act(number: int, _: str) -> Did:
        return Did(4, 2500) if number in {15, 30, 45} else HEALTHY

    assert set() == named(judge(MIRRORS, act))


def test_a_disk_that_hangs_is_named_while_it_does() -> None:
    """It ends no operation at all: no latency tells of it."""
    (verdict,) = judge(MIRRORS, paused("c", (20, 60)), 30).verdicts

    assert ("c", 20, True) == (verdict.disk, verdict.first_sample, verdict.is_ongoing)
    assert verdict.decided_sample <= 28
    assert STALLING == verdict.kind


@pytest.mark.parametrize("until", [50, 60])
def test_a_disk_that_completes_nothing_has_no_mean_no_ratio_and_no_cost(until: int) -> None:
    """It may hang to the end or answer again: how long it did not is known, and what was outstanding."""
    act: Act = lambda at, name: STUCK if name == "d3" and 31 <= at < until else HEALTHY  # noqa: E731
    (verdict,) = judge(RAIDZ, act, 60).verdicts

    assert ("d3", STALLING, True) == (verdict.disk, verdict.kind, verdict.is_ongoing)
    assert Stalls(1, (until - 32) * 1e9, 3, until == 60, 7, 7) == verdict.stalls
    assert ((), (), None) == (verdict.compared, verdict.costs, verdict.measured_ratio)


def test_a_slow_disk_that_hangs_has_the_mean_of_what_it_completed() -> None:
    """Ten seconds at 80 ms, eight without an answer: the mean has nothing of these."""

    def act(number: int, name: str) -> Did:
        if name != "d3" or number < 20:
            return HEALTHY
        return STUCK if 40 <= number < 48 else slow(8)

    (verdict,) = judge(RAIDZ, act, 60).verdicts

    assert {80.0, 96.0} == {round(one.mean_ns / 1e6) for one in verdict.compared}
    assert Stalls(1, 7e9, 3, False, 7, 7) == verdict.stalls
    assert SLOW == verdict.kind


@pytest.mark.parametrize(("seconds", "told"), [(1, []), (2, [1e9]), (3, [2e9]), (7, [6e9])])
def test_a_pause_that_is_no_verdict_is_told_as_it_was_seen(seconds: int, told: list[float]) -> None:
    judgement = judge(
        RAIDZ, lambda at, name: STUCK if name == "d3" and 20 <= at < 20 + seconds else HEALTHY, 60
    )

    assert set() == named(judgement)
    assert told == [one.longest_ns for one in judgement.pauses]
    assert () == judgement.not_answering


def test_a_verdict_on_stalls_ends_a_minute_after_the_last() -> None:
    act = paused("c", (15, 19), (28, 32), (41, 45))

    assert [True] == [verdict.is_ongoing for verdict in judge(MIRRORS, act, 100).verdicts]
    assert [False] == [verdict.is_ongoing for verdict in judge(MIRRORS, act, 110).verdicts]


def test_a_disk_of_a_raidz_that_does_nothing_beside_busy_ones_is_not_judged() -> None:
    """It was never asked, as of a disk that is out: there is no I/O to wait for."""
    judgement = judge(RAIDZ, lambda number, name: IDLE if name == "d3" and number >= 20 else HEALTHY, 60)

    (one,) = judgement.undecided
    assert "d3" == one.disk
    assert one.reason.startswith("no I/O in the last 40 s, while the others of raidz2-0 had some")


@pytest.mark.parametrize("resumed", [41, 55])
def test_a_disk_that_goes_on_or_a_vdev_that_rests_is_judged_as_before(resumed: int) -> None:
    goes_on = judge(RAIDZ, lambda at, name: IDLE if name == "d3" and 20 <= at < resumed else HEALTHY, 60)
    rests = judge(RAIDZ, lambda at, _: IDLE if at >= 20 else HEALTHY, 60)

    assert ((), ()) == (goes_on.undecided, rests.undecided)

"""Disks that are a little slower than their peers in most seconds, and what explains it otherwise."""

from __future__ import annotations

import random

import pytest

from tests.analysis.slow_disks.bucketed_pool import Pool as BucketedPool
from tests.analysis.slow_disks.bucketed_pool import watch as watch_buckets
from tests.analysis.slow_disks.streams import (
    LONE,
    MIRRORS,
    RAIDZ,
    Act,
    Did,
    judge,
    named,
    sample,
    watch,
)
from zconsole.analysis.slow_disks.verdict_sentence import perhaps_slower_sentence
from zconsole.model.pools.slow_disk import READ, WRITE, Judgement


def noisy(slower: dict[str, float], of: Did | None = None, spread: float = 0.15) -> Act:
    """Healthy disks whose latencies vary, some of them slower by a factor; from second 20 on."""

    def act(number: int, name: str) -> Did:
        dice = random.Random(f"{number} {name}")  # noqa: S311 - a simulation
        times = (slower.get(name, 1.0) if number >= 20 else 1.0) * 2 ** dice.gauss(0, spread)
        did = of or Did(30, 9, 30, 9)
        return Did(
            did.reads,
            None if did.read_ms is None else did.read_ms * times,
            did.writes,
            None if did.write_ms is None else did.write_ms * times,
        )

    return act


def told(judgement: Judgement) -> set[str]:
    return {one.disk for one in judgement.slightly}


def test_a_disk_that_is_half_as_slow_again_is_told_with_the_seconds_that_show_it() -> None:
    judgement = judge(RAIDZ, noisy({"d3": 1.5}), 70)

    (one,) = judgement.slightly
    assert "d3" == one.disk
    assert set() == named(judgement)
    assert 1.4 < one.ratio < 1.6
    assert one.slower_seconds >= 0.95 * one.seconds >= 45
    assert 20 <= one.first_sample <= 22
    assert one.decided_sample < 60
    assert {READ, WRITE} == {each.operation for each in one.compared}


@pytest.mark.parametrize("spread", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("names", [RAIDZ, MIRRORS], ids=["raidz", "mirrors"])
def test_no_ratio_falls_between_slightly_slower_and_slow(names: tuple[str, ...], spread: float) -> None:
    disk = "d3" if names is RAIDZ else "d"
    for times in (1.4, 1.5, 1.6, 1.65, 1.7, 1.75, 1.8, 1.85, 1.9, 2.0, 2.2, 2.5, 3.0, 4.0):
        judgement = judge(names, noisy({disk: times}, spread=spread), 90)

        assert {disk} == told(judgement) | named(judgement), times


def test_one_half_of_a_mirror_and_a_disk_of_a_stripe_too() -> None:
    assert {"d"} == told(judge(MIRRORS, noisy({"d": 1.6}), 80))
    assert {"b"} == told(judge(LONE, noisy({"b": 1.6}), 80))
    assert {"b"} == told(judge(("mirror-0", "a", "b"), noisy({"b": 1.6}), 80))


def test_a_disk_that_only_reads_a_little_slower_is_told_by_its_reads() -> None:
    act = noisy({"d3": 1.6})

    def only_reads(number: int, name: str) -> Did:
        did, well = act(number, name), noisy({})(number, name)
        return Did(did.reads, did.read_ms, well.writes, well.write_ms)

    (one,) = judge(RAIDZ, only_reads, 80).slightly

    assert (READ,) == tuple(each.operation for each in one.compared)


def test_healthy_disks_are_never_told() -> None:
    for spread in (0.05, 0.3, 0.8):
        assert set() == told(judge(RAIDZ, noisy({}, spread=spread), 300))
        assert set() == told(judge(MIRRORS, noisy({}, spread=spread), 300))


def test_a_difference_of_a_tenth_is_not_told() -> None:
    assert set() == told(judge(RAIDZ, noisy({"d3": 1.1}), 300))


def test_more_load_than_any_peer_has_explains_a_little_slowness() -> None:
    """A position of a raidz or a larger disk gets more I/O: then its latency says nothing of the disk."""
    act = noisy({"d3": 1.5})

    def loaded(number: int, name: str) -> Did:
        did = act(number, name)
        more = 2 if name == "d3" else 1
        return Did(did.reads * more, did.read_ms, did.writes * more, did.write_ms)

    def others_too(number: int, name: str) -> Did:
        did = act(number, name)
        more = 2 if name in {"d3", "d6"} else 1
        return Did(did.reads * more, did.read_ms, did.writes * more, did.write_ms)

    assert set() == told(judge(RAIDZ, loaded, 80))
    assert {"d3"} == told(judge(RAIDZ, others_too, 80))


def test_half_of_the_disks_have_a_common_cause_and_are_not_told() -> None:
    assert set() == told(judge(MIRRORS, noisy({"b": 1.5, "d": 1.5, "f": 1.5}), 120))


def test_a_disk_that_recovers_is_no_longer_told_within_a_minute() -> None:
    slower, well = noisy({"d3": 1.5}), noisy({})
    detector = watch(RAIDZ, slower, 120)
    assert {"d3"} == told(detector.judgement())

    for number in range(120, 180):
        detector.feed(sample(number, RAIDZ, well))

    judgement = detector.judgement()
    assert set() == told(judgement)
    (was,) = judgement.were_slightly
    assert "d3" == was.disk
    assert not was.is_ongoing


def test_a_disk_that_is_slow_later_is_told_as_that_alone() -> None:
    slower, slow_later = noisy({"d3": 1.5}), noisy({"d3": 4.0})
    detector = watch(RAIDZ, slower, 100)
    for number in range(100, 160):
        detector.feed(sample(number, RAIDZ, slow_later))

    judgement = detector.judgement()
    assert {"d3"} == named(judgement)
    assert ((), ()) == (judgement.slightly, judgement.were_slightly)


def test_a_slow_disk_is_slow_and_not_slightly_slower() -> None:
    judgement = judge(RAIDZ, noisy({"d3": 3.0}), 80)

    assert {"d3"} == named(judgement)
    assert set() == told(judgement)


@pytest.mark.parametrize(("own_ms", "named"), [(8, []), (9, []), (16, ["d5"])])
def test_a_few_seconds_in_which_a_disk_is_slower_are_told_as_not_sure(own_ms: int, named: list[str]) -> None:
    judgement = watch_buckets(BucketedPool(6, 0.5, 8e6, own_ms * 1e6, operations=60), seconds=9)

    assert ((), ()) == (judgement.verdicts, judgement.slightly)
    assert named == [one.disk for one in judgement.perhaps]
    for one in judgement.perhaps:
        assert "in each of the 9 s with I/O" in perhaps_slower_sentence(one)

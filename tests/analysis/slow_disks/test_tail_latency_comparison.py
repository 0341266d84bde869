"""Disks whose mean is like that of their peers, and whose slowest I/Os are not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, RAIDZ, Did, named, sample, slow
from tests.analysis.slow_disks.tails import (
    MS_67,
    MS_268,
    MS_1074,
    Took,
    alike,
    every,
    histograms,
    nothing,
    watch,
)
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.tail_latency_comparison import BLOCK_S, BLOCKS, DECIDED, LEAST_BEYOND, Tail
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import LONG_TAIL, SLOW, Judgement, Quantile, SlowDiskVerdict
from zconsole.zfs.iostat.disk_wait_histogram import POWERS

LONG = {MS_268: 2}  # two reads of a quarter of a second, among those of some seconds


def only(judgement: Judgement) -> SlowDiskVerdict:
    (verdict,) = judgement.verdicts
    return verdict


def of(verdict: SlowDiskVerdict, share: float, operation: str = "read") -> Quantile:
    (found,) = (each for each in verdict.quantiles if (each.share, each.operation) == (share, operation))
    return found


def test_disks_that_are_alike_have_no_verdict() -> None:
    assert () == watch(RAIDZ, alike, alike).judgement().verdicts


@pytest.mark.parametrize("names", [RAIDZ, MIRRORS, ("mirror-0", "d3", "b"), ("d3", "b", "c")])
def test_a_tail_far_longer_than_that_of_the_peers_is_a_verdict(names: tuple[str, ...]) -> None:
    """The means that `-l` gives are those of all the others."""
    disk = "c" if names is MIRRORS else "d3"
    judgement = watch(names, every(2, LONG, [disk])).judgement()

    verdict = only(judgement)
    assert (disk, LONG_TAIL, ("read",), True) == (
        verdict.disk, verdict.kind, verdict.operations, verdict.is_ongoing,
    )  # fmt: skip
    assert of(verdict, 0.99).is_far
    assert 2.0**MS_268 == of(verdict, 0.99).value_ns
    assert 8.0 == verdict.ratio == of(verdict, 0.99).ratio
    assert not of(verdict, 0.5).is_far
    assert 1.0 == of(verdict, 0.5).ratio
    assert () == verdict.compared
    (cost,) = verdict.costs
    assert ("read", 0.99) == (cost.operation, cost.share)
    assert cost.vdev_with_ns == 2.0**MS_268 > cost.vdev_without_ns
    assert 0.5 < verdict.confidence < 0.95


def test_it_takes_some_blocks_of_evidence() -> None:
    seconds = next(
        seconds
        for seconds in range(60)
        if watch(RAIDZ, every(2, LONG, ["d3"]), seconds=seconds).judgement().verdicts
    )

    assert DECIDED * BLOCK_S <= seconds <= 30


def test_one_bucket_of_difference_says_nothing() -> None:
    assert () == watch(RAIDZ, every(1, {MS_67: 3}, ["d3"])).judgement().verdicts


def test_a_tail_of_writes_is_said_of_writes() -> None:
    verdict = only(watch(RAIDZ, alike, every(2, LONG, ["d3"])).judgement())

    assert ("write",) == verdict.operations
    assert of(verdict, 0.99, "write").is_far
    assert not of(verdict, 0.99, "read").is_far


def test_a_rarer_one_shows_in_the_last_thousandth_when_there_is_much_io() -> None:
    """Two in a thousand are within the slowest hundredth of I/Os, and beyond 999 of a thousand."""

    def busy(half: int, name: str) -> Took:
        return {power: 5 * number for power, number in every(1, {MS_1074: 1}, ["d3"])(half, name).items()} | (
            {MS_1074: 1} if name == "d3" and half % 2 else {}
        )

    verdict = only(watch(RAIDZ, lambda half, name: _rare(busy(half, name), half)).judgement())

    assert "d3" == verdict.disk
    assert not of(verdict, 0.99).is_far
    assert of(verdict, 0.999).is_far


def _rare(took: Took, half: int) -> Took:
    return {power: number for power, number in took.items() if power < MS_1074} | (
        {MS_1074: 1} if took.get(MS_1074) and half % 2 else {}
    )


def test_two_of_many_do_not_hide_each_other() -> None:
    assert {"d2", "d5"} == named(watch(RAIDZ, every(2, LONG, ["d2", "d5"])).judgement())


@pytest.mark.parametrize("disks", [["a", "c", "e"], ["a", "b", "c", "d"], ["a", "b", "c", "d", "e", "f"]])
def test_half_of_the_disks_or_more_are_none(disks: list[str]) -> None:
    assert () == watch(MIRRORS, every(2, LONG, disks)).judgement().verdicts


def test_a_whole_vdev_is_none() -> None:
    names = (*RAIDZ, "raidz2-1", *(f"e{at}" for at in range(8)))

    assert () == watch(names, every(2, LONG, [f"d{at}" for at in range(8)])).judgement().verdicts


def test_a_tail_that_the_peers_have_nearly_as_often_is_chance() -> None:
    """Their 99th of a hundred is just short of the few that take long, and that of this disk just beyond."""

    def reads(half: int, name: str) -> Took:
        few = half % (4 if name == "d3" else 6) == 0
        return {**alike(half, name), MS_268: 2 if few and name == "d3" else int(few)}

    judgement = watch(RAIDZ, reads).judgement()

    assert () == judgement.verdicts


def test_too_little_io_says_nothing() -> None:
    """Fewer than five hundred in a minute: their slowest hundredth is a handful."""

    def reads(half: int, name: str) -> Took:
        if half % 20:
            return {}
        return {**alike(half, name), MS_268: 5 if name == "d3" else 0}

    assert 6 * 45 < 100 * LEAST_BEYOND
    assert () == watch(RAIDZ, reads).judgement().verdicts


def test_one_stall_is_none_and_neither_are_two() -> None:
    for stalls in ({40}, {40, 70}):

        def reads(half: int, name: str, stalls: set[int] = stalls) -> Took:
            return {**alike(half, name), MS_1074: 60 if name == "d3" and half in stalls else 0}

        assert () == watch(RAIDZ, reads, seconds=120).judgement().verdicts


def test_a_disk_that_is_resilvered_is_not_judged() -> None:
    leaves = tuple(Vdev(f"d{at}", "disk", "data", "ONLINE", is_resilvering=at == 3) for at in range(8))
    pool = Pool("tank", "ONLINE", 1, (Vdev("raidz2-0", "raidz2", "data", "ONLINE", children=leaves),))

    assert () == watch(RAIDZ, every(2, LONG, ["d3"]), pool=pool).judgement().verdicts


def test_what_a_disk_does_while_it_trims_alone_does_not_count() -> None:
    def act(_number: int, name: str) -> Did:
        return Did(30, 10, 30, 12, trim=name == "d3")

    assert () == watch(RAIDZ, every(2, LONG, ["d3"]), act=act).judgement().verdicts


def test_what_carries_far_more_may_be_slower_for_it() -> None:
    """Sixteen times the I/O of its peers."""

    def reads(half: int, name: str) -> Took:
        took = every(2, {MS_268: 1}, ["d3"])(half, name)
        return {power: 16 * number for power, number in took.items()} if name == "d3" else took

    assert () == watch(RAIDZ, reads).judgement().verdicts


def test_it_is_over_when_the_tail_is_gone() -> None:
    judgement = watch(RAIDZ, every(2, LONG, ["d3"], until=80), seconds=120).judgement()

    verdict = only(judgement)
    assert not verdict.is_ongoing
    assert 35 <= verdict.last_sample <= 45
    assert LONG_TAIL == verdict.kind
    assert of(verdict, 0.99).is_far


def test_without_histograms_it_is_forgotten_after_a_while() -> None:
    detector = watch(RAIDZ, every(2, LONG, ["d3"]))
    assert only(detector.judgement()).is_ongoing

    _go_on(detector, 500)
    later = only(detector.judgement()).is_ongoing
    _go_on(detector, 200)

    assert later
    assert not only(detector.judgement()).is_ongoing


def _go_on(detector: Detector, seconds: int) -> None:
    first = detector.judgement().samples
    for number in range(first, first + seconds):
        detector.feed(sample(number, RAIDZ, lambda _number, _name: HEALTHY))


def test_a_disk_that_is_slow_in_the_mean_has_its_quantiles_in_evidence() -> None:
    """The verdict is that of the mean, and the quantiles stand beside it."""

    def act(_number: int, name: str) -> Did:
        return slow(6) if name == "d3" else HEALTHY

    verdict = only(watch(RAIDZ, every(2, LONG, ["d3"]), act=act).judgement())

    assert SLOW == verdict.kind
    assert 5 < verdict.ratio < 7
    assert of(verdict, 0.99).is_far


def test_rows_of_another_layout_are_left_out() -> None:
    detector = watch(RAIDZ, alike, seconds=5)
    for half in range(120):
        detector.hear(histograms(half, MIRRORS, every(2, LONG, ["d3"]), nothing))
        detector.hear(histograms(half, RAIDZ[:-1], every(2, LONG, ["d3"]), nothing))

    assert () == detector.judgement().verdicts


@given(
    blocks=st.lists(
        st.dictionaries(st.integers(1, POWERS - 1), st.integers(1, 200), max_size=4), max_size=2 * BLOCKS
    )
)
def test_the_window_is_the_sum_of_the_last_blocks(blocks: list[dict[int, int]]) -> None:
    tail = Tail()
    for block in blocks:
        tail.push(block)

    took = sorted(
        power for block in blocks[-BLOCKS:] for power, number in block.items() for _ in range(number)
    )
    assert len(took) == tail.total
    for share in (0.5, 0.99, 0.999):
        most = (1 - share) * len(took)
        if not took or most < LEAST_BEYOND:
            assert tail.quantile(share) is None
        else:
            assert took[-1 - math.floor(most)] == tail.quantile(share)

"""Bets on a disk that is a little slower: fair under the null hypothesis, and won by a steady difference."""

from __future__ import annotations

import random
from itertools import product

import pytest

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import (
    CEILING,
    ENOUGH,
    FULL_BET,
    PairedSeconds,
)

MS = 1e6


def seconds(count: int, *, own_ms: float = 15.0, reference_ms: float = 10.0) -> PairedSeconds:
    """So many seconds of reads, all with the same latencies."""
    paired = PairedSeconds(0, 0.0)
    for sample in range(count):
        paired.add(sample, READS, 20, own_ms * MS, reference_ms * MS)
        paired.bet(READS, FULL_BET, 1.0)
    return paired


def test_no_bet_gains_on_average_where_slower_and_faster_are_equally_likely() -> None:
    """All 2^8 courses of four seconds of reads and writes."""
    courses = list(product((-1.0, 1.0), repeat=8))
    total = 0.0
    for course in courses:
        paired = PairedSeconds(0, 0.0)
        for at, outcome in enumerate(course):
            paired.bet((READS, WRITES)[at % 2], outcome, 1.0)
        total += paired.wealth

    assert 1.0 == pytest.approx(total / len(courses))


def test_chance_seldom_multiplies_the_wealth() -> None:
    """Ville's inequality: of fair courses one in a hundred reaches a hundredfold, at most."""
    dice = random.Random(19)  # noqa: S311 - a simulation
    reached = 0
    for _ in range(2000):
        paired = PairedSeconds(0, 0.0)
        most = 0.0
        for _ in range(200):
            paired.bet(READS, dice.gauss(0, 0.5), 1.0)
            most = max(most, paired.wealth)
        reached += most >= 100

    assert reached <= 2000 / 100


def test_a_steady_difference_is_beyond_chance_within_half_a_minute_and_not_at_once() -> None:
    assert not seconds(15).is_enough
    assert seconds(25).is_enough
    assert not seconds(20).is_sure
    assert seconds(30).is_sure


def test_a_difference_that_does_not_matter_is_not_told_however_certain() -> None:
    paired = seconds(300, own_ms=11.0)

    assert paired.wealth > ENOUGH
    assert not paired.is_enough


def test_seconds_are_counted_once_for_reads_and_writes_together() -> None:
    paired = PairedSeconds(3, 0.0)
    for sample in range(10):
        paired.add(sample, READS, 20, 15 * MS, 10 * MS)
        paired.add(sample, WRITES, 20, (4 if sample < 4 else 12) * MS, 10 * MS)

    assert 10 == paired.seconds
    assert 6 == paired.slower
    assert [READS] == [kind for kind, _ in paired.compared()]


def test_both_sides_of_a_bucket_s_border_are_no_difference() -> None:
    """All I/Os of a disk at 8.3 ms and of its peers at 8.5 are printed as 6.3 and 12.6 ms."""
    lower, upper = 1.5 * 2**22 / MS, 1.5 * 2**23 / MS
    two_buckets = 1.5 * 2**24 / MS

    assert not seconds(60, own_ms=upper, reference_ms=lower).is_enough
    assert seconds(60, own_ms=two_buckets, reference_ms=lower).is_enough


def test_what_was_won_in_hours_is_lost_within_a_minute() -> None:
    paired = seconds(3600)
    assert CEILING >= paired.wealth

    paired.decided = 30

    def is_lost() -> bool:
        paired.bet(READS, -FULL_BET, 1.0)
        return paired.is_gone

    assert 10 < next(at for at in range(120) if is_lost()) < 60

"""A disk that reads slowly and writes as ever: its reads are judged by themselves, too."""

from __future__ import annotations

import random
from typing import Final

import pytest

from tests.analysis.slow_disks.bucketed_pool import Pool, watch
from zconsole.analysis.slow_disks.accumulated_evidence import READS
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import (
    ALONE,
    ENOUGH,
    FULL_BET,
    PairedSeconds,
)
from zconsole.analysis.slow_disks.verdict_sentence import slightly_slower_sentence
from zconsole.model.pools.slow_disk import READ

MS: Final = 1e6


@pytest.mark.parametrize("writes_ms", [8.0, 5.0])
def test_reads_that_take_half_as_long_again_are_told_whatever_the_writes_do(writes_ms: float) -> None:
    (one,) = watch(Pool(6, 0.5, 8 * MS, 12 * MS, writes_ms * MS)).slightly

    assert ("d5", READ) == (one.disk, one.alone)
    assert [READ] == [each.operation for each in one.compared]
    assert one.decided_sample - one.first_sample <= 40
    assert "d5 is slightly slower than its peers at reads: 1." in slightly_slower_sentence(one)


def test_slow_reads_and_writes_are_no_matter_of_reads_alone() -> None:
    (one,) = watch(Pool(6, 0.5, 8 * MS, 12 * MS)).slightly

    assert "" == one.alone


def test_equal_reads_are_not_told_where_writes_differ() -> None:
    assert () == watch(Pool(6, 0.5, 8 * MS, 8 * MS, 5 * MS)).slightly


def test_reads_alone_need_four_times_the_evidence() -> None:
    paired = PairedSeconds(0, 0.0, times=ALONE)
    while paired.wealth < ENOUGH:
        paired.add(0, READS, 20, 15 * MS, 10 * MS)
        paired.bet(READS, FULL_BET, 1.0)
    assert not paired.is_enough

    while paired.wealth < ALONE * ENOUGH:
        paired.bet(READS, FULL_BET, 1.0)
    assert paired.is_enough


def test_chance_does_not_make_reads_slower_alone() -> None:
    """Healthy disks whose seconds vary: in an hour none is told."""
    for seed in range(3):
        noise = random.Random(seed).choice((0.5, 0.8))  # noqa: S311 - a simulation
        assert () == watch(Pool(6, noise, 8 * MS, seed=seed, operations=6), 400).slightly

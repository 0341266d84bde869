"""How much slower than its peers a disk may be that looks like them."""

from __future__ import annotations

import math
import random

import pytest

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.latency_ratio_upper_bound import LatencyBounds, student

KEYS = [("raidz2-0", f"d{at}") for at in range(6)]


@pytest.mark.parametrize(
    ("expected", "probability", "freedom"),
    [(2.132, 0.95, 4), (1.833, 0.95, 9), (4.604, 0.995, 4), (3.250, 0.995, 9), (2.626, 0.995, 100)],
)
def test_the_quantiles_of_students_t_are_those_of_the_tables(
    expected: float, probability: float, freedom: int
) -> None:
    assert student(probability, freedom) == pytest.approx(expected, rel=0.01)


def watched(ratio: float, seconds: int = 60, *, seed: int = 1, operations: float = 40) -> LatencyBounds:
    """Six disks of which the last has this ratio to its peers, with the scatter of real means."""
    dice, bounds = random.Random(seed), LatencyBounds()  # noqa: S311
    for number in range(seconds):
        factors = [1.0] * 5 + [ratio]
        seen = [
            (at, operations, 8e6 * factor * math.exp(dice.gauss(0, 0.3)), 8e6)
            for at, factor in enumerate(factors)
        ]
        bounds.take_in(number, READS, KEYS, seen)
    return bounds


def test_the_bound_is_above_the_truth_nineteen_times_of_twenty() -> None:
    held = sum(watched(1.2, seed=seed).known()[0].ratio >= 1.2 for seed in range(200))

    assert 190 <= held


def test_longer_watching_makes_it_narrower() -> None:
    (short,), (long,) = watched(1.0, 30).known(), watched(1.0, 300).known()

    assert 1.0 < long.ratio < short.ratio < 1.5
    assert (6, 12_000) == (long.disks, long.operations)


def test_without_enough_operations_nothing_is_said() -> None:
    assert () == watched(1.0, 20).known()
    assert () == watched(1.0, 60, operations=1).known()


def test_more_comparisons_make_it_wider() -> None:
    few, many = watched(1.0), watched(1.0)
    for number in range(60):
        many.take_in(number, WRITES, KEYS, [(at, 40, 8e6, 8e6) for at in range(6)])

    assert few.known()[0].ratio < many.known()[0].ratio
    assert ["read", "write"] == [each.operation for each in many.known()]

"""The arithmetic of comparing: medians without one, weights, load; and what a slow disk costs."""

from __future__ import annotations

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.slow_disks.cost import cost
from zconsole.analysis.slow_disks.evidence import Suspicion, Track
from zconsole.analysis.slow_disks.peer_score import (
    OFFSET_NS,
    OFFSET_SOLID_NS,
    discount,
    excess,
    others,
    stands_for,
    weight,
)
from zconsole.analysis.slow_disks.suspects import confidence

TIMES = st.lists(st.integers(1, 50).map(float), min_size=2, max_size=12)


@given(TIMES)
def test_the_median_without_one_is_that_of_the_others(times: list[float]) -> None:
    found = others(list(times))

    assert found is not None
    assert median(times) == found.median
    for at, value in enumerate(times):
        assert median(times[:at] + times[at + 1 :]) == found.without(value)


def test_one_value_has_no_others() -> None:
    assert others([1.0]) is None


def test_what_is_below_a_millisecond_makes_little_difference_unless_disks_are_known_not_to_rotate() -> None:
    assert excess(0.2e6, 0.08e6, OFFSET_NS) < 0
    assert excess(0.9e6, 0.1e6, OFFSET_NS) > 0
    assert excess(0.6e6, 0.1e6, OFFSET_SOLID_NS) > 0 > excess(0.6e6, 0.1e6, OFFSET_NS)


def test_few_operations_count_less() -> None:
    assert (0.5, pytest.approx(0.707, abs=1e-3), 1.0, 1.0) == (weight(1), weight(2), weight(4), weight(99))


def test_a_burst_stands_for_the_time_since_the_last() -> None:
    assert (1.0, 1.0, 2.0, 2.0) == (
        stands_for(50, 1),
        stands_for(2, 5),
        stands_for(50, 5),
        stands_for(50, 500),
    )


@pytest.mark.parametrize(("expected", "own"), [(0, 0), (0, 100), (0, 200), (1, 405), (2, 815)])
def test_up_to_twice_the_load_of_the_others_excuses_nothing(expected: float, own: float) -> None:
    assert expected == pytest.approx(discount(own, 100, 5.0), abs=0.06)


@given(st.floats(8, 24), st.integers(5, 99), st.integers(1, 30))
def test_confidence_grows_with_all_it_rests_on(score: float, samples: int, peers: int) -> None:
    here = confidence(score, samples, peers)

    assert 0 < here < 1
    assert here < confidence(score + 1, samples, peers)
    assert here < confidence(score, samples + 1, peers)
    assert here < confidence(score, samples, peers + 1)


def suspicion() -> Suspicion:
    """A disk of 60 ms in a vdev with three of 10 ms; as many operations again in other vdevs."""
    return Suspicion(
        0, 0.0, 0.0,
        operations=100, own_ns=6000, reference_ns=1000,
        noted_operations=100, others_operations=300, others_ns=3000, pool_operations=400, pool_ns=4000,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "operation", "vdev", "pool"),
    [
        ("mirror", "write", (60, 10), (35, 10)),
        ("raidz", "write", (60, 10), (35, 10)),
        ("raidz", "read", (60, 10), (35, 10)),
        ("mirror", "read", (22.5, 10), (16.25, 10)),
        ("lone", "read", (60, 10), (35, 10)),
    ],
)
def test_what_a_slow_disk_costs(
    shape: str, operation: str, vdev: tuple[float, float], pool: tuple[float, float]
) -> None:
    found = cost(shape, operation, suspicion())

    assert vdev == (found.vdev_with_ns, found.vdev_without_ns)
    assert pool == (found.pool_with_ns, found.pool_without_ns)


def test_a_mean_fades_and_is_gone_in_the_end() -> None:
    track = Track()
    track.learn(0, 10, 8e6, 0)

    assert pytest.approx(8e6) == track.recent_ns(0) == track.recent_ns(7)
    assert track.recent_ns(8) is None
    assert 8e6 == track.last_ns


def test_a_score_has_a_ceiling_and_a_floor() -> None:
    track = Track()
    for number in range(30):
        track.add(number, 0.0, 2.0)
    high = track.score
    for number in range(30):
        track.add(number, 0.0, -0.5)

    assert (12.0, 0.0, None) == (high, track.score, track.suspicion)
